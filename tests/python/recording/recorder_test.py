"""Recorder: what is given under a tag comes back from the files, and nothing given raises."""

import os
import queue
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
import sightline

DTYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
]


def npy_files(directory: Path) -> dict[str, np.ndarray]:
    return {file.stem: np.load(file) for file in directory.glob("export_*/tensor/*.npy")}


def test_scalars_of_every_number_type_are_read_back(tmp_path, recording):
    numbers = [
        0.5,
        2,
        True,
        np.float32(0.25),
        np.float64(-3),
        np.float16(1.5),
        np.int8(-7),
        np.array(4.0),
    ]
    with sightline.Recorder(tmp_path) as recorder:
        for step, number in enumerate(numbers):
            assert recorder.add_scalar("loss", step, number)
    assert recording(tmp_path).scalars() == {
        ("loss", step): float(number) for step, number in enumerate(numbers)
    }


def test_an_interned_tag_records_as_its_text(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        tag = recorder.intern("Verlust/ä")
        assert str(tag) == "Verlust/ä"
        recorder.add_scalar(tag, 1, 1.0)
        recorder.add_scalar("Verlust/ä", step=np.int64(2), value=2.0)
    assert recording(tmp_path).scalars() == {("Verlust/ä", 1): 1.0, ("Verlust/ä", 2): 2.0}


def test_a_tag_outlives_the_name_of_its_recorder(tmp_path, recording):
    tag = sightline.Recorder(tmp_path / "gone").intern("loss")
    with sightline.Recorder(tmp_path / "here") as recorder:
        recorder.add_scalar(tag, 1, 1.0)
    assert recording(tmp_path / "here").scalars() == {("loss", 1): 1.0}


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_keeps_every_element_of_its_dtype(tmp_path, dtype):
    array = (
        np.arange(24).reshape(2, 3, 4) % 2 if dtype == "bool" else np.arange(24).reshape(2, 3, 4)
    ).astype(dtype)
    with sightline.Recorder(tmp_path, export_npy=True) as recorder:
        assert recorder.add_tensor("t", 1, array)
    (exported,) = npy_files(tmp_path).values()
    assert exported.dtype == array.dtype
    np.testing.assert_array_equal(exported, array)


STRIDED = {
    "transposed": np.arange(12.0).reshape(3, 4).T,
    "every second": np.arange(20, dtype=np.int16)[::2],
    "backwards": np.arange(20, dtype=np.uint8)[::-1],
    "fortran": np.asfortranarray(np.arange(6, dtype=np.float16).reshape(2, 3)),
    "broadcast": np.broadcast_to(np.float32(7), (3, 5)),
    "inner part": np.arange(60).reshape(3, 4, 5)[:, 1:3, 2:4],
    "byte-swapped": np.arange(5, dtype=">f4"),
    "empty": np.zeros((0, 3), np.float32),
    "one element": np.float64(3).reshape(1, 1),
}


@pytest.mark.parametrize("name", STRIDED)
def test_an_array_of_any_layout_is_recorded_in_c_order(tmp_path, name):
    with sightline.Recorder(tmp_path, export_npy=True) as recorder:
        assert recorder.add_tensor("t", 1, STRIDED[name]), recorder.stats.first_error
    (exported,) = npy_files(tmp_path).values()
    np.testing.assert_array_equal(exported, STRIDED[name])


def test_a_read_only_array_is_recorded(tmp_path):
    array = np.arange(5.0)
    array.flags.writeable = False
    with sightline.Recorder(tmp_path, export_npy=True) as recorder:
        assert recorder.add_tensor("t", 1, array)
    np.testing.assert_array_equal(npy_files(tmp_path)["t_1"], array)


class OnlyDLPack:
    """An array that nothing but DLPack gets into, as a tensor of another framework."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __dlpack__(self, **keywords):
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_dlpack_tensors_are_recorded(tmp_path):
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    with sightline.Recorder(tmp_path, export_npy=True) as recorder:
        assert recorder.add_tensor("t", 1, OnlyDLPack(array))
        assert recorder.add_tensor("s", 1, OnlyDLPack(array.T))
    np.testing.assert_array_equal(npy_files(tmp_path)["t_1"], array)
    np.testing.assert_array_equal(npy_files(tmp_path)["s_1"], array.T)


def test_a_copied_array_may_change_at_once(tmp_path):
    array = np.ones(1_000_000, np.float32)
    with sightline.Recorder(tmp_path, export_npy=True) as recorder:
        recorder.add_tensor("t", 1, array)
        array[:] = 2
    assert (npy_files(tmp_path)["t_1"] == 1).all()


def test_histograms_count_the_elements(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_histogram("h", 1, [1, 2, 3, 4])
        recorder.add_histogram("n", 1, np.array([1, np.nan, np.inf]))
    histograms = recording(tmp_path).of("histogram")
    assert (histograms["h", 1]["count"], histograms["h", 1]["sum"], histograms["h", 1]["min"]) == (
        "4",
        10.0,
        1.0,
    )
    assert (histograms["n", 1]["nan_count"], histograms["n", 1]["pos_inf_count"]) == ("1", "1")


def test_images_have_their_size(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_image("gray", 1, np.zeros((1, 1, 5, 7), np.uint8))
        recorder.add_image("colour", 1, np.zeros((1, 3, 5, 7), np.float32))
    images = recording(tmp_path).of("image")
    assert {key: (image["height"], image["width"]) for key, image in images.items()} == {
        ("gray", 1): (5, 7),
        ("colour", 1): (5, 7),
    }


def test_record_makes_one_event_of_a_dict(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        values = {
            "loss": 0.5,
            recorder.intern("rate"): np.float32(2),
            "weights": np.arange(3, dtype=np.float32),
        }
        assert recorder.record(7, values)
        assert recorder.stats.accepted_events == 1
    event = recording(tmp_path).events[1]
    assert event["step"] == "7"
    assert [value["tag"] for value in event["summary"]["value"]] == ["loss", "rate", "weights"]
    assert event["summary"]["value"][2]["tensor"]["float_data"] == [0, 1, 2]


class Explodes:
    def __float__(self):
        raise ZeroDivisionError("no number today")

    def __repr__(self):
        raise ZeroDivisionError("no text either")


BAD_CALLS = {
    "a text for a number": (lambda r: r.add_scalar("x", 3, "abc"), "add_scalar('x', step 3)"),
    "None for a number": (lambda r: r.add_scalar("x", 3, None), "add_scalar('x', step 3)"),
    "an array for a number": (
        lambda r: r.add_scalar("x", 3, np.ones(3)),
        "add_scalar('x', step 3)",
    ),
    "an object that raises": (lambda r: r.add_scalar("x", 3, Explodes()), "no number today"),
    "a number for a tag": (lambda r: r.add_scalar(5, 3, 1.0), "a tag is a str or a Tag"),
    "a text for a step": (
        lambda r: r.add_scalar("x", "three", 1.0),
        "add_scalar('x', step 'three')",
    ),
    "a step beyond 64 bits": (lambda r: r.add_scalar("x", 1 << 64, 1.0), "OverflowError"),
    "objects as tensor": (lambda r: r.add_tensor("x", 3, [None, object()]), "dtype object"),
    "texts as tensor": (lambda r: r.add_tensor("x", 3, ["a", "b"]), "dtype <U1"),
    "complex numbers": (lambda r: r.add_tensor("x", 3, np.ones(2, np.complex64)), "complex64"),
    "a ragged list": (
        lambda r: r.add_histogram("x", 3, [[1], [2, 3]]),
        "add_histogram('x', step 3)",
    ),
    "five channels": (lambda r: r.add_image("x", 3, np.zeros((1, 5, 2, 2))), "x"),
    "an endless broadcast": (
        lambda r: r.add_tensor("x", 3, np.broadcast_to(1.0, (1 << 40,))),
        "bytes",
    ),
    "no dict": (lambda r: r.record(3, 17), "record(step 3)"),
    "a bad value in a dict": (lambda r: r.record(3, {"x": "abc"}), "record('x', step 3)"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_a_bad_value_is_counted_and_named_and_raises_nothing(tmp_path, recording, name):
    call, message = BAD_CALLS[name]
    with sightline.Recorder(tmp_path) as recorder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not call(recorder)
        assert recorder.stats.invalid_values == 1
        assert message in recorder.stats.first_error
        assert recorder.add_scalar("good", 4, 1.0)
    assert recording(tmp_path).scalars() == {("good", 4): 1.0}


def test_the_first_refused_value_of_each_tag_and_cause_is_said_and_all_are_counted_at_the_end(
    tmp_path, recwarn
):
    with sightline.Recorder(tmp_path) as recorder:
        for step in range(100):
            recorder.add_scalar("loss", step / 2 + 0.25, step)  # PyTorch's order of arguments.
            recorder.add_image("picture", step, np.zeros((8, 8, 3), np.uint8))
    said = [str(warning.message) for warning in recwarn.list if warning.category is RuntimeWarning]
    assert len(said) == 3
    assert said[0].startswith(
        f"sightline: {tmp_path}: not recorded: add_scalar('loss', step 0.25): TypeError"
    )
    assert "the order is tag, step, value, not TensorBoard's tag, value, step" in said[0]
    assert "picture: an image has the shape" in said[1]
    assert said[2].startswith(
        f"sightline: {tmp_path}: values that were refused: 200; first: add_scalar('loss'"
    )


def test_where_warnings_are_errors_a_refused_value_raises_nothing(run_script, tmp_path):
    script = """
    import sys, warnings
    import sightline
    warnings.simplefilter("error")
    with sightline.Recorder(sys.argv[1]) as recorder:
        assert not recorder.add_scalar("loss", 1, "low")
    """
    assert "RuntimeWarning: sightline: " in run_script(script, tmp_path / "run").stderr


def test_the_first_error_stays(tmp_path):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_scalar("first", 1, "abc")
        recorder.add_scalar("second", 1, "abc")
        assert recorder.stats.invalid_values == recorder.stats.errors == 2
        assert "first" in recorder.stats.first_error


def test_an_interrupt_while_converting_reaches_the_caller(tmp_path):
    class Interrupts:
        def __float__(self):
            raise KeyboardInterrupt

    with sightline.Recorder(tmp_path) as recorder:
        with pytest.raises(KeyboardInterrupt):
            recorder.add_scalar("x", 1, Interrupts())
        assert recorder.stats.invalid_values == 0


@pytest.mark.parametrize("arguments", [(), ("x", 1), ("x", 1, 2.0, 3)])
def test_a_wrong_number_of_arguments_is_a_type_error(tmp_path, arguments):
    with (
        sightline.Recorder(tmp_path) as recorder,
        pytest.raises(TypeError, match="tag, step and value"),
    ):
        recorder.add_scalar(*arguments)


@pytest.mark.parametrize(
    ("directory", "error", "said"),
    [
        (None, TypeError, "not NoneType"),
        ("", ValueError, "directory is empty"),
        (
            "gs://bucket/run",
            ValueError,
            "directory is gs://bucket/run, but must be a path of this machine",
        ),
    ],
)
def test_a_directory_is_a_path_of_this_machine(tmp_path, monkeypatch, directory, error, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=said):
        sightline.Recorder(directory)
    assert not list(tmp_path.iterdir())


def test_every_fault_of_the_options_is_in_one_message(tmp_path):
    with pytest.raises(ValueError) as error:
        sightline.Recorder(
            tmp_path / "run",
            formats=("csv",),
            buffer_bytes=1,
            on_file_full="maybe",
            colour="red",
            workers="two",
        )
    for fault in (
        "formats is ('csv',), but must be mindspore, tensorboard or a list of them",
        "buffer_bytes is 1, but must be between 1 MiB and 2 GiB",
        "on_file_full is 'maybe', but must be rotate or stop",
        "Recorder has the unknown parameter 'colour'; known are formats, max_file_size, on_file_full, export_npy, buffer_bytes",
        "workers is 'two', but must be a whole number",
    ):
        assert fault in str(error.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "option",
    [
        {"max_file_size": 0},
        {"max_file_size": "4 GX"},
        {"export_npy": 1},
        {"on_buffer_full": True},
        {"flush_interval": 0},
        {"flush_interval": float("nan")},
        {"sync": "always"},
        {"rank": 2, "world_size": 2},
        {"rank": 1 << 40, "world_size": 1 << 41},
        {"device_id": -1},
        {"hostname": "a/b"},
        {"journal_dir": 3},
        {"formats": ()},
        {"formats": ("mindspore", "mindspore")},
    ],
    ids=str,
)
def test_a_bad_option_is_named(tmp_path, option):
    with pytest.raises(ValueError, match=next(iter(option))):
        sightline.Recorder(tmp_path / "run", **option)


def test_none_is_the_default_and_sizes_may_have_units(tmp_path):
    options = {
        "max_file_size": None,
        "on_buffer_full": None,
        "workers": None,
        "hostname": None,
        "journal_dir": None,
    }
    sightline.Recorder(tmp_path, **options).close()
    sightline.Recorder(
        tmp_path, max_file_size="4GB", buffer_bytes="1 MiB", rank=np.int64(0), journal_dir=tmp_path
    ).close()


def test_files_that_hold_a_few_events_only_are_warned_of(tmp_path, recwarn):
    sightline.Recorder(tmp_path, max_file_size=100).close()
    warning = recwarn.pop(RuntimeWarning)
    assert "max_file_size is 100 bytes: a file is full after a few events" in str(warning.message)
    assert warning.filename == __file__


def test_a_directory_that_cannot_be_made_is_an_os_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        sightline.Recorder(tmp_path / "file" / "run")
    with pytest.raises(TypeError):
        sightline.Recorder(3)


def test_a_full_file_goes_on_in_the_next_or_stops(tmp_path):
    for rule, files in (("rotate", 2), ("stop", 1)):
        with sightline.Recorder(tmp_path / rule, max_file_size=5000, on_file_full=rule) as recorder:
            for step in range(300):
                recorder.add_scalar("loss", step, 1.0)
                if step % 100 == 99:
                    recorder.flush()
            recorder.flush()
            assert (len(recorder.stats.files) >= files) and (len(recorder.stats.files) == 1) == (
                rule == "stop"
            )
            assert (recorder.stats.left_out_values > 0) == (
                rule == "stop"
            ) and recorder.stats.dropped_values == 0


def test_calls_after_close_do_nothing(tmp_path, recording):
    recorder = sightline.Recorder(tmp_path)
    recorder.add_scalar("loss", 1, 1.0)
    recorder.close()
    assert not recorder.add_scalar("loss", 2, 1.0)
    assert not recorder.add_tensor("t", 2, np.ones(3))
    recorder.flush()
    recorder.close()
    assert recording(tmp_path).scalars() == {("loss", 1): 1.0}
    assert os.path.samefile(recorder.directory, tmp_path)


def test_bad_calls_after_close_do_nothing_either(tmp_path):
    recorder = sightline.Recorder(tmp_path)
    with pytest.warns(RuntimeWarning, match="loss"):
        recorder.add_scalar("loss", 1.5, 1.0)
    with pytest.warns(RuntimeWarning, match="refused: 1"):
        recorder.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not recorder.add_scalar("loss", 2.5, 1.0)
        assert not recorder.add_scalar("loss", "2", 1.0)
        assert not recorder.add_image("image", 2, "no picture")
        recorder.close()
    assert recorder.stats.invalid_values == 1


def test_threads_record_side_by_side_through_a_small_buffer(tmp_path, recording):
    """Callers wait for room now and then."""
    array = np.ones(100_000, np.float32)
    with sightline.Recorder(tmp_path, buffer_bytes=1 << 20) as recorder:

        def work(thread: int) -> None:
            for step in range(2000):
                recorder.add_scalar(f"loss/{thread}", step, step)
                if step % 100 == 0:
                    recorder.add_tensor(f"t/{thread}", step, array)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert recorder.stats.first_error is None
    assert len(recording(tmp_path).scalars()) == 8000


def test_other_threads_run_while_an_array_is_copied(tmp_path):
    array = np.ones(4 << 20, np.float32)
    gate = queue.SimpleQueue()
    turns = 0

    def take_turns() -> None:
        nonlocal turns
        while gate.get():
            turns += 1

    other = threading.Thread(target=take_turns)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(3600)  # From here on a thread has the GIL until it lets it go.
    try:
        with sightline.Recorder(tmp_path, buffer_bytes="64MB") as recorder:
            other.start()
            for step in range(100):  # How soon the other thread wakes up is the machine's affair.
                before = turns
                gate.put(True)
                recorder.add_tensor("t", step, array)
                ran = turns != before
                if ran:
                    break
                recorder.flush()
            gate.put(False)
            other.join()
    finally:
        sys.setswitchinterval(interval)
    assert ran


# Event { summary { value { tag: "t" simple_value: 0.5 } } } of TensorBoard's schema.
EVENT = bytes.fromhex("2a0a 0a08 0a0174 150000003f")


def test_a_tensorboard_event_is_in_tensorboards_files_only(tmp_path, recording):
    with sightline.Recorder(tmp_path, formats=("mindspore", "tensorboard")) as recorder:
        assert recorder.add_tensorboard_event(3, EVENT)
    assert [event["step"] for event in recording(tmp_path).events if "summary" in event] == ["3"]
    assert recording(tmp_path).scalars() == {("t", 3): 0.5}


@pytest.mark.parametrize(
    ("event", "why"),
    [("text", "an event is bytes"), (b"\xff", "not a serialized Event"), (b"", "has no content"),
     (EVENT + b"\x10\x01", "which the recorder sets")],
)  # fmt: skip
def test_what_is_no_tensorboard_event_is_counted(tmp_path, event, why):
    with sightline.Recorder(tmp_path, formats="tensorboard") as recorder:
        assert not recorder.add_tensorboard_event(3, event)
        assert recorder.stats.invalid_values == 1
        assert why in recorder.stats.first_error


def test_a_tensorboard_event_without_a_file_for_it_is_counted(tmp_path):
    with sightline.Recorder(tmp_path) as recorder:
        assert not recorder.add_tensorboard_event(3, EVENT)
        assert "add Format::kTensorBoard to formats" in recorder.stats.first_error


def test_every_call_takes_the_time_of_its_event(tmp_path, recording):
    array = np.zeros((1, 1, 1, 1), np.uint8)
    with sightline.Recorder(tmp_path, formats="tensorboard") as recorder:
        assert recorder.add_scalar("s", 1, 1.0, wall_time=2.5)
        assert recorder.add_histogram("h", 1, array, wall_time=2.5)
        assert recorder.add_tensor("t", 1, array, wall_time=2.5)
        assert recorder.add_image("i", 1, array, wall_time=2.5)
        assert recorder.record(1, {"r": 1.0}, wall_time=2.5)
        assert recorder.add_tensorboard_event(1, EVENT, wall_time=2.5)
        assert recorder.add_scalar("now", 1, 1.0, wall_time=None)
    times = [event["wall_time"] for event in recording(tmp_path).events if "summary" in event]
    assert times[:-1] == [2.5] * 6 and times[-1] > 1e9


@pytest.mark.parametrize("wall_time", ["noon", float("inf")])
def test_a_time_that_is_none_is_counted(tmp_path, wall_time):
    with sightline.Recorder(tmp_path) as recorder:
        assert not recorder.add_scalar("s", 1, 1.0, wall_time=wall_time)
        assert recorder.stats.invalid_values == 1


def as_dict(stats: sightline.RecorderStats) -> dict[str, object]:
    return eval(repr(stats), {"RecorderStats": dict})


def test_stats_show_the_counts_that_are_not_zero(tmp_path):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_scalar("loss", 1, 0.5)
        recorder.record(2, {"loss": 0.25, "rate": 0.1})
    stats = recorder.stats
    assert as_dict(stats) == {
        "accepted_events": 2,
        "accepted_values": 3,
        "accepted_bytes": stats.accepted_bytes,
        "written_events": 2,
        "written_bytes": stats.written_bytes,
        "first_error": None,
    }
    assert repr(stats).startswith(
        "RecorderStats(accepted_events=2, accepted_values=3, accepted_bytes="
    )
    assert repr(stats).endswith(", first_error=None)")
    assert repr(recorder.stats) == repr(stats)


def test_stats_show_what_went_wrong_first(tmp_path):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_scalar("it's", 3, "a half")
        recorder.add_scalar("loss", 3, None)
    stats = recorder.stats
    assert as_dict(stats) == {
        "written_bytes": stats.written_bytes,
        "invalid_values": 2,
        "errors": 2,
        "first_error": stats.first_error,
    }
    assert """add_scalar("it's", step 3): TypeError""" in stats.first_error


def test_stats_show_that_recording_waits_for_disk_space(tmp_path):
    recorder = sightline.Recorder(tmp_path, min_free_disk_bytes="1000TB")
    assert "paused" not in as_dict(recorder.stats)
    recorder.add_scalar("loss", 1, 0.5)
    with pytest.raises(OSError, match="recording is paused"):
        recorder.flush()
    assert as_dict(recorder.stats)["paused"] is True


def test_stats_show_that_no_journal_could_be_made(tmp_path):
    with sightline.Recorder(tmp_path, journal_dir="/proc") as recorder:
        shown = as_dict(recorder.stats)
    assert shown["kill_safe"] is False
    assert "cannot create journal /proc/" in shown["first_error"]


def test_a_recorder_says_where_it_records_and_how_much(tmp_path):
    with sightline.Recorder(tmp_path / "it's") as recorder:
        recorder.add_scalar("loss", 1, 0.5)
        assert repr(recorder) == f"""Recorder("{tmp_path}/it's", accepted_values=1)"""
        recorder.add_scalar("loss", 2, "a half")
        assert repr(recorder) == f"""Recorder("{tmp_path}/it's", accepted_values=1, errors=1)"""

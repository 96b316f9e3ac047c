"""sightline.torch.SummaryWriter: PyTorch's interface, read back by the real tensorboard package. Nothing here needs
PyTorch; torch_training_test.py trains with it."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sightline.torch import SummaryWriter
from tensorboard.util.tensor_util import make_ndarray
from tensorboard_files import events, picture, plugin, read, values


def test_scalars_have_their_steps_and_zero_without_one(writer):
    writer.add_scalar("loss", 0.5)
    writer.add_scalar("loss", np.float32(0.25), 7)
    writer.add_scalar("loss", 0.125, global_step=8, double_precision=True)
    events = read(writer).Scalars("loss")
    assert [(event.step, event.value) for event in events] == [(0, 0.5), (7, 0.25), (8, 0.125)]


def test_scalars_of_one_chart_become_runs_of_their_own(writer):
    writer.add_scalars("loss/all", {"train": 1.0, "test": 2.0}, 3)
    for key, value in (("train", 1.0), ("test", 2.0)):
        (event,) = read(writer, f"loss_all_{key}").Scalars("loss/all")
        assert (event.step, event.value) == (3, value)


def test_the_runs_of_one_chart_may_be_many(writer):
    """Each has a journal, whose pages are in memory."""
    writer.add_scalars("loss", {str(i): i for i in range(8)})
    assert (
        sum(
            path.stat().st_size for path in Path(writer.log_dir).glob("loss_*/.sightline-journal-*")
        )
        <= 8 << 20
    )


BINS = {
    "a number": ({"bins": 4}, [0.75, 1.5, 2.25, 3.0], [1, 1, 1, 1]),
    "edges": ({"bins": [0, 1, 2, 4]}, [1, 2, 4], [1, 1, 2]),
    "at most": ({"bins": 4, "max_bins": 3}, [1.5, 3.0], [2, 2]),
    "one": ({"bins": "auto", "max_bins": 1}, [3.0], [4]),
}


@pytest.mark.parametrize("case", BINS)
def test_bins_and_max_bins_count(writer, case):
    arguments, limits, counts = BINS[case]
    writer.add_histogram("h", np.array([0.0, 1.0, 2.0, 3.0, np.nan, np.inf]), 1, **arguments)
    value = read(writer).Histograms("h")[0].histogram_value
    kept = [(limit, count) for limit, count in zip(value.bucket_limit, value.bucket) if count]
    assert kept == list(zip(limits, counts)) and (value.min, value.max, value.num, value.sum) == (
        0,
        3,
        4,
        6,
    )


def test_histograms_and_tensors(writer):
    writer.add_histogram("h", np.arange(10), 1)
    writer.add_tensor("t", np.arange(3, dtype=np.float32), 2)
    run = read(writer)
    assert run.Histograms("h")[0].histogram_value.num == 10
    assert run.Tensors("t")[0].step == 2


class Bfloat16:
    """As a tensor of PyTorch that NumPy has no dtype for."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def detach(self) -> "Bfloat16":
        return self

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def float(self) -> np.ndarray:
        return self.values


def test_tensors_without_a_dtype_of_numpy_are_recorded_as_float32(writer):
    values = np.linspace(0, 1, 12, dtype=np.float32)
    writer.add_image("i", Bfloat16(values.reshape(3, 2, 2)))
    writer.add_audio("a", Bfloat16(values))
    writer.add_embedding(Bfloat16(values.reshape(3, 4)))
    assert writer.recorder.stats.first_error is None
    assert picture(writer, "i")[1, 1].tolist() == (values[3::4] * 255).astype(int).tolist()


def test_a_new_style_scalar_keeps_double_precision(writer):
    writer.add_scalar("s", 0.1, 1, new_style=True, double_precision=True)
    writer.add_scalar("f", np.float32(0.1), 1, new_style=True)
    found = values(writer)
    assert plugin(found["s"]) == plugin(found["f"]) == "scalars"
    assert make_ndarray(found["s"].tensor) == 0.1 and make_ndarray(found["f"].tensor) == np.float32(
        0.1
    )


def test_from_purge_step_on_the_run_before_is_hidden(writer):
    for step in range(5):
        writer.add_scalar("loss", step, step)
    writer.close()
    with SummaryWriter(writer.log_dir, purge_step=3) as resumed:
        resumed.add_scalar("loss", 30.0, 3)
    assert [(event.step, event.value) for event in read(writer).Scalars("loss")] == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 30),
    ]


@pytest.mark.parametrize(("purge_step", "left"), [(-1, []), (np.int64(1), [0]), (1.0, [0])])
def test_a_purge_step_is_made_a_whole_number_and_below_0_hides_all(writer, purge_step, left):
    for step in range(2):
        writer.add_scalar("loss", step, step)
    writer.close()
    with SummaryWriter(writer.log_dir, purge_step=purge_step) as resumed:
        resumed.add_scalar("loss", 5.0, 5)
    assert [event.step for event in read(writer).Scalars("loss")] == [*left, 5]


@pytest.mark.parametrize("flush_secs", [0, -1, float("inf"), np.float32(3)], ids=str)
def test_any_number_of_flush_secs_will_do(tmp_path, flush_secs):
    with SummaryWriter(tmp_path, flush_secs=flush_secs) as writer:
        writer.add_scalar("loss", 1.0, 1)
    assert list(values(writer)) == ["loss"]


@pytest.mark.parametrize(
    "wrong", [{"flush_secs": "soon"}, {"flush_secs": float("nan")}, {"purge_step": "x"}], ids=str
)
def test_a_wrong_option_is_named_as_it_was_given(tmp_path, wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=f"{name} is {value!r}, but must be a number"):
        SummaryWriter(tmp_path / "run", **wrong)
    assert not (tmp_path / "run").exists()


def test_an_object_store_is_no_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError, match="log_dir is s3://bucket/run, but must be a path of this machine"
    ):
        SummaryWriter("s3://bucket/run")
    assert not list(tmp_path.iterdir())


def test_a_value_that_is_not_recorded_is_warned_of_at_the_users_line(tmp_path, recwarn):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", "three", 1)
    assert recwarn.pop(RuntimeWarning).filename == __file__


def test_of_an_option_without_effect_it_warns_at_the_users_line(tmp_path, recwarn):
    SummaryWriter(tmp_path, filename_suffix=".a").close()
    warning = recwarn.pop(RuntimeWarning)
    assert (
        str(warning.message)
        == "sightline: filename_suffix='.a' has no effect: files have names of their own without it"
    )
    assert warning.filename == __file__
    SummaryWriter(tmp_path, max_queue=1, flush_secs=3).close()
    assert not recwarn


@pytest.mark.filterwarnings("error")
def test_where_warnings_are_errors_a_training_goes_on(tmp_path, capsys):
    SummaryWriter(tmp_path, filename_suffix=".a").close()
    assert "has no effect" in capsys.readouterr().err


def test_walltime_is_the_time_of_the_event(writer):
    nothing = np.zeros((3, 1, 1), np.uint8)
    writer.add_scalar("s", 1.0, 1, walltime=1.25)
    writer.add_scalars("m", {"a": 1.0}, 1, walltime=1.25)
    writer.add_tensor("t", nothing, 1, walltime=1.25)
    writer.add_histogram("h", nothing, 1, walltime=1.25)
    writer.add_image("i", nothing, 1, walltime=1.25)
    writer.add_text("x", "text", 1, walltime=1.25)
    times = {
        value.tag: event.wall_time for event in events(writer) for value in event.summary.value
    }
    assert times == {"s": 1.25, "t": 1.25, "h": 1.25, "i": 1.25, "x/text_summary": 1.25}
    assert [event.wall_time for event in events(writer, "m_a")][1:] == [1.25]


BAD = [
    ("add_text", ("t", 5)),
    ("add_audio", ("t", np.ones((2, 3)))),
    ("add_video", ("t", np.ones((2, 3)))),
    ("add_mesh", ("t", np.ones(3))),
    ("add_pr_curve", ("t", [1], [1.5])),
    ("add_pr_curve", ("t", [1, 0], [0.5])),
    ("add_pr_curve_raw", ("t", [1], [1], [1], [1], [1], [1, 2])),
    ("add_histogram_raw", ("t", 0, 1, 1, 1, 1, [1, 2], [1])),
    ("add_custom_scalars", ({"c": {"t": ["Margin", ["a"]]}},)),
    ("add_custom_scalars", (3,)),
]


@pytest.mark.parametrize(("method", "arguments"), BAD)
def test_what_makes_no_sense_is_counted_and_raises_nothing(writer, method, arguments):
    getattr(writer, method)(*arguments)
    assert writer.recorder.stats.invalid_values == 1
    assert writer.recorder.stats.first_error.startswith(method + "(")
    assert values(writer) == {}


@pytest.mark.parametrize("missing", ["PIL", "onnx", "matplotlib"])
def test_a_missing_package_is_named(writer, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    calls = {
        "PIL": lambda: writer.add_video("v", np.zeros((1, 1, 3, 2, 2))),
        "onnx": lambda: writer.add_onnx_graph("x"),
        "matplotlib": lambda: writer.add_figure("f", None),
    }
    with pytest.raises(ImportError, match=missing):
        calls[missing]()


def test_a_bad_value_is_counted_and_raises_nothing(writer):
    writer.add_scalar("loss", "low", 1)
    assert "add_scalar('loss', step 1)" in writer.recorder.stats.first_error


def test_a_gradient_that_is_none_is_named(writer):
    writer.add_histogram("gradient", None, 1)
    assert (
        "add_histogram('gradient', step 1): NoneType cannot be recorded"
        in writer.recorder.stats.first_error
    )


def test_the_first_value_of_each_tag_that_is_not_recorded_is_said(writer, recwarn):
    writer.add_scalar("loss", 1.0, 1)
    assert not recwarn.list
    for step in range(3):
        writer.add_scalar("loss", "low", step)
        writer.add_text("note", 5, step)
    start, end = (
        f"sightline: {writer.log_dir}: not recorded: ",
        "; more of this kind is only counted",
    )
    assert [str(warning.message) for warning in recwarn.list] == [
        f"{start}add_scalar('loss', step 0): TypeError: must be real number, not str{end}",
        f"{start}add_text('note', step 0): TypeError: a text is a str, not int{end}",
    ]


SAID = {
    "text": (lambda writer: writer.add_text("note", 5), "add_text('note', step 0): TypeError: a text is a str, not int"),
    "scalars": (lambda writer: writer.add_scalars("losses", {"a": [1]}, 2), "losses_a: not recorded: add_scalar('losses', step 2)"),
    "hparams": (lambda writer: writer.add_hparams({"a": "x"}, {}, {"a": [1]}, run_name="row"), "row: not recorded: add_hparams('"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAID)
def test_what_is_not_recorded_of_any_run_is_said(writer, what):
    call, said = SAID[what]
    with pytest.warns(RuntimeWarning, match=re.escape(said)):
        call(writer)


def test_a_child_process_after_fork_says_nothing(run_script, tmp_path):
    done = run_script(f"""
    import os
    from sightline.torch import SummaryWriter
    writer = SummaryWriter({str(tmp_path)!r})
    if os.fork() == 0:
        writer.add_scalar("loss", 1.0, 1)
        os._exit(0)
    os.wait()
    """)
    assert done.stderr == ""


def test_stats_are_there_after_close_and_no_file_is_opened_for_them(writer):
    writer.add_scalar("loss", "low", 1)
    writer.close()
    files = sorted(Path(writer.log_dir).iterdir())
    assert writer.recorder.stats.invalid_values == 1
    assert sorted(Path(writer.log_dir).iterdir()) == files
    writer.add_scalar("loss", 1.0, 1)
    assert writer.recorder.stats.invalid_values == 0


@pytest.mark.parametrize("step", [2.9, np.float64(2.9), "2", np.array(2), np.int32(2)], ids=repr)
def test_a_step_is_made_a_whole_number(writer, step):
    writer.add_scalar("scalar", 1.0, step)
    writer.add_scalars("scalars", {"a": 1.0}, step)
    writer.add_histogram("histogram", np.ones(2), step)
    writer.add_image("image", np.zeros((3, 2, 2)), step)
    writer.add_tensor("tensor", np.ones(2), step)
    writer.add_text("text", "x", step)
    of_runs = [event for run in ("", "scalars_a") for event in events(writer, run)]
    assert [event.step for event in of_runs if event.summary.value] == [2] * 6


@pytest.mark.parametrize("step", [float("nan"), "x", 1 << 63, [1]], ids=repr)
def test_a_step_that_is_none_is_counted(writer, step):
    writer.add_scalar("scalar", 1.0, step)
    writer.add_text("text", "x", step)
    assert writer.recorder.stats.invalid_values == 2
    assert values(writer) == {}


def test_after_close_the_next_call_opens_new_files(writer):
    writer.add_scalar("loss", 1.0, 1)
    writer.close()
    writer.add_scalar("loss", 2.0, 2)
    assert [event.step for event in read(writer).Scalars("loss")] == [1, 2]


def test_close_closes_every_run_if_one_fails_and_does_nothing_again(writer):
    class OnAFullDisk:
        def close(self):
            raise OSError("no space left")

    writer.add_scalar("loss", 1.0, 1)
    writer._recorders = {"full": OnAFullDisk(), **writer._recorders}
    with pytest.raises(OSError, match="no space left"):
        writer.close()
    assert [event.step for event in read(writer).Scalars("loss")] == [1]
    writer.close()


def test_without_a_directory_it_is_below_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_first") as writer:
        assert writer.get_logdir() == writer.log_dir
    (made,) = (tmp_path / "runs").iterdir()
    assert made.name.endswith("_first") and made == tmp_path / writer.log_dir

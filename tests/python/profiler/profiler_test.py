"""sightline.profiler: what of a Python program is in the file, as `sightline profile export` reads it."""

import json
import multiprocessing
import os
import queue
import shutil
import subprocess
import sysconfig
import threading
from pathlib import Path

import pytest
from sightline import profiler
from sightline.profiler import profile, profile_dataset, span, step


def read_file(path):
    """The events of a trace, in Chrome's format."""
    program = shutil.which("sightline", path=sysconfig.get_path("scripts"))
    assert program, "the wheel's program sightline is not installed beside this Python"
    exported = Path(path).with_suffix(".json")
    subprocess.run([program, "profile", "export", path, "-o", exported], check=True)
    return json.loads(exported.read_text())


def read(recording):
    assert recording.stats.dropped == 0
    return read_file(recording.path)


def spans(events):
    """(name, name of the span around it) of the spans of the threads, in the order of their begins."""
    stacks, found = {}, []
    for event in events:
        if event["ph"] != "X" or event.get("cat") in ("step", "operator"):
            continue
        stack = stacks.setdefault(event["tid"], [])
        while stack and stack[-1][1] <= event["ts"]:
            stack.pop()
        found.append((event["name"], stack[-1][0] if stack else None))
        stack.append((event["name"], event["ts"] + event["dur"]))
    return found


@pytest.fixture
def recording(tmp_path):
    return profile(tmp_path / "profile", sample_interval=0)


def test_spans_nest_and_have_categories(recording):
    with recording:
        with span("training"):
            with span("forward"):
                pass
            with span("wait", category="data"):
                pass
    events = read(recording)
    assert spans(events) == [("training", None), ("forward", "training"), ("wait", "training")]
    assert {event["name"]: event.get("cat") for event in events if event["ph"] == "X"} == {
        "training": None,
        "forward": None,
        "wait": "data",
    }
    assert recording.stats.events == 6


def test_a_span_ends_where_its_block_raises(recording):
    with pytest.raises(KeyError):
        with recording, span("outer"):
            raise KeyError
    assert spans(read(recording)) == [("outer", None)]


def test_a_span_object_may_be_entered_again(recording):
    kept = span("kept")
    with recording:
        for _ in range(3):
            with kept:
                pass
    assert spans(read(recording)) == [("kept", None)] * 3


def test_names_made_at_run_time_are_told_apart(recording):
    with recording:
        for i in range(20_000):
            with span(f"number {i % 3}" + "!"):
                pass
    names = [name for name, _ in spans(read(recording))]
    assert names == [f"number {i % 3}!" for i in range(20_000)]


def test_nothing_is_recorded_before_and_after(recording):
    with span("before"):
        recording.start()
    recording.stop()
    with span("after"):
        profiler.counter("loss", 1.0)
    assert spans(read(recording)) == []
    assert not profiler.recording()


def test_steps_are_numbered(recording):
    with recording:
        with step(7):
            pass
        with step():
            pass
        profiler.begin_step(20)
        profiler.end_step()
    steps = [
        event["args"]["step"] for event in read(recording) if event["name"].startswith("step ")
    ]
    assert steps == [7, 8, 20]


def test_counters_instants_operators_and_thread_names(recording):
    with recording:
        profiler.counter("loss", 0.5)
        profiler.counter("loss", value=2)
        profiler.instant("saved")
        profiler.operator("Conv2D", "net/conv", 1_000, 3_000, shapes="(1, 2)", flops=4.0)
        thread = threading.Thread(
            target=lambda: (profiler.name_thread("loader"), profiler.instant("there"))
        )
        thread.start()
        thread.join()
    events = read(recording)
    assert [event["args"]["value"] for event in events if event["ph"] == "C"] == [0.5, 2.0]
    (operator,) = [event for event in events if event["name"] == "net/conv"]
    assert (operator["ts"], operator["dur"]) == (1.0, 2.0)
    assert operator["args"] == {"type": "Conv2D", "shapes": "(1, 2)", "flops": 4.0}
    (there,) = [event for event in events if event["name"] == "there"]
    names = {
        event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"
    }
    assert names[there["tid"]] == "loader"


def test_a_decorated_function_gives_a_file_a_call(tmp_path):
    @profile(tmp_path, sample_interval=0)
    def train(value):
        """Trains."""
        with span("train"):
            return value

    assert [train(1), train(value=2)] == [1, 2]
    assert train.__doc__ == "Trains."
    files = sorted(tmp_path.iterdir())
    assert [spans(read_file(file)) for file in files] == [[("train", None)]] * 2


def test_the_default_file_is_perfettos(tmp_path):
    with profile(tmp_path / "new" / "folder") as recording:
        pass
    assert recording.path.startswith(str(tmp_path / "new" / "folder" / "profile_"))
    assert recording.path.endswith(".perfetto-trace")
    assert recording.stats.bytes == Path(recording.path).stat().st_size > 0


def test_waiting_for_a_dataset_is_recorded_and_its_elements_are_passed_on(recording):
    waiting = queue.Queue()
    waiting.put("x")
    dataset = profile_dataset([1, 2, 3], "digits", queue=waiting, capacity=4)
    with recording:
        assert list(dataset) == [1, 2, 3]
        assert list(dataset) == [1, 2, 3]
    assert len(dataset) == 3
    events = read(recording)
    assert spans(events) == [("digits: next", None)] * 8  # The last of each finds the end.
    assert [event["args"]["value"] for event in events if event["name"] == "digits: depth"] == [
        1.0
    ] * 8
    (told,) = [event for event in events if event["name"] == "digits"]
    assert told["args"]["capacity"] == 4


def test_a_dataset_may_raise(recording):
    def failing():
        yield 1
        raise OSError("gone")

    with recording, pytest.raises(OSError, match="gone"):
        list(profile_dataset(failing()))
    assert len(spans(read(recording))) == 2


def test_wrong_arguments_are_named(tmp_path):
    with pytest.raises(TypeError, match="a name must be a str, not int"):
        span(1)
    with pytest.raises(TypeError, match="span"):
        span()
    with pytest.raises(ValueError, match="category is 'x'"):
        span("a", category="x")
    with pytest.raises(UnicodeEncodeError):
        span("\ud800")
    with pytest.raises(ValueError, match="sample_interval"):
        profile(tmp_path, sample_interval=float("nan")).start()
    with pytest.raises(RuntimeError, match="not started"):
        profile(tmp_path).stop()


def test_stopping_again_does_nothing(recording):
    recording.start()
    assert recording.stop() == recording.stop()


def test_there_is_one_profile_at_a_time(recording, tmp_path):
    with recording:
        with pytest.raises(RuntimeError, match="running"):
            profile(tmp_path / "other").start()
    with profile(tmp_path / "other"):
        pass


def child_records(pipe):
    with span("child"):
        pipe.send(profiler.recording())


def test_a_forked_child_records_nothing(recording):
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    with recording:
        child = context.Process(target=child_records, args=(theirs,))
        child.start()
        assert ours.recv() is False
        child.join()
    assert child.exitcode == 0
    assert spans(read(recording)) == []


def test_a_profile_is_whole_where_the_interpreter_ends_within_it(run_script, tmp_path):
    run_script(
        f"""
from sightline.profiler import profile, span
profile({str(tmp_path)!r}, sample_interval=0).start()
with span("last"):
    pass
"""
    )
    (file,) = tmp_path.glob("*.perfetto-trace")
    assert spans(read_file(file)) == [("last", None)]


class FakeTorchProfiler:
    def export_chrome_trace(self, path):
        assert not [
            name for name in os.listdir(os.path.dirname(path)) if name.endswith(".pt.trace.json")
        ]
        Path(path).write_text("{}")


def test_pytorchs_trace_gets_the_name_that_readers_look_for(tmp_path):
    profiler.on_trace_ready(tmp_path / "traces", worker_name="w0")(FakeTorchProfiler())
    (file,) = (tmp_path / "traces").iterdir()
    worker, millis, *rest = file.name.split(".")
    assert (worker, rest) == ("w0", ["pt", "trace", "json"])
    assert int(millis) > 1_600_000_000_000

"""sightline.capture: tensorboardX records through Sightline, and nobody else can tell. tests/python/pytorch has the same of
PyTorch's writer."""

import signal
from pathlib import Path
from typing import Any

import pytest
from docs_test import scripts
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event

# Calls each method that records, with a time of its own, and gives what differs between two writers of the same calls.
EVERY_METHOD = """
import sys
import numpy as np
{capture}
from tensorboardX import SummaryWriter
numbers = np.random.default_rng(0)
with SummaryWriter(sys.argv[1]) as writer:
    writer.add_scalar("scalar", 0.1, 1, walltime=1.5)
    writer.add_scalar("scalar", np.float64("nan"), -2, walltime=2.5)
    writer.add_scalar("described", 1.0, 3, 3.5, "Name", "What it is")
    writer.add_histogram("histogram", numbers.normal(size=100), 4, walltime=4.5)
    writer.add_histogram_raw("raw", 0, 3, 4, 6, 14, [1, 2, 4], [1, 1, 2], 5, 5.5)
    writer.add_image("image", numbers.integers(0, 255, (3, 8, 8), np.uint8), 6, 6.5)
    writer.add_images("images", numbers.random((2, 3, 8, 8)), 7, 7.5)
    boxes = np.array([[1, 1, 5, 5]])
    writer.add_image_with_boxes("boxes", np.zeros((3, 8, 8)), boxes, 8, 8.5)
    writer.add_text("text", "words", 9, walltime=9.5)
    writer.add_pr_curve("curve", np.array([0, 1, 1]), np.array([0.1, 0.4, 0.8]), 10, walltime=10.5)
    counts = [3, 1], [2, 0], [1, 3], [0, 2]
    writer.add_pr_curve_raw("raw curve", *counts, [0.6, 1.0], [1.0, 0.3], 11, 2, walltime=11.5)
    writer.add_mesh("mesh", np.zeros((1, 3, 3)), np.zeros((1, 3, 3)), np.zeros((1, 1, 3)), None, 12, 12.5)
    writer.add_custom_scalars({{"a": {{"b": ["Multiline", ["scalar"]]}}}})
    from tensorboardX.proto.event_pb2 import Event, LogMessage
    writer.file_writer.add_event(Event(log_message=LogMessage(message="log")), 13, 13.5)
"""

CAPTURE = "import sightline\nsightline.capture()"


def events(directory: Path) -> list[Any]:
    """What TensorBoard's own reader finds in the files of a directory, without the first record of each."""
    return [
        Event.FromString(record)
        for file in sorted(directory.glob("*tfevents*"))
        for record in list(RawEventFileLoader(str(file)).Load())[1:]
    ]


def scalars(directory: Path, tag: str) -> list[tuple[int, float]]:
    run = EventAccumulator(str(directory), size_guidance={"scalars": 0}).Reload()
    return [(event.step, event.value) for event in run.Scalars(tag)]


def test_every_method_gives_the_events_of_the_original(run_script, tmp_path):
    """All but the layout of charts have the times that the script gives."""
    for name, capture in (("theirs", ""), ("ours", CAPTURE)):
        run_script(EVERY_METHOD.format(capture=capture), tmp_path / name)
    theirs, ours = events(tmp_path / "theirs"), events(tmp_path / "ours")
    for event in theirs + ours:
        for value in event.summary.value:
            if not value.metadata.ByteSize():
                value.ClearField("metadata")  # An empty one, which a scalar's record leaves out.
            if value.tag == "custom_scalars__config__":
                event.ClearField("wall_time")
    assert len(ours) == 14 and [str(event) for event in ours] == [str(event) for event in theirs]


def test_hyper_parameters_have_a_run_of_their_own(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
with SummaryWriter(sys.argv[1]) as writer:
    writer.add_scalar("loss", 1.0, 1)
    writer.add_hparams({"lr": 0.1}, {"accuracy": 0.5}, name="first", global_step=7)
"""
    )
    run_script(script, tmp_path / "run")
    assert scalars(tmp_path / "run", "loss") == [(1, 1.0)]
    assert scalars(tmp_path / "run" / "first", "accuracy") == [(7, 0.5)]
    tags = [
        value.tag for event in events(tmp_path / "run" / "first") for value in event.summary.value
    ]
    assert tags[:3] == [
        "_hparams_/experiment",
        "_hparams_/session_start_info",
        "_hparams_/session_end_info",
    ]


SIGKILL = """
import os, signal, sys
{before}
from tensorboardX import SummaryWriter
{after}
writer = SummaryWriter(sys.argv[1])
for step in range(1700):
    writer.add_scalar("loss", step, step)
    writer.add_scalars("load", {{"ep_0": step, "ep_1": -step}}, step)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("where", ["before", "after"])
def test_sigkill_loses_none_of_5100_scalars(run_script, recording, tmp_path, where):
    """Captured before or after the writers are imported."""
    script = SIGKILL.format(**{"before": "", "after": "", where: CAPTURE})
    assert run_script(script, tmp_path / "run", check=False).returncode == -signal.SIGKILL
    kept = recording(tmp_path / "run").scalars()
    assert len(kept) == 5100
    assert kept["loss", 1699] == 1699 and kept["load/ep_1", 1699] == -1699


def test_curves_of_one_chart_are_tags_of_their_writer(run_script, tmp_path):
    """No folders, no files and no threads of their own; a main tag is cleaned as theirs is."""
    script = (
        CAPTURE
        + """
import sys, threading
from tensorboardX import SummaryWriter
with SummaryWriter(sys.argv[1]) as writer:
    writer.add_scalar("x", 0, 0)
    threads = threading.active_count()
    for step in range(3):
        writer.add_scalars("moe/load expert/0", {"ep_0": step, "ep_1": 2 * step}, step, walltime=step)
    assert threading.active_count() == threads
    writer.export_scalars_to_json(sys.argv[1] + "/all.json")
"""
    )
    run_script(script, tmp_path / "run")
    assert not [path for path in (tmp_path / "run").iterdir() if path.is_dir()]
    assert len(list((tmp_path / "run").glob("*tfevents*"))) == 1
    assert scalars(tmp_path / "run", "moe/load_expert/0/ep_1") == [(0, 0), (1, 2), (2, 4)]
    assert (
        '"' + str(tmp_path / "run/moe/load expert/0/ep_1") + '"'
        in (tmp_path / "run/all.json").read_text()
    )


def test_classes_stay_theirs(run_script, tmp_path):
    script = """
import sys
import sightline, tensorboardX, tensorboardX.writer
from tensorboardX import SummaryWriter
from tensorboardX.event_file_writer import EventFileWriter
theirs = SummaryWriter, tensorboardX.FileWriter, SummaryWriter.add_scalar, SummaryWriter.add_scalars
sightline.capture()
sightline.capture()  # Once is enough.
assert theirs == (SummaryWriter, tensorboardX.FileWriter, SummaryWriter.add_scalar, SummaryWriter.add_scalars)

class Mine(SummaryWriter):
    def add_scalar(self, tag, value, step):
        super().add_scalar("mine/" + tag, value, step)

with Mine(sys.argv[1]) as writer:
    assert isinstance(writer, SummaryWriter) and isinstance(writer.file_writer, tensorboardX.FileWriter)
    assert isinstance(writer.file_writer.event_writer, EventFileWriter)
    assert writer.file_writer.get_logdir() == sys.argv[1]
    writer.add_scalar("loss", 1.0, 1)
    writer.flush()
"""
    run_script(script, tmp_path / "run")
    assert scalars(tmp_path / "run", "mine/loss") == [(1, 1.0)]


def test_a_writer_that_was_made_before_stays_theirs_and_its_curves_too(run_script, tmp_path):
    script = """
import sys
import sightline
from tensorboardX import SummaryWriter
writer = SummaryWriter(sys.argv[1])
sightline.capture()
writer.add_scalars("load", {"a": 1.0}, 1)
assert type(writer.all_writers[sys.argv[1] + "/load/a"].event_writer).__module__ == "tensorboardX.event_file_writer"
writer.close()
"""
    assert run_script(script, tmp_path / "run").stderr == ""
    assert scalars(tmp_path / "run" / "load" / "a", "load") == [(1, 1.0)]


def test_what_is_not_on_a_disk_stays_theirs(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = (
        CAPTURE
        + """
import tempfile
from tensorboardX import SummaryWriter
from tensorboardX.record_writer import register_writer_factory

class Store:
    directory_check = staticmethod(lambda path: None)
    opened = []
    def open(self, path):
        self.opened.append(path[:14])
        return tempfile.TemporaryFile()

for url in ("s3://bucket/run", "gs://bucket/run", "store:bucket/run"):
    register_writer_factory(url.partition(":")[0], Store())
    with SummaryWriter(url) as writer:
        writer.add_scalar("loss", 1.0, 1)
assert Store.opened == ["s3://bucket/ru", "gs://bucket/ru", "store:bucket/r"], Store.opened
with SummaryWriter("run", write_to_disk=False) as writer:
    writer.add_scalar("loss", 1.0, 1)
    writer.add_scalars("load", {"a": 1.0}, 1)
"""
    )
    assert run_script(script).stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


def test_what_cannot_be_opened_is_recorded_by_the_original_and_says_so_once(run_script, tmp_path):
    """A flush interval that our recorder refuses is as good a reason as any."""
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
with SummaryWriter(sys.argv[1], flush_secs=-1) as writer:
    writer.add_scalar("loss", 1.0, 1)
"""
    )
    (line, _) = run_script(script, tmp_path / "run").stderr.splitlines()
    assert "is recorded without Sightline" in line and "flush_interval" in line
    assert scalars(tmp_path / "run", "loss") == [(1, 1.0)]


def test_after_flush_secs_a_value_is_in_the_file(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import glob, sys, time
from tensorboardX import SummaryWriter
writer = SummaryWriter(sys.argv[1], flush_secs=0.1)
writer.add_scalar("loss", 1.0, 1)
while not any(b"loss" in open(file, "rb").read() for file in glob.glob(sys.argv[1] + "/*tfevents*")):
    pass
"""
    )
    run_script(script, tmp_path / "run")


def test_a_suffix_of_names_has_no_effect_and_says_so(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
SummaryWriter(sys.argv[1], filename_suffix=".mine").close()
"""
    )
    stderr = run_script(script, tmp_path / "run").stderr
    assert "RuntimeWarning" in stderr and "filename_suffix='.mine' has no effect" in stderr
    assert not list((tmp_path / "run").glob("*.mine"))


def test_purged_steps_are_superseded_for_every_reader(run_script, recording, tmp_path):
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
for purge_step in (None, 2):
    with SummaryWriter(sys.argv[1], purge_step=purge_step) as writer:
        for step in range(purge_step or 0, 4):
            writer.add_scalar("loss", step + 10 * (purge_step or 0), step)
"""
    )
    run_script(script, tmp_path / "run")
    assert scalars(tmp_path / "run", "loss") == [(0, 0), (1, 1), (2, 22), (3, 23)]
    assert [tag["superseded"] for tag in recording(tmp_path / "run").info()["tags"]] == [2]


def test_writers_of_one_directory_share_its_file(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
train, test = SummaryWriter(sys.argv[1]), SummaryWriter(sys.argv[1] + "/../run")
train.add_scalar("train", 1.0, 1)
test.add_scalar("test", 2.0, 1)
train.close()
test.add_scalar("test", 3.0, 2)
test.close()
"""
    )
    assert run_script(script, tmp_path / "run").stderr == ""
    assert scalars(tmp_path / "run", "train") == [(1, 1.0)]
    assert scalars(tmp_path / "run", "test") == [(1, 2.0), (2, 3.0)]


FORKING = (
    CAPTURE
    + """
import multiprocessing, os, signal, sys
import numpy as np
from tensorboardX import SummaryWriter
forking = multiprocessing.get_context("fork")
writer = SummaryWriter(sys.argv[1])
def join(*workers):
    for worker in workers: worker.start()
    for worker in workers: worker.join()
"""
)


def test_what_forked_children_add_is_recorded(run_script, recording, tmp_path):
    """Any number of them, values of any size, children of children, and one that is killed among them."""
    script = (
        FORKING
        + """
def work(number):
    for step in range(200):
        writer.add_scalar(f"worker/{number}", step, step)
    writer.add_image(f"image/{number}", np.random.randint(0, 255, (3, 300, 400), np.uint8), number)
    writer.add_scalars("load", {str(number): number}, number)
    if number == 1:
        join(forking.Process(target=work, args=(4,)))
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    writer.close()
join(*[forking.Process(target=work, args=(number,)) for number in range(4)])
writer.add_scalar("parent", 1.0, 1)
writer.close()
"""
    )
    # From 3.12 on Python warns at every fork of a process with threads.
    done = run_script(script, tmp_path / "run", PYTHONWARNINGS="ignore::DeprecationWarning")
    assert done.stderr == ""
    kept = recording(tmp_path / "run").scalars()
    assert kept.keys() == {
        *((f"worker/{number}", step) for number in range(5) for step in range(200)),
        *((f"load/{number}", number) for number in range(5)),
        ("parent", 1),
    }
    assert len(EventAccumulator(str(tmp_path / "run")).Reload().Tags()["images"]) == 5


def test_what_forked_children_add_after_the_writer_was_closed_is_counted(run_script, tmp_path):
    script = (
        FORKING
        + """
def work():
    for step in range(3):
        writer.add_scalar("loss", step, step)
worker = forking.Process(target=work)
go = forking.Event()
def late():
    go.wait()
    work()
worker = forking.Process(target=late)
worker.start()
writer.close()
go.set()
worker.join()
"""
    )
    done = run_script(script, tmp_path / "run", PYTHONWARNINGS="ignore::DeprecationWarning")
    assert "3 events that forked processes added after its writer was closed" in done.stderr


def test_flush_and_close_take_what_forked_children_added_before(run_script, tmp_path):
    """Even if the thread that receives it never comes to it."""
    script = (
        FORKING
        + """
import glob
import sightline._forked
sightline._forked.Messages.serve = lambda self: None
def add(tag):
    join(forking.Process(target=writer.add_scalar, args=(tag, 1.0, 1)))
def is_in_a_file(tag):
    return any(tag in open(file, "rb").read() for file in glob.glob(sys.argv[1] + "/*tfevents*"))
add("flushed")
assert not is_in_a_file(b"flushed")
writer.flush()
assert is_in_a_file(b"flushed")
add("closed")
writer.file_writer.close()  # Which does not flush before.
assert is_in_a_file(b"closed")
"""
    )
    run_script(script, tmp_path / "run", PYTHONWARNINGS="ignore::DeprecationWarning")


def test_a_child_that_outlives_its_parent_says_that_nobody_records_it(run_script, tmp_path):
    script = (
        FORKING
        + """
there, here = os.pipe()
if os.fork() == 0:
    os.close(here)
    os.read(there, 1)  # Until the parent has ended.
    for step in range(3):
        writer.add_scalar("loss", step, step)
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    done = run_script(
        script, tmp_path / "run", check=False, PYTHONWARNINGS="ignore::DeprecationWarning"
    )
    assert done.stderr.count("the process that records it has ended") == 1


def test_a_child_may_have_writers_of_its_own(run_script, tmp_path):
    script = (
        FORKING
        + """
def work():
    with SummaryWriter(sys.argv[1] + "/child") as own:
        own.add_scalar("loss", 1.0, 1)
join(forking.Process(target=work))
writer.close()
"""
    )
    run_script(script, tmp_path / "run", PYTHONWARNINGS="ignore::DeprecationWarning")
    assert scalars(tmp_path / "run" / "child", "loss") == [(1, 1.0)]


def test_a_closed_writer_is_made_anew_by_its_next_value(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import FileWriter, SummaryWriter
from tensorboardX.proto.event_pb2 import Event
from tensorboardX.summary import scalar
writer = SummaryWriter(sys.argv[1])
writer.add_scalar("loss", 1.0, 1)
writer.close()
writer.close()
writer.add_scalar("loss", 2.0, 2)
writer.close()
files = FileWriter(sys.argv[1])
files.close()
files.add_summary(scalar("loss", 9.0), 9)  # Lost, as theirs.
files.reopen()
files.add_summary(scalar("loss", 3.0), 3)
files.close()
"""
    )
    run_script(script, tmp_path / "run")
    assert scalars(tmp_path / "run", "loss") == [(1, 1.0), (2, 2.0), (3, 3.0)]


def test_whoever_watches_their_class_still_sees_every_event(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
from tensorboardX.event_file_writer import EventFileWriter
seen, original = [], EventFileWriter.add_event
writer = SummaryWriter(sys.argv[1])
def watch(self, event):
    seen.append(event.step)
    original(self, event)
EventFileWriter.add_event = watch
writer.add_scalar("loss", 1.0, 7)
writer.close()
assert seen == [7]
"""
    )
    run_script(script, tmp_path / "run")
    assert scalars(tmp_path / "run", "loss") == [(7, 1.0)]


def test_it_imports_no_writer_and_can_be_switched_off(run_script, tmp_path):
    script = (
        CAPTURE
        + """
import sys
assert not {"torch", "tensorboard", "tensorboardX", "numpy"} & set(sys.modules), sorted(sys.modules)
from tensorboardX import SummaryWriter
with SummaryWriter(sys.argv[1]) as writer:
    print(type(writer.file_writer.event_writer).__module__)
"""
    )
    assert run_script(script, tmp_path / "a").stdout == "sightline._capture\n"
    off = run_script(script, tmp_path / "b", SIGHTLINE_DISABLE="1")
    assert off.stdout == "tensorboardX.event_file_writer\n"


def test_the_script_of_the_page_records(run_script, recording, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (script,) = scripts("run with tensorboardX")
    assert run_script(script).stderr == ""
    kept = recording(tmp_path / "run_captured").scalars()
    assert len(kept) == 300 and kept["load/expert_1", 99] == 198

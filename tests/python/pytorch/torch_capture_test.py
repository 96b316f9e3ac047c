"""sightline.capture: PyTorch's own SummaryWriter records through Sightline. recording/capture_test.py has what it shares
with tensorboardX's."""

import signal
from pathlib import Path

import tensorboard
from capture_test import CAPTURE, events, scalars

# The real tensorboard package, which PyTorch's writer needs, is this Python's.
HEAD = f"""
import sys
sys.path.append({str(Path(tensorboard.__file__).parents[1])!r})
import os
import numpy as np
import torch
"""

WRITER = "\nfrom torch.utils.tensorboard import SummaryWriter\n"

EVERY_METHOD = """
torch.manual_seed(0)
with SummaryWriter(sys.argv[1]) as writer:
    writer.add_scalar("scalar", torch.tensor(0.1), 1, walltime=1.5)
    writer.add_scalar("new", 0.1, 2, 2.5, new_style=True, double_precision=True)
    if not torch.__version__.startswith("1."):  # Debian's cannot, with its NumPy.
        writer.add_histogram("histogram", torch.randn(100), 4, walltime=4.5)
    writer.add_histogram_raw("raw", 0, 3, 4, 6, 14, [1, 2, 4], [1, 1, 2], 5, 5.5)
    writer.add_image("image", torch.randint(0, 255, (3, 8, 8), dtype=torch.uint8), 6, 6.5)
    writer.add_images("images", torch.rand(2, 3, 8, 8), 7, 7.5)
    writer.add_image_with_boxes("boxes", torch.zeros(3, 8, 8), torch.tensor([[1, 1, 5, 5]]), 8, 8.5)
    writer.add_text("text", "words", 9, walltime=9.5)
    writer.add_audio("sound", torch.rand(1, 100) * 2 - 1, 10, 8000, walltime=10.5)
    writer.add_pr_curve("curve", torch.tensor([0, 1, 1]), torch.tensor([0.1, 0.4, 0.8]), 11, walltime=11.5)
    writer.add_mesh("mesh", torch.zeros(1, 3, 3), global_step=12, walltime=12.5)
    writer.add_graph(torch.nn.Linear(4, 1), torch.zeros(1, 4))
    writer.add_custom_scalars({"a": {"b": ["Multiline", ["scalar"]]}})
"""


def comparable(event) -> str:
    """Without the times of the calls that take none, and without measured ones."""
    layout = any(value.tag == "custom_scalars__config__" for value in event.summary.value)
    if layout or event.WhichOneof("what") in ("graph_def", "tagged_run_metadata"):
        event.ClearField("wall_time")
    event.tagged_run_metadata.ClearField("run_metadata")
    return str(event)


def test_every_method_gives_the_events_of_the_original(run_script, torch_python, tmp_path):
    for name, capture in (("theirs", ""), ("ours", CAPTURE)):
        run_script(HEAD + capture + WRITER + EVERY_METHOD, tmp_path / name, python=torch_python)
    theirs, ours = map(events, (tmp_path / "theirs", tmp_path / "ours"))
    assert len(ours) >= 13 and [*map(comparable, ours)] == [*map(comparable, theirs)]


SIGKILL = """
import signal
writer = SummaryWriter(sys.argv[1])
for step in range(1700):
    writer.add_scalar("loss", step, step)
    writer.add_scalars("main/load", {"ep_0": step, "ep_1": -step}, step)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_sigkill_loses_none_of_5100_scalars(run_script, torch_python, recording, tmp_path):
    script = HEAD + WRITER + CAPTURE + SIGKILL  # Captured after the import.
    killed = run_script(script, tmp_path / "run", python=torch_python, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    kept = recording(tmp_path / "run").scalars()
    assert len(kept) == 5100 and kept["main/load/ep_1", 1699] == -1699
    assert not [path for path in (tmp_path / "run").iterdir() if path.is_dir()]


def test_what_forked_children_add_is_recorded_too(run_script, torch_python, tmp_path):
    script = """
writer = SummaryWriter(sys.argv[1])
child = os.fork()
if child == 0:
    writer.add_scalar("child", 1.0, 1)
    writer.close()
    os._exit(0)
os.waitpid(child, 0)
writer.add_scalar("parent", 2.0, 2)
writer.close()
"""
    run_script(HEAD + CAPTURE + WRITER + script, tmp_path / "run", python=torch_python)
    assert scalars(tmp_path / "run", "child") == [(1, 1.0)]
    assert scalars(tmp_path / "run", "parent") == [(2, 2.0)]


def test_purged_steps_and_hyper_parameters_are_theirs(run_script, torch_python, tmp_path):
    script = """
for purge_step in (None, 2):
    with SummaryWriter(sys.argv[1], purge_step=purge_step) as writer:
        for step in range(purge_step or 0, 4):
            writer.add_scalar("loss", step + 10 * (purge_step or 0), step)
with SummaryWriter(sys.argv[1]) as writer:
    writer.add_hparams({"lr": 0.1}, {"accuracy": 0.5}, run_name="first")
"""
    run_script(HEAD + CAPTURE + WRITER + script, tmp_path / "run", python=torch_python)
    assert scalars(tmp_path / "run", "loss") == [(0, 0), (1, 1), (2, 22), (3, 23)]
    assert scalars(tmp_path / "run" / "first", "accuracy") == [(0, 0.5)]


def test_classes_stay_theirs(run_script, torch_python, tmp_path):
    script = """
from tensorboard.summary.writer.event_file_writer import EventFileWriter
class Mine(SummaryWriter):
    def add_scalar(self, tag, value, step):
        super().add_scalar("mine/" + tag, value, step)
with Mine(sys.argv[1]) as writer:
    assert isinstance(writer, torch.utils.tensorboard.SummaryWriter)
    assert isinstance(writer.file_writer, torch.utils.tensorboard.FileWriter)
    assert isinstance(writer.file_writer.event_writer, EventFileWriter)
    writer.add_scalar("loss", 1.0, 1)
"""
    run_script(HEAD + CAPTURE + WRITER + script, tmp_path / "run", python=torch_python)
    assert scalars(tmp_path / "run", "mine/loss") == [(1, 1.0)]

"""_core.pyi says what is in the extension module (mypy's stubtest), and types programs that use it (mypy --strict)."""

import subprocess
import sys
from pathlib import Path

import pytest

# What is true of every class of nanobind and says nothing to a user: its metaclass and its layout, and the constructor of
# those that only the module makes. The members of the classes have names of their own here, and are compared. A
# function of the module or a static method is none for stubtest. Adapters cannot be imported without their frameworks.
# pandas and pyarrow are named by types only. A cached function has any arguments for mypy.
ALLOWED = r"""
sightline\._core\.(LossLandscape|MindSporeSteps|Recorder|RecorderStats|SummaryMonitor|Tag)
sightline\._core\.(check_local_path|rank_of_environment|record_landscape|world_size_of_environment|_\w+_event)
sightline\._core\.(hide_secrets|keep_run_facts|launcher_variables|run_facts)
sightline\._core\.(LossLandscape|RecorderStats|Tag)\.__init__
sightline\._core\.SummaryMonitor\.(check|from_yaml)
sightline\._ir\.(Change|Diff|Location|Module|Node|Parameter|Problem|PropertyChange|Subgraph|Type)(\.__init__)?
sightline\._ir\.(diff|load|parse)
sightline\._landscape\.(Checkpoint|Job|Metadata|Plane|PlaneOptions)(\.__init__)?
sightline\._landscape\.(form_point|make_plane|open_checkpoint)
sightline\._profiler\.(DataQueue|ProfileRecorder|ProfileStats|Span)(\.__init__|\.__new__)?
sightline\._profiler\.(begin_step|counter|end_step|instant|name_thread|operator|recording|span)
sightline\._ir\.parse_graph
sightline\._profiles\.(find_profiles|join_parts|read_parts)
sightline\._runs\.(ExportTarget|StoredRun|StoredRuns|StoredSeries|TagFilter)(\.__init__)?
sightline\._runs\.(decode_png|find_runs|gather|open_run|open_runs)
sightline\.(_series|_tables|runs)\.(pandas|pyarrow)
sightline\._run_facts\.facts
sightline\.mindspore(\.callback|\.collector|\.landscape|\.profile_entry|\.profile_monitor|\.profiler|\.profiler_monitor|\.summary_record|\.training)?
sightline\.(_landscape_torch|keras|lightning|transformers)
"""


def test_the_stub_names_everything_in_the_module_and_nothing_else(tmp_path):
    (tmp_path / "allowed").write_text(ALLOWED)
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nignore_missing_imports = true\n"
    )  # PyTorch, where it is not.
    options = [
        "--allowlist",
        "allowed",
        "--ignore-unused-allowlist",
        "--mypy-config-file",
        "mypy.ini",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "sightline", *options],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr


GOOD = """
import numpy as np
import numpy.typing as npt
import sightline
import sightline.runs
from sightline import ir
from sightline.profiler import profile, profile_dataset, span, step
from sightline.torch import SummaryWriter

with sightline.Recorder("run", formats=("mindspore", "tensorboard"), max_file_size=None) as recorder:
    tag: sightline.Tag = recorder.intern("loss")
    accepted: bool = recorder.add_scalar(tag, np.int64(1), np.float32(0.5))
    recorder.add_tensor("t", 1, np.ones(3))
    recorder.record(1, {"a": 1.0, "b": np.ones(3)})
    message: str | None = recorder.stats.first_error
with sightline.SummaryMonitor("run", collect_freq=1, on_nonfinite=lambda tag, step, value: None) as monitor:
    monitor.begin(epochs=1)
    monitor.end_step(1, loss=0.5, parameters=lambda: {"w": np.ones(3)})
SummaryWriter("run").add_scalar("loss", 0.5, 1)
with profile("p", sample_interval=0) as recording:
    for number in profile_dataset([1, 2], queue=None):
        with step(number), span("forward", category="data"):
            pass
path: str | None = recording.path
loss: sightline.runs.Scalars = sightline.open("run").scalars("loss")
steps: npt.NDArray[np.int64] = loss.steps
last: float = loss[100]
pixels: npt.NDArray[np.uint8] = sightline.open("run").images("digits")[7].pixels
graph: ir.Module | None = sightline.open("run").graph
for run in sightline.open_all(["a", "b"]).where("lr > 0.01"):
    network: int | float | str = run.lineage["network"]
    for change in run.follow():
        now: sightline.Run | None = change.run
for node in ir.load("a.ir").find(operator="MatMul"):
    shape: tuple[int, ...] | None = node.output_types[0].shape
for found in ir.diff(ir.load("a.ir"), ir.load("b.ir")).removed:
    gone: ir.Node | ir.Parameter | ir.Subgraph | None = found.before
    properties: list[ir.PropertyChange] = found.properties
"""

BAD = {
    "format": 'import sightline; sightline.Recorder("run", formats="csv")',
    "option": 'import sightline; sightline.Recorder("run", colour=1)',
    "step": 'import sightline; sightline.Recorder("run").add_scalar("x", "one", 1.0)',
    "reading": 'import sightline; sightline.open("run").scalars(1)',
    "attribute": 'import sightline; sightline.Recorder("run").stats.nothing',
}


def mypy(tmp_path: Path, text: str) -> "subprocess.CompletedProcess[str]":
    (tmp_path / "program.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "program.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )


def test_a_right_program_passes_strict_typing(tmp_path):
    done = mypy(tmp_path, GOOD)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_program_does_not(tmp_path, name):
    assert "error:" in mypy(tmp_path, BAD[name]).stdout

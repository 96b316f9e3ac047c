"""Ranks of trainings that the real torchrun starts, read as one run. By a Python that has PyTorch (--torch-python); without
it conftest.py leaves this file out."""

import subprocess
from pathlib import Path

import pytest
from sightline import runs

RANKS = 4

# Rank 2 is slow.
TRAINING = """
import os, sys
import torch.distributed
import sightline

torch.distributed.init_process_group("gloo")
rank = torch.distributed.get_rank()
folder = sys.argv[1] + (f"/rank_{rank}" if sys.argv[2] == "folders" else "")
recorder = sightline.Recorder(folder)
for step in range(1, 101):
    took = torch.tensor([125.0 if rank == 2 else 100.0])
    recorder.add_scalar("iteration-time", step, took.item())
    torch.distributed.all_reduce(took)
    recorder.add_scalar("loss", step, 1 / step)
recorder.close()
"""


@pytest.fixture
def train(torch_python, tmp_path):
    """train(layout) -> the folder of the runs: `folders`, one for each rank, or `one` for all."""

    def run(layout: str) -> Path:
        script = tmp_path / "training.py"
        script.write_text(TRAINING)
        folder = tmp_path / "out" / "training"
        # Without --redirects and --tee, torch 1.13 fails with Python 3.11, whose flags do not list 0.
        launch = [torch_python, "-m", "torch.distributed.run", "--standalone"]
        launch += ["--redirects", "1", "--tee", "1", "--log_dir", tmp_path / "logs"]
        done = subprocess.run(
            [*launch, "--nproc_per_node", str(RANKS), script, folder, layout],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return folder.parent

    return run


@pytest.mark.parametrize("layout", ["folders", "one"])
def test_the_ranks_of_torchrun_are_one_run(train, layout):
    (run,) = runs.open_all(train(layout))
    assert run.name == "training"
    series = [one for one in run.series if one.tag == "iteration-time"]
    assert [one.rank for one in series] == list(range(RANKS))
    assert [set(one.values) for one in series] == [
        {125.0} if rank == 2 else {100.0} for rank in range(RANKS)
    ]


def test_the_slow_rank_of_torchrun_is_named(train):
    found = runs.open_all(train("folders"))
    assert [run.name for run in found.where('worst(mean("iteration-time")) == 2')] == ["training"]
    assert [run.name for run in found.where('spread(mean("iteration-time")) == 0.25')] == [
        "training"
    ]

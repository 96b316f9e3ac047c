"""What release_wheel.sh does in Python: records every kind of value, or numbers without end, and reads them again.

usage: release_wheel.py record|read|endless|read_endless DIRECTORY
"""

import itertools
import sys

import numpy as np
import sightline
import sightline.landscape
import sightline.profiler
import sightline.torch

ARRAY = np.arange(48, dtype=np.float32).reshape(1, 3, 4, 4)


def record(directory: str) -> None:
    """A run of both dialects with a value of each kind, and the lineage of a training."""
    with sightline.SummaryMonitor(
        directory,
        collect_freq=1,
        formats=("mindspore", "tensorboard"),
        custom_lineage_data={"lr": 0.5},
    ) as monitor:
        monitor.begin(epochs=1, steps_per_epoch=2, network="net")
        for step in (1, 2):
            monitor.end_step(
                step,
                loss=1 / step,
                tensors={"array": ARRAY},
                histograms={"spread": ARRAY},
                images={"picture": ARRAY},
            )
    with sightline.torch.SummaryWriter(directory + "/board") as writer:
        writer.add_text("words", "one two", 1)
        writer.add_audio("tone", np.zeros(100, np.float32), 1)
        writer.add_pr_curve("curve", np.array([0, 1]), np.array([0.2, 0.8]), 1)
    with sightline.profiler.profile(directory + "/profile"), sightline.profiler.span("work"):
        pass


def read(directory: str) -> None:
    run = sightline.open(directory)
    assert run.state == "finished" and not run.damage, (run.state, run.damage)
    assert run.lineage["lr"] == 0.5 and run.lineage["network"] == "net", run.lineage
    assert [tag for tag in run.tags["scalar"] if "loss" in tag], run.tags
    for tag in run.tags["tensor"]:
        assert np.array_equal(run.tensors(tag)[2], ARRAY)
    for tag in run.tags["histogram"]:
        assert run.histograms(tag)[2].counts.sum() == ARRAY.size
    for tag in run.tags["image"]:
        assert run.images(tag)[2].pixels.size == ARRAY.size
    assert {"tensor", "histogram", "image"} <= run.tags.keys(), run.tags
    board = sightline.open(directory + "/board")
    assert board.texts("words/text_summary")[1] == ["one two"], board.tags
    assert "audio" in board.tags, board.tags


def endless(directory: str) -> None:
    recorder = sightline.Recorder(directory)
    for step in itertools.count(1):
        recorder.add_scalar("step", step, step)


def read_endless(directory: str) -> None:
    """Every step up to the last one, each once."""
    steps = sightline.open(directory).scalars("step").steps
    assert len(steps) > 0 and np.array_equal(steps, np.arange(1, len(steps) + 1)), steps


if __name__ == "__main__":
    {"record": record, "read": read, "endless": endless, "read_endless": read_endless}[sys.argv[1]](
        sys.argv[2]
    )

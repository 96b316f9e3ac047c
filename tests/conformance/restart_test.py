"""Logs of other programs that were resumed: sightline info counts the values that TensorBoard shows, and no others."""

import json
import subprocess

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboardX import SummaryWriter


def shown_by_tensorboard(directory):
    accumulator = EventAccumulator(str(directory), size_guidance={"scalars": 0}).Reload()
    return {
        tag: [event.step for event in accumulator.Scalars(tag)]
        for tag in accumulator.Tags()["scalars"]
    }


def write(directory, steps, purge_step=None, suffix="", tags=("loss",)):
    with SummaryWriter(str(directory), purge_step=purge_step, filename_suffix=suffix) as writer:
        for step in steps:
            for tag in tags:
                writer.add_scalar(tag, 1 / (step + 1), step)


@pytest.mark.parametrize(
    "runs",
    [
        [(range(100), None), (range(50, 120), 50)],
        [(range(100), None), (range(50, 120), 50), (range(30, 60), 30)],
        [(range(100), None), (range(90, 120), 90), (range(95, 130), 95)],
        [(range(100), None), (range(200, 210), 200)],
        [(range(10), None), (range(10), 0)],
    ],
    ids=["once", "twice, further back", "twice", "behind the end", "from the beginning"],
)
def test_a_resumed_run_counts_what_tensorboard_shows(build, tmp_path, runs):
    for number, (steps, purge_step) in enumerate(runs):
        # The suffix keeps the order of files that are made within one second.
        tags = ("loss", "only before") if number == 0 else ("loss",)
        write(tmp_path, steps, purge_step, f".{number}", tags)
    told = subprocess.run(
        [build / "tools" / "sightline", "info", "--json", tmp_path],
        check=True,
        stdout=subprocess.PIPE,
    )
    (run,) = json.loads(told.stdout)["runs"]
    counted = {
        tag["tag"]: (tag["values"], tag["first_step"], tag["last_step"]) for tag in run["tags"]
    }
    shown = {
        tag: (len(steps), min(steps), max(steps))
        for tag, steps in shown_by_tensorboard(tmp_path).items()
        if steps
    }
    assert counted == shown
    written = len(runs[0][0]) + sum(len(steps) for steps, _ in runs)
    assert run["superseded_values"] == written - sum(values for values, _, _ in counted.values())

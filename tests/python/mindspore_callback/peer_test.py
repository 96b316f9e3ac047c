"""The same training recorded by ours and by MindSpore's SummaryCollector: LeNet with every summary operator, one seed, 2
epochs of 10 steps, then an evaluation. Both record the same as sets of (kind, tag, step, value); what differs is listed
here."""

import base64
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

TRAIN = Path(__file__).with_name("train_lenet.py")
# What MindSpore does not record.
OURS_ONLY = {"learning_rate/auto", "step_time/auto", "samples_per_second/auto", "eval/accuracy"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, recording):
    """(ours, theirs), trained beside each other."""
    directories = [tmp_path_factory.mktemp(name) for name in ("ours", "theirs")]
    recorders = ("sightline.mindspore.SummaryMonitor", "mindspore.SummaryCollector")
    processes = [
        subprocess.Popen(
            [sys.executable, TRAIN, recorder, directory], stderr=subprocess.PIPE, text=True
        )
        for recorder, directory in zip(recorders, directories)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    return [recording(directory) for directory in directories]


def content(kind, value):
    """What can be compared exactly: of a picture its pixels, since two PNG writers compress differently."""
    if kind == "image":
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(value["encoded_image"]))))
        return f"{pixels.shape} {hashlib.sha256(pixels.tobytes()).hexdigest()}"
    return json.dumps(value, sort_keys=True)


def values(run):
    found = set()
    for step, value in run.values:
        (kind,) = value.keys() - {"tag"}
        if value["tag"] not in OURS_ONLY:
            found.add((kind, value["tag"], step, content(kind, value[kind])))
    return found


def lineage(run, kind):
    """Of a training ours is told twice: as it began, and at its end."""
    *earlier, event = [event for event in run.events if kind in event]
    assert len(earlier) <= (kind == "train_lineage")
    return event[kind]


def test_both_record_the_same_tags_steps_and_values(runs):
    ours, theirs = map(values, runs)
    assert ours == theirs
    assert {kind for kind, *_ in ours} == {"scalar_value", "tensor", "histogram", "image"}
    assert {step for *_, step, _ in ours} == {1, 3, 6, 9, 12, 15, 18}
    assert len({tag for _, tag, *_ in ours}) == 11  # 4 operators, loss, input, 5 parameters.


def test_both_record_the_same_graph(runs):
    ours, theirs = (lineage(run, "graph_def") for run in runs)
    assert ours == theirs and len(ours["node"]) > 50


def test_both_record_the_same_pipeline_of_the_data(runs):
    ours, theirs = (lineage(run, "dataset_graph") for run in runs)
    assert ours == theirs


def test_both_tell_the_same_of_the_training(runs):
    ours, theirs = (lineage(run, "train_lineage") for run in runs)
    # There is no checkpoint: of 0 bytes for MindSpore, of unknown size for us.
    assert theirs["model"].pop("size") == "0"
    assert ours == theirs


def test_both_tell_the_same_of_the_evaluation(runs):
    ours, theirs = (lineage(run, "evaluation_lineage") for run in runs)
    assert json.loads(ours.pop("metric")) == pytest.approx(json.loads(theirs.pop("metric")))
    assert ours == theirs


def test_both_record_the_same_custom_lineage(runs):
    ours, theirs = (lineage(run, "user_defined_info") for run in runs)
    assert sorted(map(str, ours["user_info"])) == sorted(map(str, theirs["user_info"]))

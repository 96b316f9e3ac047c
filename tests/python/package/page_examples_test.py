"""What the dashboard's pages show if there is nothing to see yet (web/src/core/examples.ts): each example records."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "web" / "src" / "core" / "examples.ts"
EXAMPLES = dict(re.findall(r"export const (\w+) = `([^`]*)`;", SOURCE.read_text()))
KINDS = {
    "recordScalar": "scalar",
    "recordHistogram": "histogram",
    "recordImage": "image",
    "recordTensor": "tensor",
}

GIVEN = """
import numpy as np
import sightline
step, loss, weight, loader = 1, 0.5, np.zeros((2, 3)), [1, 2, 3]
logits, pixels = np.zeros((4, 10), np.float32), np.zeros((1, 3, 8, 8), np.uint8)
"""
RECORDER = """
with sightline.Recorder("output/run") as recorder:
    {example}
    assert recorder.stats.first_error is None, recorder.stats.first_error
"""


def test_each_example_is_tried_here():
    # mindspore_callback, landscape_test, run_command_test
    tried_elsewhere = {"recordGraph", "computeLandscape", "recordConsole"}
    assert (
        set(EXAMPLES) == {"recordLineage", "recordProfile", "recordRun", *KINDS} | tried_elsewhere
    )


@pytest.mark.parametrize("name", KINDS)
def test_an_example_records_a_value_of_its_page(run_script, recording, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    run_script(GIVEN + RECORDER.format(example=EXAMPLES[name]))
    run = recording(tmp_path / "output" / "run")
    assert len(run.scalars() if name == "recordScalar" else run.of(KINDS[name])) == 1


def test_the_first_run_is_recorded(run_script, recording, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_script(EXAMPLES["recordRun"])
    assert recording(tmp_path / "output" / "first").scalars() == {("loss", 1): 0.5}


def test_lineage_is_recorded(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_script(
        GIVEN
        + EXAMPLES["recordLineage"]
        + '\nassert sightline.open("output/run").lineage["lr"] == 0.1'
    )


def test_a_profile_is_recorded(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_script(GIVEN + EXAMPLES["recordProfile"])
    assert len(list((tmp_path / "output" / "run" / "profile").iterdir())) == 1

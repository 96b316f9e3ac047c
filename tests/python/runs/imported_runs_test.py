"""sightline.open of what W&B and SwanLab recorded offline: values are those that the program logged (docs/import.md)."""

import json
from pathlib import Path

import numpy as np
import pytest
import sightline

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.mark.parametrize(
    "run, expected",
    [
        ("wandb", "wandb/expected.json"),
        ("swanlab/run7", "swanlab/expected.json"),
        ("swanlab/run10", "swanlab/expected.json"),
    ],
)
def test_every_scalar_is_what_was_logged(run, expected):
    opened = sightline.open(CORPUS / run)
    assert opened.state == "finished" and not opened.damage
    for name, points in json.loads((CORPUS / expected).read_text()).items():
        scalars = opened.scalars(name)
        assert scalars.steps.tolist() == [step for step, _ in points], name
        assert np.array_equal(
            scalars.values, [float(value) for _, value in points], equal_nan=True
        ), name


def test_the_configuration_of_wandb_chooses_runs():
    runs = sightline.open_all(CORPUS / "wandb").where("lr == 0.2 and optimizer.name == 'adam'")
    assert [run.lineage["code"] for run in runs] == ["007"]

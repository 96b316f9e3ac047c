"""Which steps of a real training are recorded: those of MindSpore's own runs in tests/corpus/mindspore/rules."""

import json
from pathlib import Path

import networks
import pytest
from sightline.mindspore import SummaryMonitor

SETTINGS = json.loads(
    (Path(__file__).parents[2] / "corpus/mindspore/rules/recorded_steps.json").read_text()
)
NAMES = ("collect_freq", "collect_tensor_freq", "epochs", "steps_per_epoch", "sink")


@pytest.fixture(scope="module")
def model():
    return networks.model(networks.Dense())


@pytest.mark.parametrize(
    "setting", SETTINGS, ids=lambda setting: "-".join(str(setting[name]) for name in NAMES)
)
def test_the_recorded_steps_are_mindspores_each_once(model, recording, tmp_path, setting):
    monitor = SummaryMonitor(
        tmp_path, setting["collect_freq"], collect_tensor_freq=setting["collect_tensor_freq"]
    )
    data = networks.rows(setting["steps_per_epoch"])
    model.train(setting["epochs"], data, callbacks=[monitor], dataset_sink_mode=setting["sink"])
    assert monitor.stats.first_error is None

    recorded = {key: [] for key in setting["recorded"]}
    for step, value in recording(tmp_path).values:
        (kind,) = value.keys() - {"tag"}
        if f"{kind}:{value['tag']}" in recorded:
            recorded[f"{kind}:{value['tag']}"].append(step)
    assert recorded == {key: sorted(set(steps)) for key, steps in setting["recorded"].items()}

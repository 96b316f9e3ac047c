"""Checkpoints for loss landscapes: MindSpore's SummaryLandscape reads them."""

import json

import mindspore as ms
import networks
import numpy as np
import pytest

from sightline.mindspore import SummaryMonitor

OPTIONS = {
    "landscape_size": 3,
    "unit": "epoch",
    "num_samples": 16,
    "create_landscape": {"train": True, "result": False},
    "intervals": [[1, 2, 3]],
}


def network_and_data():
    """In the form that SummaryLandscape asks for; it calls this in processes of its own."""
    network = networks.Dense()
    return networks.model(network), network, networks.rows(8), {"Loss": ms.train.Loss()}


def train(directory, **landscape):
    ms.set_seed(1)
    model, network, data, _ = network_and_data()
    monitor = SummaryMonitor(directory, collect_specified_data={"collect_landscape": {**OPTIONS, **landscape}})
    model.train(3, data, callbacks=[monitor], dataset_sink_mode=False)
    return network


def test_mindspores_landscape_is_computed_from_our_checkpoints(recording, tmp_path):
    train(tmp_path)
    landscape = ms.SummaryLandscape(str(tmp_path))
    landscape.gen_landscapes_with_multi_process(network_and_data, device_ids=[0])
    (value,) = recording(tmp_path).of("loss_landscape").values()
    assert value["metadata"] == {"decomposition": "PCA", "unit": "epoch", "step_per_epoch": 8}
    assert value["landscape"]["z"]["dims"] == ["3", "3"]
    assert np.isfinite(value["landscape"]["z"]["float_data"]).all()


def test_checkpoints_hold_the_parameters_of_their_step_and_the_metadata_lists_them(tmp_path):
    network = train(tmp_path, unit="step", intervals=[[1, 5, 24], [2, 3, 4]])
    metadata = json.loads((tmp_path / "ckpt_dir" / "train_metadata.json").read_text())
    files = {int(step): path for step, path in metadata.pop("model_params_file_map").items()}
    assert metadata == {
        "epoch_group": {"0": [1, 5, 24], "1": [2, 3, 4]},
        "step_per_epoch": 8,
        "unit": "step",
        "num_samples": 16,
        "landscape_size": 3,
        "create_landscape": {"train": True, "result": False},
    }
    assert files == {step: str(tmp_path / "ckpt_dir" / f"Dense_{step}_step.ckpt") for step in (1, 2, 3, 4, 5, 24)}
    saved = {step: ms.load_checkpoint(path)["fc.weight"].asnumpy() for step, path in files.items()}
    np.testing.assert_array_equal(saved[24], network.fc.weight.asnumpy())
    assert not np.array_equal(saved[1], saved[2])


def test_without_the_option_nothing_is_saved(tmp_path):
    model, _, data, _ = network_and_data()
    model.train(1, data, callbacks=[SummaryMonitor(tmp_path)], dataset_sink_mode=False)
    assert not (tmp_path / "ckpt_dir").exists()


def test_a_bad_option_is_named_and_nothing_is_created(tmp_path):
    landscape = {**OPTIONS, "landscape_size": 2, "intervals": [[1, 2]]}
    with pytest.raises(ValueError) as error:
        SummaryMonitor(tmp_path / "run", collect_specified_data={"collect_landscape": landscape})
    assert "landscape_size is 2" in str(error.value) and "intervals has [1, 2]" in str(error.value)
    assert not (tmp_path / "run").exists()

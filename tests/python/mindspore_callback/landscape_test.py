"""Loss landscapes: MindSpore's SummaryLandscape reads our checkpoints, and ours takes its place."""

import json
import struct

import mindspore as ms
import networks
import numpy as np
import pytest
from mindspore import nn
from mindspore.train import summary_pb2
from sightline.mindspore import SummaryLandscape, SummaryMonitor
from sightline.mindspore.landscape import CellLoss

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
    monitor = SummaryMonitor(
        directory, collect_specified_data={"collect_landscape": {**OPTIONS, **landscape}}
    )
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
    assert files == {
        step: str(tmp_path / "ckpt_dir" / f"Dense_{step}_step.ckpt") for step in (1, 2, 3, 4, 5, 24)
    }
    saved = {step: ms.load_checkpoint(path)["fc.weight"].asnumpy() for step, path in files.items()}
    np.testing.assert_array_equal(saved[24], network.fc.weight.asnumpy())
    assert not np.array_equal(saved[1], saved[2])


def evaluated():
    """The same for evaluation: without an optimizer, whose steps MindSpore's landscape would take as well."""
    network = networks.Dense()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    metrics = {"Loss": ms.train.Loss()}
    return ms.Model(network, loss, metrics=metrics), network, networks.rows(8), metrics


def decoded(directory):
    """(step, tag, landscape) of a directory's one file, by MindSpore's schema, and how many values it has."""
    (path,) = directory.glob("*_MS")
    data = path.read_bytes()
    found = []
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        event = summary_pb2.Event.FromString(data[at + 12 : at + 12 + size])
        found += [(event.step, value) for value in event.summary.value]
        at += 12 + size + 4
    ((step, value),) = [each for each in found if each[1].HasField("loss_landscape")]
    return step, value.tag, value.loss_landscape, len(found)


def test_our_landscape_is_mindspores_to_a_hundredth_of_its_range(tmp_path):
    train(tmp_path, landscape_size=5, intervals=[[1, 2, 3]])
    ms.SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(
        evaluated, device_ids=[0], output=str(tmp_path / "theirs")
    )
    (made,) = SummaryLandscape(tmp_path).gen_landscapes_with_multi_process(
        evaluated, device_ids=[0], output=tmp_path / "ours"
    )
    theirs, ours = decoded(tmp_path / "theirs"), decoded(tmp_path / "ours")
    assert ours[:2] == theirs[:2] == (0, "landscape_[1, 3]")
    assert ours[3] == 1  # The network's summary operators recorded nothing.
    assert ours[2].metadata == theirs[2].metadata
    assert ours[2].loss_path.intervals == theirs[2].loss_path.intervals
    scale = np.ptp(theirs[2].landscape.z.float_data)
    assert scale > 0
    for field in ("x", "y", "z"):
        for part in (
            lambda message: message.landscape,
            lambda message: message.loss_path.points,
            lambda message: message.convergence_point,
        ):
            mine, other = (
                np.array(getattr(part(message), field).float_data)
                for message in (ours[2], theirs[2])
            )
            assert mine.size == other.size > 0
            within = (
                0.01 * scale if field == "z" else 1e-4 * np.ptp(theirs[2].landscape.x.float_data)
            )
            np.testing.assert_allclose(mine, other, rtol=0, atol=within)
    np.testing.assert_allclose(made.z.ravel(), ours[2].landscape.z.float_data, rtol=1e-6)


def test_two_devices_are_two_processes_and_give_the_same(tmp_path):
    train(tmp_path)
    landscape = SummaryLandscape(tmp_path)
    (alone,) = landscape.gen_landscapes_with_multi_process(
        evaluated, device_ids=[0], output=tmp_path / "alone"
    )
    (spread,) = landscape.gen_landscapes_with_multi_process(
        evaluated, device_ids=[0, 1], output=tmp_path / "spread"
    )
    np.testing.assert_array_equal(spread.z, alone.z)
    landscape.clean_ckpt()
    assert not (tmp_path / "ckpt_dir").exists()


class Normed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.norm = nn.Dense(4, 3), nn.BatchNorm1d(3)

    def construct(self, x):
        return self.norm(self.fc(x))


def trained_with_an_optimizer():
    network = Normed()
    metrics = {"Loss": ms.train.Loss(), "Accuracy": ms.train.Loss()}
    return networks.model(network), network, networks.rows(8), metrics


def test_a_point_depends_on_its_parameters_alone():
    _, network, _, _ = trained_with_an_optimizer()
    parameters = {each.name: each.asnumpy().copy() for each in network.get_parameters()}
    loss = CellLoss(trained_with_an_optimizer, num_samples=16, train=True)
    first = loss(parameters)
    loss({name: value + 1 for name, value in parameters.items()})
    assert (
        loss(parameters) == first
    )  # Neither BatchNorm's statistics nor an optimizer's step is left.
    assert len(first) == 2


def test_a_wrong_argument_is_named(tmp_path):
    train(tmp_path)
    landscape = SummaryLandscape(tmp_path)
    for arguments, message in (
        ({"device_ids": [8]}, "device_ids has 8"),
        ({"device_ids": []}, "device_ids is empty"),
        ({"collect_landscape": {"size": 3}}, "collect_landscape has 'size'"),
        (
            {"collect_landscape": {"landscape_size": 2}},
            "'landscape_size' is not a whole number from 3 to 256",
        ),
        ({"collect_landscape": {"intervals": [[1, 2]]}}, "intervals has [1, 2]"),
        ({"collect_landscape": {"num_samples": 1}}, "num_samples is 1, less than a batch of 2"),
    ):
        with pytest.raises(ValueError) as error:
            landscape.gen_landscapes_with_multi_process(
                evaluated, **{"device_ids": [0], **arguments}
            )
        assert message in str(error.value)


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

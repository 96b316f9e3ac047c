"""SummaryRecord beside MindSpore's own: what both record of the same calls, and what each of the arguments does."""

import inspect
import json

import mindspore as ms
import networks
import numpy as np
import pytest
import sightline.mindspore
from mindspore.train import lineage_pb2, summary_pb2
from peer_test import content
from sightline.mindspore import SummaryRecord

CLASSES = {"ours": SummaryRecord, "theirs": ms.SummaryRecord}
VALUES = {
    "scalar": ms.Tensor(np.float32(0.25)),
    "tensor": ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),
    "histogram": ms.Tensor(np.linspace(-1, 1, 50, dtype=np.float32)),
    # Not uint8, which ours keeps exactly and MindSpore stretches.
    "image": ms.Tensor(np.linspace(0, 1, 2 * 3 * 4 * 4, dtype=np.float32).reshape(2, 3, 4, 4)),
}


def messages():
    train = lineage_pb2.TrainLineage()
    train.algorithm.network = "Net"
    evaluation = lineage_pb2.EvaluationLineage(metric='{"acc": 0.5}')
    custom = lineage_pb2.UserDefinedInfo()
    custom.user_info.add().map_str["note"] = "first"
    dataset = lineage_pb2.DatasetGraph()
    dataset.parameter.mapStr["op_type"] = "Batch"
    landscape = summary_pb2.LossLandscape()
    landscape.landscape.z.float_data.extend([1.0, 2.0])
    landscape.landscape.z.dims.extend([1, 2])
    landscape.landscape.z.data_type = 11
    return {
        "train_lineage": train,
        "eval_lineage": evaluation,
        "custom_lineage_data": custom,
        "dataset_graph": dataset,
        "landscape": landscape,
    }


def told(run):
    """(kind, tag, step, content) of all values, and the contents of all other events."""
    values = {
        (kind, value["tag"], step, content(kind, value[kind]))
        for step, value in run.values
        for kind in value.keys() - {"tag"}
    }
    others = {
        (kind, json.dumps(event[kind], sort_keys=True))
        for event in run.events
        for kind in event.keys()
        - {"wall_time", "step", "summary", "version", "session", "record_bytes"}
    }
    return values, others


@pytest.fixture
def both(tmp_path, recording):
    """both(calls): what ours and what theirs tell of the same calls, which get a record."""

    def run(calls, **arguments):
        answers = []
        for name, record_class in CLASSES.items():
            with record_class(str(tmp_path / name), **arguments) as record:
                calls(record)
            answers.append(told(recording(tmp_path / name)))
        return answers

    return run


def test_it_has_mindspores_signatures():
    for name in ("__init__", "add_value", "record", "set_mode", "flush", "close"):
        ours, theirs = (
            inspect.signature(getattr(each, name)).parameters for each in CLASSES.values()
        )
        assert [(each.name, each.default) for each in ours.values() if each.name != "options"] == [
            (each.name, each.default) for each in theirs.values()
        ], name


def test_both_record_the_same_of_values_that_are_added(both):
    def calls(record):
        for step in (1, 7):
            for plugin, value in VALUES.items():
                record.add_value(plugin, f"a {plugin}", value)
            assert record.record(step)

    ours, theirs = both(calls)
    assert ours == theirs
    assert {(kind, step) for kind, _, step, _ in ours[0]} == {
        (kind, step) for kind in ("scalar_value", "tensor", "histogram", "image") for step in (1, 7)
    }


def test_both_record_the_same_messages(both):
    def calls(record):
        for plugin, message in messages().items():
            record.add_value(plugin, "name", message)
        assert record.record(3)

    ours, theirs = both(calls)
    assert ours == theirs
    assert {kind for kind, _ in ours[1]} == {
        "train_lineage",
        "evaluation_lineage",
        "user_defined_info",
        "dataset_graph",
    }


def test_both_record_a_network_its_graph_and_its_operators(both):
    def calls(record):
        record._network = record.network = network = networks.Dense()
        for step in range(1, 3):
            network(ms.Tensor(np.full((1, 4), step, np.float32)))
            record.record(step)
        record.set_mode("eval")
        network(ms.Tensor(np.ones((1, 4), np.float32)))
        record.record(3)

    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    ours, theirs = both(calls)
    assert {(kind, tag, step) for kind, tag, step, _ in ours[0]} == {
        (kind, tag, step) for kind, tag, step, _ in theirs[0]
    }
    assert {step for _, _, step, _ in ours[0]} == {1, 2}
    assert [kind for kind, _ in ours[1]] == [kind for kind, _ in theirs[1]] == ["graph_def"]


def test_of_a_tag_that_is_given_twice_the_newest_value_is_recorded(both):
    def calls(record):
        for value in (1.0, 2.0):
            record.add_value("scalar", "x", ms.Tensor(np.float32(value)))
        record.record(1)

    ours, _ = both(calls)
    assert {text for *_, text in ours[0]} == {"2.0"}


def test_a_filter_leaves_plugins_out(both):
    def calls(record):
        for plugin, value in VALUES.items():
            record.add_value(plugin, "x", value)
        record.record(1, plugin_filter=lambda plugin: plugin in ("scalar", "image"))

    ours, theirs = both(calls)
    assert ours == theirs and {kind for kind, *_ in ours[0]} == {"scalar_value", "image"}


def test_a_value_is_kept_as_it_was_when_it_was_added(tmp_path, recording):
    tensor = ms.Parameter(ms.Tensor(np.zeros(3, np.float32)))
    with SummaryRecord(tmp_path) as record:
        record.add_value("tensor", "t", tensor)
        tensor.set_data(ms.Tensor(np.ones(3, np.float32)))
        record.record(1)
    assert recording(tmp_path).of("tensor")["t", 1]["float_data"] == [0.0, 0.0, 0.0]


def test_log_dir_is_the_path_of_the_summary_file(tmp_path):
    with SummaryRecord(tmp_path) as record:
        record.add_value("scalar", "x", VALUES["scalar"])
        record.record(1)
        record.flush()
        assert record.log_dir.startswith(
            f"{tmp_path}/events.out.events.summary."
        ) and record.log_dir.endswith("_MS")
        assert sightline.open(tmp_path).scalars("x").values.tolist() == [0.25]


def test_export_options_export_tensors_as_npy(tmp_path):
    with SummaryRecord(tmp_path, export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "t", VALUES["tensor"])
        record.record(1)
    (file,) = tmp_path.glob("export_*/tensor/*.npy")
    assert np.array_equal(np.load(file), VALUES["tensor"].asnumpy())


def test_a_full_file_goes_on_in_the_next(tmp_path, recording):
    with SummaryRecord(tmp_path, max_file_size=2000) as record:
        for step in range(1, 101):
            record.add_value("scalar", "x", VALUES["scalar"])
            record.record(step)
    assert len(list(tmp_path.glob("*_MS"))) > 1 and len(recording(tmp_path).scalars()) == 100


def test_after_close_record_warns_and_returns_false(tmp_path):
    record = SummaryRecord(tmp_path)
    record.close()
    record.close()
    with pytest.warns(RuntimeWarning, match="SummaryRecord is closed"):
        assert record.record(1) is False
    with pytest.raises(ValueError, match="is closed"), record:
        pass


WRONG_ARGUMENTS = {
    "max_file_size": (
        {"max_file_size": "4GB"},
        TypeError,
        "max_file_size must be int or None, not str",
    ),
    "prefix": ({"file_prefix": 1}, TypeError, "file_prefix must be str"),
    "other prefix": ({"file_prefix": "mine"}, ValueError, "must be 'events' and '_MS'"),
    "raise_exception": ({"raise_exception": 1}, TypeError, "raise_exception must be bool"),
    "export key": (
        {"export_options": {"image_format": "png"}},
        ValueError,
        "'image_format': 'png'",
    ),
    "export type": ({"export_options": "npy"}, TypeError, "export_options must be Mapping or None"),
}


@pytest.mark.parametrize("case", WRONG_ARGUMENTS)
def test_a_wrong_argument_is_raised_with_its_value(tmp_path, case):
    arguments, error, text = WRONG_ARGUMENTS[case]
    with pytest.raises(error, match=text.replace("(", r"\(")):
        SummaryRecord(tmp_path, **arguments)


WRONG_VALUES = {
    "plugin": (("video", "x", VALUES["scalar"]), ValueError, "plugin is 'video'"),
    "name": (("scalar", "", VALUES["scalar"]), ValueError, "name is ''"),
    "no tensor": (("scalar", "x", 0.5), TypeError, "takes a mindspore.Tensor, not float"),
    "scalar": (("scalar", "x", VALUES["tensor"]), ValueError, "must have one element"),
    "image": (("image", "x", VALUES["tensor"]), ValueError, "the four dimensions NCHW"),
    "histogram": (("histogram", "x", VALUES["scalar"]), ValueError, "a dimension or more"),
    "lineage": (("train_lineage", "x", {}), TypeError, "takes a message of MindSpore's, not dict"),
    "graph": (("graph", "x", "net"), TypeError, "value must be bytes, not str"),
}


@pytest.mark.parametrize("case", WRONG_VALUES)
def test_a_wrong_value_is_raised_by_both(tmp_path, case):
    arguments, error, text = WRONG_VALUES[case]
    with SummaryRecord(tmp_path) as record, pytest.raises(error, match=text):
        record.add_value(*arguments)


def test_wrong_steps_modes_and_networks_are_raised(tmp_path):
    with SummaryRecord(tmp_path) as record:
        with pytest.raises(TypeError, match="step must be int, not str"):
            record.record("1")
        with pytest.raises(TypeError, match="train_network must be Cell or None"):
            record.record(1, train_network=3)
        with pytest.raises(ValueError, match="mode is 'test'"):
            record.set_mode("test")


@pytest.mark.parametrize("raises", [True, False])
def test_what_cannot_be_written_is_raised_when_asked_to(tmp_path, raises):
    record = SummaryRecord(tmp_path, raise_exception=raises)
    record.add_value("graph", "", b"no ModelProto")
    if raises:
        with pytest.raises(RuntimeError, match="ModelProto"), pytest.warns(RuntimeWarning):
            record.record(1)
    else:
        with pytest.warns(RuntimeWarning, match="ModelProto"):
            assert record.record(1)
    with pytest.warns(RuntimeWarning, match="refused: 1"):
        record.close()

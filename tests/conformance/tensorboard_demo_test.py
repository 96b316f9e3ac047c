"""The demo's TensorBoard files, read by the `tensorboard` package: every value equals what was recorded.

What was recorded is taken from the MindSpore files of the same run.
"""

import io

import numpy as np
import pytest
from mindspore_schema import pixels, read_events
from PIL import Image
from recording import npy_key, tensorboard_bins
from records import read_records
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.util import tensor_util

# Keeps every value, not a sample.
EVERYTHING = dict.fromkeys(
    ("scalars", "histograms", "compressedHistograms", "images", "audio", "tensors", "graph"), 0
)


@pytest.fixture(scope="module")
def accumulator(demo) -> EventAccumulator:
    return EventAccumulator(str(demo.directory), size_guidance=EVERYTHING).Reload()


def test_every_record_parses_and_the_first_is_tensorboards_version(demo):
    for file in demo.tensorboard_files:
        events = [Event.FromString(payload) for payload in read_records(file)]
        assert events[0].file_version == "brain.Event:2"
        assert all(event.WhichOneof("what") for event in events)


def test_scalars(demo, accumulator):
    recorded = demo.mindspore_values("scalar_value")
    read = {
        (tag, event.step): event.value
        for tag in accumulator.Tags()["scalars"]
        for event in accumulator.Scalars(tag)
    }
    assert read == recorded


def test_wall_times_are_those_of_the_mindspore_files(demo, accumulator):
    recorded = {
        (value.tag, event.step): event.wall_time
        for event in demo.mindspore_events()
        for value in event.summary.value
        if value.HasField("scalar_value")
    }
    read = {
        (tag, event.step): event.wall_time
        for tag in accumulator.Tags()["scalars"]
        for event in accumulator.Scalars(tag)
    }
    assert read == recorded


def test_histograms(demo, accumulator):
    recorded = demo.mindspore_values("histogram")
    read = {
        (tag, event.step): event.histogram_value
        for tag in accumulator.Tags()["histograms"]
        for event in accumulator.Histograms(tag)
    }
    assert read.keys() == recorded.keys()
    for key, ours in recorded.items():
        theirs = read[key]
        assert (theirs.min, theirs.max, theirs.num, theirs.sum) == (
            ours.min,
            ours.max,
            ours.count,
            ours.sum,
        ), key
        bins = tensorboard_bins(ours)
        assert list(theirs.bucket) == [count for _, _, count in bins], key
        assert list(theirs.bucket_limit) == [right for _, right, _ in bins], key


def test_tensors_equal_the_npy_export(demo, accumulator):
    exported = {npy_key(file): np.load(file) for file in demo.npy_files}
    read = {
        (tag, event.step): tensor_util.make_ndarray(event.tensor_proto)
        for tag in {tag for tag, _ in exported}
        for event in accumulator.Tensors(tag)
    }
    assert read.keys() == exported.keys() and read
    for key, array in exported.items():
        np.testing.assert_array_equal(read[key], array, str(key), strict=True)


def test_pictures(demo, accumulator):
    recorded = demo.mindspore_values("image")
    read = {
        (tag, event.step): event
        for tag in accumulator.Tags()["images"]
        for event in accumulator.Images(tag)
    }
    assert read.keys() == recorded.keys()
    for key, picture in recorded.items():
        theirs = np.asarray(Image.open(io.BytesIO(read[key].encoded_image_string)).convert("RGB"))
        assert (read[key].height, read[key].width) == (picture.height, picture.width)
        np.testing.assert_array_equal(theirs, pixels(picture), str(key))


def test_graph_has_every_node_and_edge(demo, accumulator):
    (graph,) = [
        event.graph_def
        for event in demo.mindspore_events()
        if event.WhichOneof("what") == "graph_def"
    ]
    nodes = GraphDef.FromString(accumulator.Graph().SerializeToString()).node
    names = [node.name for node in nodes]
    assert len(names) == len(set(names))
    assert len(nodes) == len(graph.node) + len(graph.parameters) + len(graph.const_vals)
    assert {edge.split(":")[0].lstrip("^") for node in nodes for edge in node.input} <= set(names)
    assert sum(len(node.input) for node in nodes) == sum(len(node.input) for node in graph.node)


def test_lineage_is_text(demo, accumulator):
    (file,) = demo.lineage_files
    train = next(
        event.train_lineage for event in read_events(file) if event.HasField("train_lineage")
    )
    texts = {
        tag: tensor_util.make_ndarray(event.tensor_proto).item().decode()
        for tag in ("train_lineage", "eval_lineage", "custom_lineage_data")
        for event in accumulator.Tensors(tag)
    }
    assert train.algorithm.network in texts["train_lineage"]
    assert train.hyper_parameters.optimizer in texts["train_lineage"]
    assert "accuracy" in texts["eval_lineage"]
    assert "UCI handwritten digits" in texts["custom_lineage_data"]


def test_the_hparams_page_has_the_whole_setup_in_the_first_event_which_is_all_that_it_reads(
    accumulator,
):
    content = accumulator.SummaryMetadata("_hparams_/session_start_info").plugin_data.content
    given = HParamsPluginData.FromString(content).session_start_info.hparams
    assert {"network", "optimizer", "learning_rate", "batch_size"} <= given.keys()
    assert (
        given["data"].string_value == "UCI handwritten digits"
        and given["momentum"].number_value == 0.9
    )

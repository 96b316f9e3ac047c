"""The demo's directory in the real TensorBoard, asked over HTTP as a browser asks: with its data server (Rust) and
with its readers in Python."""

import io

import numpy as np
import pytest
from PIL import Image
from google.protobuf import text_format
from mindspore_schema import pixels
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard_server import TensorBoardServer

LOSS = "loss/auto"


@pytest.fixture(scope="module", params=["true", "false"], ids=["data_server", "python"])
def server(request, demo, tmp_path_factory):
    server = TensorBoardServer(demo.directory, request.param, tmp_path_factory.mktemp("log") / "tensorboard.log")
    steps = sum(tag == LOSS for tag, _ in demo.mindspore_values("scalar_value"))
    server.wait_until_loaded(LOSS, steps)
    yield server
    server.close()


def tags(recorded) -> set[str]:
    return {tag for tag, _ in recorded}


def test_scalars(server, demo):
    recorded = demo.mindspore_values("scalar_value")
    assert set(server.get("scalars/tags")["."]) == tags(recorded)
    served = {
        (tag, step): value
        for tag in tags(recorded)
        for _, step, value in server.get("scalars/scalars", run=".", tag=tag)
    }
    assert served == recorded


def test_histograms(server, demo):
    recorded = demo.mindspore_values("histogram")
    assert set(server.get("histograms/tags")["."]) == tags(recorded)
    served = {
        (tag, step): buckets
        for tag in tags(recorded)
        for _, step, buckets in server.get("histograms/histograms", run=".", tag=tag)
    }
    assert served.keys() == recorded.keys()
    for key, buckets in served.items():
        assert sum(count for _, _, count in buckets) == recorded[key].count, key


def test_pictures(server, demo):
    recorded = demo.mindspore_values("image")
    assert set(server.get("images/tags")["."]) == tags(recorded)
    for tag in tags(recorded):
        served = server.get("images/images", run=".", tag=tag, sample="0")
        assert [entry["step"] for entry in served] == [step for of, step in recorded if of == tag]
        for entry in served[:3] + served[-3:]:
            png = server.get_bytes("images/individualImage", blob_key=entry["blob_key"])
            picture = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
            np.testing.assert_array_equal(picture, pixels(recorded[tag, entry["step"]]))


def test_graph(server, demo):
    (graph,) = [event.graph_def for event in demo.mindspore_events() if event.WhichOneof("what") == "graph_def"]
    assert server.get("graphs/info")["."]["run_graph"]
    served = text_format.Parse(server.get_bytes("graphs/graph", run="."), GraphDef())
    assert len(served.node) == len(graph.node) + len(graph.parameters) + len(graph.const_vals)


def test_lineage_is_text(server):
    served = server.get("text/tags")["."]
    assert served
    for tag in served:
        assert server.get("text/text", run=".", tag=tag)[0]["text"]

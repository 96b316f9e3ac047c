"""The demo's directory in the real TensorBoard, asked over HTTP as a browser asks: with its data server (Rust) and
with its readers in Python."""

import io
import json
import shutil

import numpy as np
import pytest
from google.protobuf import text_format
from mindspore_schema import pixels, read_events
from PIL import Image
from recording import tensorboard_bins
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard_server import TensorBoardServer

LOSS = "loss/auto"


@pytest.fixture(scope="module", params=["true", "false"], ids=["data_server", "python"])
def server(request, demo, tmp_path_factory):
    server = TensorBoardServer(
        demo.directory, request.param, tmp_path_factory.mktemp("log") / "tensorboard.log"
    )
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
        (tag, point["step"]): [(bin["min"], bin["max"], bin["count"]) for bin in point["bins"]]
        for tag in tags(recorded)
        for point in server.time_series("histograms", tag)
    }
    assert served.keys() == recorded.keys()
    for key, ours in recorded.items():
        assert served[key] == tensorboard_bins(ours), key


def test_pictures(server, demo):
    recorded = demo.mindspore_values("image")
    assert set(server.get("images/tags")["."]) == tags(recorded)
    for tag in tags(recorded):
        served = server.time_series("images", tag, sample=0)
        assert [point["step"] for point in served] == [step for of, step in recorded if of == tag]
        for point in served[:3] + served[-3:]:
            png = server.get_bytes("timeseries/imageData", imageId=point["imageId"])
            picture = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
            np.testing.assert_array_equal(picture, pixels(recorded[tag, point["step"]]))


def test_graph(server, demo):
    (graph,) = [
        event.graph_def
        for event in demo.mindspore_events()
        if event.WhichOneof("what") == "graph_def"
    ]
    assert server.get("graphs/info")["."]["run_graph"]
    served = text_format.Parse(server.get_bytes("graphs/graph", run="."), GraphDef())
    assert len(served.node) == len(graph.node) + len(graph.parameters) + len(graph.const_vals)


def test_lineage_is_text(server):
    served = server.get("text/tags")["."]
    assert {"train_lineage", "eval_lineage", "custom_lineage_data"} <= set(served)
    for tag in served:
        assert server.get("text/text", run=".", tag=tag)[0]["text"]


def test_run_is_a_row_of_the_hparams_page(server, demo):
    (file,) = demo.lineage_files
    custom = next(
        event.user_defined_info
        for event in read_events(file)
        if event.HasField("user_defined_info")
    )
    texts = {name: text for info in custom.user_info for name, text in info.map_str.items()}
    request = {
        "allowedStatuses": ["STATUS_UNKNOWN", "STATUS_RUNNING", "STATUS_SUCCESS"],
        "sliceSize": 10,
    }
    (group,) = server.get("hparams/session_groups", request=json.dumps(request))["sessionGroups"]
    assert texts and texts.items() <= group["hparams"].items()


def test_the_row_says_that_the_run_ended_well(server):
    request = {"allowedStatuses": ["STATUS_SUCCESS"], "sliceSize": 10}
    (group,) = server.get("hparams/session_groups", request=json.dumps(request))["sessionGroups"]
    assert [session["status"] for session in group["sessions"]] == ["STATUS_SUCCESS"]


def test_the_rows_of_runs_below_a_directory_have_their_scalars_as_metrics(demo, tmp_path):
    """Of a run that is --logdir itself TensorBoard shows none."""
    runs = tmp_path / "runs"
    shutil.copytree(demo.directory, runs / "demo")
    server = TensorBoardServer(runs, "true", tmp_path / "tensorboard.log")
    try:
        server.wait_until_loaded(
            LOSS, sum(tag == LOSS for tag, _ in demo.mindspore_values("scalar_value")), "demo"
        )
        infos = server.get("hparams/experiment", request=json.dumps({"includeMetrics": True}))[
            "metricInfos"
        ]
        metrics = [{"metric": info["name"]} for info in infos]
        request = {
            "allowedStatuses": ["STATUS_SUCCESS"],
            "sliceSize": 10,
            "colParams": metrics,
            "includeMetrics": True,
        }
        (group,) = server.get("hparams/session_groups", request=json.dumps(request))[
            "sessionGroups"
        ]
    finally:
        server.close()
    last = {tag: value for (tag, _), value in sorted(demo.mindspore_values("scalar_value").items())}
    assert {metric["name"]["tag"]: metric["value"] for metric in group["metricValues"]} == last

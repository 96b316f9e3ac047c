"""Exports, read by the programs that they are for: TensorBoard, NumPy, Python's csv."""

import csv
import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format
from mindspore_schema import Event, LineageEvent, pixels, read_events
from recording import tensorboard_bins
from records import frame
from tensorboard.backend.event_processing.event_accumulator import (
    EventAccumulator as PlainAccumulator,
)
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.util.tensor_util import make_ndarray
from tensorboard_server import TensorBoardServer

CORPUS = Path(__file__).parent.parent / "corpus"
EVERYTHING = {"tensors": 0, "scalars": 0, "images": 0, "histograms": 0}


def export(build, run, form, out, *options):
    command = [build / "tools" / "sightline", "export", run, "--format", form, "-o", out, *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="module")
def lenet(build, tmp_path_factory):
    """MindSpore's own run: its events by MindSpore's schema, and the export as TensorBoard reads it."""
    out = tmp_path_factory.mktemp("export") / "out"
    export(build, CORPUS / "mindspore" / "lenet", "tensorboard", out)
    (file,) = (CORPUS / "mindspore" / "lenet").glob("*_MS")
    events = list(read_events(file))
    return events, PlainAccumulator(str(out / "lenet"), size_guidance=EVERYTHING).Reload()


def values(events, kind):
    return [
        (e.step, v.tag, v) for e in events for v in e.summary.value if v.WhichOneof("value") == kind
    ]


def test_scalars_of_mindspore(lenet):
    events, shown = lenet
    expected = sorted(
        (step, tag, value.scalar_value) for step, tag, value in values(events, "scalar_value")
    )
    assert expected
    assert (
        sorted(
            (e.step, tag, e.value) for tag in shown.Tags()["scalars"] for e in shown.Scalars(tag)
        )
        == expected
    )


def test_histograms_of_mindspore_keep_their_mass(lenet):
    events, shown = lenet
    expected = []
    for step, tag, value in values(events, "histogram"):
        bins = tensorboard_bins(value.histogram)
        assert sum(count for _, _, count in bins) == sum(
            bucket.count for bucket in value.histogram.buckets
        )
        expected.append(
            (step, tag, [count for _, _, count in bins], [right for _, right, _ in bins])
        )
    assert expected
    found = [
        (e.step, tag, list(e.histogram_value.bucket), list(e.histogram_value.bucket_limit))
        for tag in shown.Tags()["histograms"]
        for e in shown.Histograms(tag)
    ]
    assert sorted(found) == sorted(expected)


def test_images_of_mindspore(lenet):
    events, shown = lenet
    expected = sorted(
        (step, tag, value.image.encoded_image) for step, tag, value in values(events, "image")
    )
    assert expected
    found = [
        (e.step, tag, e.encoded_image_string)
        for tag in shown.Tags()["images"]
        for e in shown.Images(tag)
    ]
    assert sorted(found) == expected


def test_the_graph_of_mindspore_is_a_graph_def(lenet):
    events, shown = lenet
    (graph,) = [e.graph_def for e in events if e.WhichOneof("what") == "graph_def"]
    drawn = GraphDef.FromString(shown.Graph().SerializeToString())
    assert {node.op_type for node in graph.node} <= {node.op for node in drawn.node}
    assert any("/" in node.name for node in drawn.node)


def test_lineage_is_hyper_parameters(lenet):
    _, shown = lenet
    content = shown.summary_metadata["_hparams_/session_start_info"].plugin_data.content
    parameters = HParamsPluginData.FromString(content).session_start_info.hparams
    assert parameters["network"].string_value == "LeNet5"
    assert parameters["learning_rate"].number_value > 0


@pytest.mark.parametrize("log", ["tensorboardx", "tensorboard_v2", "torch/both_a"])
def test_logs_of_tensorboard_read_as_before(build, tmp_path, log):
    export(build, CORPUS / "tensorboard" / log, "tensorboard", tmp_path / "out")

    def read(directory):
        run = EventAccumulator(str(directory), size_guidance={"tensors": 0}).Reload()
        tags = run.Tags()["tensors"]
        return {
            tag: sorted(
                (e.step, e.wall_time, repr(make_ndarray(e.tensor_proto).tolist()))
                for e in run.Tensors(tag)
            )
            for tag in tags
        }, {tag: run.SummaryMetadata(tag).plugin_data.plugin_name for tag in tags}

    assert read(tmp_path / "out" / Path(log).name) == read(CORPUS / "tensorboard" / log)


def test_a_range_keeps_what_a_log_has_in_its_first_values_only(build, tmp_path):
    """TensorFlow 1's writers give metadata in a tag's first value, which is not in the range."""
    source = CORPUS / "wild" / "metadata_once"
    export(build, source, "tensorboard", tmp_path / "out", "--steps", "1:3")

    def read(directory):
        run = EventAccumulator(str(directory), size_guidance={"tensors": 0}).Reload()
        return {
            tag: (
                run.SummaryMetadata(tag).plugin_data.plugin_name,
                [e.step for e in run.Tensors(tag) if e.step >= 1],
            )
            for tag in run.Tags()["tensors"]
        }

    assert len(read(source)) == 6
    assert read(tmp_path / "out" / "metadata_once") == read(source)


def test_npz_of_mindspore(build, tmp_path):
    export(build, CORPUS / "mindspore" / "lenet", "npz", tmp_path / "out.npz")
    (file,) = (CORPUS / "mindspore" / "lenet").glob("*_MS")
    events = list(read_events(file))
    with np.load(tmp_path / "out.npz") as arrays:
        for tag in {tag for _, tag, _ in values(events, "scalar_value")}:
            expected = sorted(
                (step, v.scalar_value)
                for step, name, v in values(events, "scalar_value")
                if name == tag
            )
            folder = f"lenet/scalars/{tag.replace('/', '%2F').replace(':', '%3A')}"
            found = zip(arrays[f"{folder}/steps"].tolist(), arrays[f"{folder}/values"].tolist())
            assert sorted(found) == expected
        images = [name for name in arrays.files if "/images/" in name]
        assert len(images) == len(values(events, "image"))
        step, _, value = values(events, "image")[0]
        assert any(
            np.array_equal(np.squeeze(arrays[n]), np.squeeze(pixels(value.image))) for n in images
        )


def test_csv_and_json_lines_of_mindspore(build, tmp_path):
    (file,) = (CORPUS / "mindspore" / "lenet").glob("*_MS")
    expected = sorted(
        (step, tag, v.scalar_value)
        for step, tag, v in values(list(read_events(file)), "scalar_value")
    )
    export(build, CORPUS / "mindspore" / "lenet", "csv", tmp_path / "out.csv")
    rows = list(
        csv.DictReader(io.StringIO((tmp_path / "out.csv").read_bytes().decode(), newline=""))
    )
    assert sorted((int(row["step"]), row["tag"], float(row["value"])) for row in rows) == expected
    export(build, CORPUS / "mindspore" / "lenet", "jsonl", tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    found = [
        (line["step"], line["tag"], line["value"]) for line in lines if line["kind"] == "scalar"
    ]
    assert sorted(found) == expected


RATES = {"fast": 0.5, "middle": 0.25, "slow": 0.125}


@pytest.fixture(scope="module", params=["true", "false"], ids=["data_server", "python"])
def shown_sweep(request, build, tmp_path_factory):
    """Three trainings of MindSpore's dialect that differ in their learning rate, and MindSpore's own LeNet, exported
    and shown by the real TensorBoard."""
    runs = tmp_path_factory.mktemp("runs")
    for name, rate in RATES.items():
        (runs / name).mkdir()
        loss = [Event(wall_time=1.7e9 + step, step=step) for step in range(1, 4)]
        for event in loss:
            event.summary.value.add(tag="loss", scalar_value=rate * event.step)
        lineage = LineageEvent(wall_time=1.7e9)
        lineage.train_lineage.algorithm.network = "LeNet5"
        lineage.train_lineage.hyper_parameters.learning_rate = rate
        (runs / name / "events.out.events.summary.1700000000.0.vm_MS").write_bytes(
            b"".join(frame(event.SerializeToString()) for event in loss)
        )
        (runs / name / "events.out.events.summary.1700000000.0.vm_lineage").write_bytes(
            frame(lineage.SerializeToString())
        )
    out = tmp_path_factory.mktemp("shown") / "out"
    command = [
        build / "tools" / "sightline",
        "export",
        *(runs / name for name in RATES),
        CORPUS / "mindspore" / "lenet",
    ]
    subprocess.run(
        [*command, "--format", "tensorboard", "-o", out], check=True, stdout=subprocess.DEVNULL
    )
    server = TensorBoardServer(
        out, request.param, tmp_path_factory.mktemp("log") / "tensorboard.log"
    )
    for name in RATES:
        server.wait_until_loaded("loss", 3, name)
    server.wait_until_loaded(
        "logit_mean", 11, "lenet"
    )  # The data server keeps one point of equal steps.
    yield server
    server.close()


def test_the_hparams_page_compares_exported_runs(shown_sweep):
    request = {
        "allowedStatuses": ["STATUS_UNKNOWN", "STATUS_RUNNING", "STATUS_SUCCESS"],
        "sliceSize": 10,
    }
    groups = shown_sweep.get("hparams/session_groups", request=json.dumps(request))["sessionGroups"]
    compared = {}
    for group in groups:
        (session,) = group["sessions"]
        values = {metric["name"]["tag"]: metric["value"] for metric in session["metricValues"]}
        if "loss" in values:
            assert group["hparams"]["network"] == "LeNet5"
            compared[group["hparams"]["learning_rate"]] = values["loss"]
    assert compared == {rate: 3 * rate for rate in RATES.values()}
    experiment = shown_sweep.get("hparams/experiment", request="{}")
    assert {"learning_rate", "network"} <= {info["name"] for info in experiment["hparamInfos"]}
    assert "loss" in {info["name"]["tag"] for info in experiment["metricInfos"]}


def test_the_graph_page_draws_the_exported_graph_with_its_scopes(shown_sweep):
    assert shown_sweep.get("graphs/info")["lenet"]["run_graph"]
    drawn = text_format.Parse(shown_sweep.get_bytes("graphs/graph", run="lenet"), GraphDef())
    names = {node.name for node in drawn.node}
    assert any(name.count("/") >= 2 for name in names), "operators stand in their scopes"
    for node in drawn.node:
        for source in node.input:
            assert source.lstrip("^").split(":")[0] in names, f"{node.name}: {source}"


def test_images_and_histograms_are_shown(shown_sweep, lenet):
    events, _ = lenet
    for plugin, kind in (("images", "image"), ("histograms", "histogram")):
        recorded = {(tag, step) for step, tag, _ in values(events, kind)}
        assert recorded and set(shown_sweep.get(f"{plugin}/tags")["lenet"]) == {
            tag for tag, _ in recorded
        }

"""What sightline.torch.SummaryWriter records for TensorBoard's other pages: texts, hyper-parameters, curves, meshes, layouts,
sound, embeddings and graphs, read back by the real tensorboard package."""

import io
import wave
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from google.protobuf import text_format
from PIL import Image
from sightline.torch import SummaryWriter
from tensorboard.backend.event_processing.event_accumulator import HistogramValue
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.custom_scalar import metadata as custom_scalar
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.plugins.mesh import metadata as mesh
from tensorboard.plugins.pr_curve import metadata as pr_curve
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.plugins.text import text_plugin
from tensorboard.util.tensor_util import make_ndarray
from tensorboard_files import PIXELS, plugin, read, values


def test_a_text_is_there_for_the_text_page(writer):
    writer.add_text("note", "**hé**", 3)
    (event,) = read(writer).Tensors("note/text_summary")
    assert event.step == 3
    assert "<td><p><strong>hé</strong></p></td>" in text_plugin.text_array_to_html(
        make_ndarray(event.tensor_proto), True
    )


def test_hyper_parameters_are_a_row_with_its_metrics(writer):
    given = {"rate": 0.1, "layers": 3, "optimizer": "adam", "bias": True, "none": None, "number": np.float32(0.5),
             "truth": np.bool_(True), "sizes": [1, 2], "path": Path("a/b")}  # fmt: skip
    writer.add_hparams(given, {"accuracy": 0.9}, {"optimizer": ["adam", "sgd"]}, run_name="trial")
    row = values(writer, "trial")
    content = {
        tag: row[tag].metadata.plugin_data.content for tag in row if tag.startswith("_hparams_/")
    }
    start = hparams.parse_session_start_info_plugin_data(
        content["_hparams_/session_start_info"]
    ).hparams
    assert {name: getattr(value, value.WhichOneof("kind")) for name, value in start.items()} == {
        "rate": 0.1, "layers": 3, "optimizer": "adam", "bias": True, "number": 0.5, "truth": True,
        "sizes": "[1, 2]", "path": "a/b",
    }  # fmt: skip
    assert [start[name].WhichOneof("kind") for name in ("bias", "truth")] == 2 * ["bool_value"]
    experiment = hparams.parse_experiment_plugin_data(content["_hparams_/experiment"])
    assert {info.name for info in experiment.hparam_infos} == set(start)
    assert [one.string_value for one in experiment.hparam_infos[2].domain_discrete.values] == [
        "adam",
        "sgd",
    ]
    assert [info.name.tag for info in experiment.metric_infos] == ["accuracy"]
    assert (
        hparams.parse_session_end_info_plugin_data(content["_hparams_/session_end_info"]).status
        == 1
    )
    assert row["accuracy"].simple_value == pytest.approx(0.9)


@pytest.mark.parametrize(
    "wrong", [([("rate", 1)], {}), ({}, [1])], ids=["hparam_dict", "metric_dict"]
)
def test_hyper_parameters_and_metrics_are_dicts(writer, wrong):
    with pytest.raises(TypeError, match="is a dict, not list"):
        writer.add_hparams(*wrong)


def test_a_precision_recall_curve_counts_what_is_right_from_each_threshold_on(writer):
    labels, predictions = np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.8, 0.5, 0.1, 0.0])
    writer.add_pr_curve(
        "pr", labels, predictions, 2, num_thresholds=11, weights=np.array([1, 2, 1, 1, 1])
    )
    value = values(writer)["pr"]
    assert plugin(value) == "pr_curves"
    assert pr_curve.parse_plugin_metadata(value.metadata.plugin_data.content).num_thresholds == 11
    tp, fp, tn, fn, precision, recall = make_ndarray(value.tensor)
    for i, threshold in enumerate(np.arange(11) / 10):
        yes, weights = predictions >= threshold - 1e-9, np.array([1, 2, 1, 1, 1])
        right = weights[yes & (labels == 1)].sum(), weights[yes & (labels == 0)].sum()
        assert (tp[i], fp[i]) == right
        assert (tn[i], fn[i]) == (3 - right[1], 3 - right[0])
        assert precision[i] == pytest.approx(right[0] / max(sum(right), 1e-7)) and recall[
            i
        ] == pytest.approx(right[0] / 3)


def test_probabilities_may_be_rounded_beyond_1(writer):
    writer.add_pr_curve("pr", [1, 0], [1 + 1e-6, -1e-6], num_thresholds=2)
    tp, fp, *_ = make_ndarray(values(writer)["pr"].tensor)
    assert (tp.tolist(), fp.tolist()) == ([1, 1], [1, 0])


def test_a_curve_has_a_threshold(writer):
    writer.add_pr_curve("pr", [1, 0], [0.5, 0.5], num_thresholds=0)
    assert "num_thresholds is 0" in writer.recorder.stats.first_error


def test_a_curve_that_is_already_computed(writer):
    rows = np.arange(18, dtype=np.float64).reshape(6, 3)
    writer.add_pr_curve_raw("pr", *rows, num_thresholds=3)
    np.testing.assert_array_equal(make_ndarray(values(writer)["pr"].tensor), rows)


def test_a_mesh_has_points_colors_and_triangles(writer):
    vertices, colors, faces = (
        np.ones((1, 4, 3)),
        np.full((1, 4, 3), 255),
        np.arange(6).reshape(1, 2, 3),
    )
    writer.add_mesh("body", vertices, colors, faces, {"lights": []}, global_step=5)
    parts = values(writer)
    assert set(parts) == {"body_VERTEX", "body_FACE", "body_COLOR"}
    assert {plugin(part) for part in parts.values()} == {"mesh"}
    for name, part in (("VERTEX", vertices), ("FACE", faces), ("COLOR", colors)):
        about = mesh.parse_plugin_metadata(parts["body_" + name].metadata.plugin_data.content)
        assert (about.name, list(about.shape), about.json_config) == (
            "body",
            list(part.shape),
            '{"lights": []}',
        )
        assert about.components == 0b1110
        np.testing.assert_array_equal(make_ndarray(parts["body_" + name].tensor), part)


def test_a_layout_of_charts(writer):
    layout = {
        "loss": {
            "both": ["Multiline", ["train", "test"]],
            "band": ["Margin", ["mean", "low", "high"]],
        }
    }
    writer.add_custom_scalars(layout)
    got = layout_of(values(writer))
    assert got.category[0].title == "loss"
    assert list(got.category[0].chart[0].multiline.tag) == ["train", "test"]
    band = got.category[0].chart[1].margin.series[0]
    assert (band.value, band.lower, band.upper) == ("mean", "low", "high")


def layout_of(found: dict[str, Any]) -> Any:
    (config,) = found[custom_scalar.CONFIG_SUMMARY_TAG].tensor.string_val
    return layout_pb2.Layout.FromString(config)


@pytest.mark.parametrize(
    "method", ["add_custom_scalars_multilinechart", "add_custom_scalars_marginchart"]
)
def test_one_chart_of_a_layout(writer, method):
    getattr(writer, method)(["a", "b", "c"], "category", "title")
    (chart,) = layout_of(values(writer)).category[0].chart
    assert chart.title == "title" and "a" in str(chart)


def test_a_histogram_that_is_already_counted(writer):
    writer.add_histogram_raw("h", 0, 3, 6, 9.5, 20, [1, 2, 3], np.array([1, 2, 3]), 4)
    got = read(writer).Histograms("h")[0]
    assert got.step == 4
    assert got.histogram_value == HistogramValue(0, 3, 6, 9.5, 20, [1, 2, 3], [1, 2, 3])


def test_sound_is_a_wav_of_its_samples(writer):
    writer.add_audio("beep", np.array([[0.0, 0.5, -0.5, 2.0, -2.0]]), 1, sample_rate=8000)
    audio = values(writer)["beep"].audio
    assert (audio.sample_rate, audio.num_channels, audio.length_frames, audio.content_type) == (
        8000,
        1,
        5,
        "audio/wav",
    )
    with wave.open(io.BytesIO(audio.encoded_audio_string)) as wav:
        assert wav.getframerate() == 8000
        assert np.frombuffer(wav.readframes(5), "<i2").tolist() == [0, 16383, -16383, 32767, -32767]


def test_an_embedding_is_what_the_projector_reads(writer):
    vectors = np.arange(6.0).reshape(3, 2)
    pictures = np.linspace(0, 1, 3 * 3 * 4 * 5).reshape(3, 3, 4, 5)
    writer.add_embedding(vectors, ["a", "b\tb", 'c"'], pictures, global_step=7, tag='all/of "it"')
    writer.add_embedding(
        vectors, [["a", 1], ["b", 2], ["c", 3]], tag="second", metadata_header=["name", "number"]
    )
    writer.close()
    directory = Path(writer.log_dir)
    config = text_format.Parse(
        (directory / "projector_config.pbtxt").read_text(), ProjectorConfig()
    )
    first, second = config.embeddings
    assert first.tensor_name == 'all/of "it":00007'
    np.testing.assert_array_equal(
        np.loadtxt(directory / first.tensor_path, delimiter="\t"), vectors
    )
    assert (directory / first.metadata_path).read_text() == 'a\nb b\nc"\n'
    assert list(first.sprite.single_image_dim) == [5, 4]
    sprite = np.asarray(Image.open(directory / first.sprite.image_path))
    assert sprite.shape == (8, 10, 3)
    np.testing.assert_array_equal(
        sprite[4:, :5], (pictures[2] * 255).astype(np.uint8).transpose(1, 2, 0)
    )
    assert (directory / second.metadata_path).read_text() == "name\tnumber\na\t1\nb\t2\nc\t3\n"


def test_pictures_of_an_embedding_are_uint8_as_they_are(writer):
    writer.add_embedding(
        np.ones((2, 2)), label_img=PIXELS, global_step=1.0, metadata=["a", "b"], metadata_header=[]
    )
    sprite = np.asarray(Image.open(Path(writer.log_dir) / "00001/default/sprite.png"))
    np.testing.assert_array_equal(sprite[:4, 5:10], PIXELS[1].transpose(1, 2, 0))


def test_an_embedding_of_a_second_writer_is_added_to_the_first_ones(writer):
    for _ in range(2):
        for name in ("a", "b"):
            with SummaryWriter(writer.log_dir) as another:
                another.add_embedding(np.ones((2, 2)), tag=name)
    config = (Path(writer.log_dir) / "projector_config.pbtxt").read_text()
    assert config.count("tensor_name") == 2


@pytest.mark.parametrize(
    "wrong",
    [{"mat": np.ones(3)}, {"metadata": ["a"]}, {"label_img": np.ones((2, 2, 4, 4))},
     {"metadata": [["a"], ["b"]], "metadata_header": ["x", "y"]}],
    ids=lambda wrong: next(iter(wrong)),
)  # fmt: skip
def test_an_embedding_that_does_not_fit_together_is_a_value_error(writer, wrong):
    with pytest.raises(ValueError):
        writer.add_embedding(**{"mat": np.ones((2, 2)), **wrong})
    assert not (Path(writer.log_dir) / "projector_config.pbtxt").exists()


def test_a_row_of_hyper_parameters_may_be_in_the_writers_own_run(writer):
    writer.add_scalar("loss", 1.0, 1)
    writer.add_hparams({"rate": 0.5}, {"accuracy": 1.0}, run_name=".")
    assert {"loss", "accuracy", "_hparams_/session_start_info"} <= values(writer).keys()


def test_the_graph_of_an_onnx_file(writer, tmp_path):
    info = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2, 3])  # noqa: E731
    nodes = [
        onnx.helper.make_node("Gemm", ["x", "weight"], ["hidden"], alpha=0.5),
        onnx.helper.make_node("Split", ["hidden"], ["left", "right"]),
        onnx.helper.make_node("Relu", ["right"], ["y"]),
    ]
    model = onnx.helper.make_model(onnx.helper.make_graph(nodes, "net", [info("x")], [info("y")]))
    onnx.save(model, tmp_path / "net.onnx")
    writer.add_onnx_graph(str(tmp_path / "net.onnx"))
    graph = read(writer).Graph()
    assert [(node.name, node.op, list(node.input)) for node in graph.node] == [
        ("input/x", "IO Node", []), ("hidden", "Gemm", ["input/x"]), ("left", "Split", ["hidden"]), ("y", "Relu", ["left"]),
        ("output/y", "IO Node", ["y"]),
    ]  # fmt: skip
    assert graph.node[1].attr["attr"].s == b"alpha = 0.5"
    assert [dim.size for dim in graph.node[0].attr["_output_shapes"].list.shape[0].dim] == [2, 3]

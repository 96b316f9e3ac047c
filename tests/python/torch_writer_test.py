"""sightline.torch.SummaryWriter: PyTorch's interface, read back by the real tensorboard package. Nothing here needs
PyTorch; torch_training_test.py trains with it."""

import io
import sys
import wave
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from google.protobuf import text_format
from matplotlib import pyplot
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator, HistogramValue
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.custom_scalar import metadata as custom_scalar
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.plugins.mesh import metadata as mesh
from tensorboard.plugins.pr_curve import metadata as pr_curve
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.plugins.text import text_plugin
from tensorboard.util.tensor_util import make_ndarray

from sightline.torch import SummaryWriter


@pytest.fixture
def writer(tmp_path):
    with SummaryWriter(tmp_path / "run") as writer:
        yield writer


def read(writer: SummaryWriter, run: str = "") -> EventAccumulator:
    writer.close()
    return EventAccumulator(str(Path(writer.log_dir) / run), size_guidance={"images": 0, "scalars": 0}).Reload()


def picture(writer: SummaryWriter, tag: str) -> np.ndarray:
    (image,) = read(writer).Images(tag)
    return np.asarray(Image.open(io.BytesIO(image.encoded_image_string)))


def test_scalars_have_their_steps_and_zero_without_one(writer):
    writer.add_scalar("loss", 0.5)
    writer.add_scalar("loss", np.float32(0.25), 7)
    writer.add_scalar("loss", 0.125, global_step=8, double_precision=True)
    events = read(writer).Scalars("loss")
    assert [(event.step, event.value) for event in events] == [(0, 0.5), (7, 0.25), (8, 0.125)]


def test_scalars_of_one_chart_become_runs_of_their_own(writer):
    writer.add_scalars("loss/all", {"train": 1.0, "test": 2.0}, 3)
    for key, value in (("train", 1.0), ("test", 2.0)):
        (event,) = read(writer, f"loss_all_{key}").Scalars("loss/all")
        assert (event.step, event.value) == (3, value)


def test_the_runs_of_one_chart_may_be_many(writer):
    """Each has a journal, whose pages are in memory."""
    writer.add_scalars("loss", {str(i): i for i in range(8)})
    assert sum(path.stat().st_size for path in Path(writer.log_dir).glob("loss_*/.sightline-journal-*")) <= 8 << 20


def test_histograms_and_tensors(writer):
    writer.add_histogram("h", np.arange(10), 1, bins="auto", max_bins=5)
    writer.add_tensor("t", np.arange(3, dtype=np.float32), 2)
    run = read(writer)
    assert run.Histograms("h")[0].histogram_value.num == 10
    assert run.Tensors("t")[0].step == 2


PIXELS = np.arange(2 * 3 * 4 * 5, dtype=np.uint8).reshape(2, 3, 4, 5)  # NCHW


@pytest.mark.parametrize("dataformats", ["CHW", "HWC", "WHC", "chw"])
def test_a_picture_of_any_layout_keeps_its_pixels(writer, dataformats):
    order = ["CHW".index(letter) for letter in dataformats.upper()]
    writer.add_image("i", PIXELS[0].transpose(order), 1, dataformats=dataformats)
    np.testing.assert_array_equal(picture(writer, "i"), PIXELS[0].transpose(1, 2, 0))


def test_a_gray_picture_without_channels(writer):
    writer.add_image("i", PIXELS[0, 0], dataformats="HW")
    np.testing.assert_array_equal(picture(writer, "i"), np.stack([PIXELS[0, 0]] * 3, axis=-1))


def test_float_pictures_go_from_0_to_1(writer):
    writer.add_image("i", np.array([[[0.0, 0.5, 1.0, 2.0, -1.0, np.nan]]]))
    assert picture(writer, "i")[0, :, 0].tolist() == [0, 127, 255, 255, 0, 0]


@pytest.mark.parametrize(("channels", "mode"), [(2, "LA"), (4, "RGBA")])
def test_a_picture_with_alpha_keeps_it(writer, channels, mode):
    pixels = PIXELS.reshape(-1, 5, 6)[:channels]
    writer.add_image("i", pixels, 3)
    (image,) = read(writer).Images("i")
    decoded = Image.open(io.BytesIO(image.encoded_image_string))
    assert (decoded.mode, image.step, image.width, image.height) == (mode, 3, 6, 5)
    np.testing.assert_array_equal(np.asarray(decoded), pixels.transpose(1, 2, 0))



def test_a_batch_stands_side_by_side(writer):
    writer.add_images("i", PIXELS.transpose(0, 2, 3, 1), dataformats="NHWC")
    got = picture(writer, "i")
    np.testing.assert_array_equal(got[:4, :5], PIXELS[0].transpose(1, 2, 0))
    np.testing.assert_array_equal(got[:4, 5:10], PIXELS[1].transpose(1, 2, 0))


@pytest.mark.parametrize("dataformats", ["CH", "HHW", "NCHW", "HWX"])
def test_a_layout_that_does_not_fit_is_a_value_error(writer, dataformats):
    with pytest.raises(ValueError, match="dataformats"):
        writer.add_image("i", PIXELS[0], dataformats=dataformats)


def values(writer: SummaryWriter, run: str = "") -> dict[str, Any]:
    """tag -> Summary.Value as it is in the files, without what readers make of it."""
    return {value.tag: value for event in events(writer, run) for value in event.summary.value}


def events(writer: SummaryWriter, run: str = "") -> list[Any]:
    writer.close()
    files = sorted((Path(writer.log_dir) / run).glob("*tfevents*"))
    return [Event.FromString(record) for file in files for record in RawEventFileLoader(str(file)).Load()]


def plugin(value: Any) -> str:
    return value.metadata.plugin_data.plugin_name


def test_a_text_is_there_for_the_text_page(writer):
    writer.add_text("note", "**hé**", 3)
    (event,) = read(writer).Tensors("note/text_summary")
    assert event.step == 3
    assert "<td><p><strong>hé</strong></p></td>" in text_plugin.text_array_to_html(make_ndarray(event.tensor_proto), True)


def test_hyper_parameters_are_a_row_with_its_metrics(writer):
    given = {"rate": 0.1, "layers": 3, "optimizer": "adam", "bias": True, "none": None, "number": np.float32(0.5),
             "truth": np.bool_(True), "sizes": [1, 2], "path": Path("a/b")}  # fmt: skip
    writer.add_hparams(given, {"accuracy": 0.9}, {"optimizer": ["adam", "sgd"]}, run_name="trial")
    row = values(writer, "trial")
    content = {tag: row[tag].metadata.plugin_data.content for tag in row if tag.startswith("_hparams_/")}
    start = hparams.parse_session_start_info_plugin_data(content["_hparams_/session_start_info"]).hparams
    assert {name: getattr(value, value.WhichOneof("kind")) for name, value in start.items()} == {
        "rate": 0.1, "layers": 3, "optimizer": "adam", "bias": True, "number": 0.5, "truth": True,
        "sizes": "[1, 2]", "path": "a/b",
    }  # fmt: skip
    assert [start[name].WhichOneof("kind") for name in ("bias", "truth")] == 2 * ["bool_value"]
    experiment = hparams.parse_experiment_plugin_data(content["_hparams_/experiment"])
    assert {info.name for info in experiment.hparam_infos} == set(start)
    assert [one.string_value for one in experiment.hparam_infos[2].domain_discrete.values] == ["adam", "sgd"]
    assert [info.name.tag for info in experiment.metric_infos] == ["accuracy"]
    assert hparams.parse_session_end_info_plugin_data(content["_hparams_/session_end_info"]).status == 1
    assert row["accuracy"].simple_value == pytest.approx(0.9)


@pytest.mark.parametrize("wrong", [([("rate", 1)], {}), ({}, [1])], ids=["hparam_dict", "metric_dict"])
def test_hyper_parameters_and_metrics_are_dicts(writer, wrong):
    with pytest.raises(TypeError, match="is a dict, not list"):
        writer.add_hparams(*wrong)


def test_a_precision_recall_curve_counts_what_is_right_from_each_threshold_on(writer):
    labels, predictions = np.array([1, 0, 1, 1, 0]), np.array([0.9, 0.8, 0.5, 0.1, 0.0])
    writer.add_pr_curve("pr", labels, predictions, 2, num_thresholds=11, weights=np.array([1, 2, 1, 1, 1]))
    value = values(writer)["pr"]
    assert plugin(value) == "pr_curves"
    assert pr_curve.parse_plugin_metadata(value.metadata.plugin_data.content).num_thresholds == 11
    tp, fp, tn, fn, precision, recall = make_ndarray(value.tensor)
    for i, threshold in enumerate(np.arange(11) / 10):
        yes, weights = predictions >= threshold - 1e-9, np.array([1, 2, 1, 1, 1])
        right = weights[yes & (labels == 1)].sum(), weights[yes & (labels == 0)].sum()
        assert (tp[i], fp[i]) == right
        assert (tn[i], fn[i]) == (3 - right[1], 3 - right[0])
        assert precision[i] == pytest.approx(right[0] / max(sum(right), 1e-7)) and recall[i] == pytest.approx(right[0] / 3)


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
    vertices, colors, faces = np.ones((1, 4, 3)), np.full((1, 4, 3), 255), np.arange(6).reshape(1, 2, 3)
    writer.add_mesh("body", vertices, colors, faces, {"lights": []}, global_step=5)
    parts = values(writer)
    assert set(parts) == {"body_VERTEX", "body_FACE", "body_COLOR"}
    assert {plugin(part) for part in parts.values()} == {"mesh"}
    for name, part in (("VERTEX", vertices), ("FACE", faces), ("COLOR", colors)):
        about = mesh.parse_plugin_metadata(parts["body_" + name].metadata.plugin_data.content)
        assert (about.name, list(about.shape), about.json_config) == ("body", list(part.shape), '{"lights": []}')
        assert about.components == 0b1110
        np.testing.assert_array_equal(make_ndarray(parts["body_" + name].tensor), part)


def test_a_layout_of_charts(writer):
    layout = {"loss": {"both": ["Multiline", ["train", "test"]], "band": ["Margin", ["mean", "low", "high"]]}}
    writer.add_custom_scalars(layout)
    got = layout_of(values(writer))
    assert got.category[0].title == "loss"
    assert list(got.category[0].chart[0].multiline.tag) == ["train", "test"]
    band = got.category[0].chart[1].margin.series[0]
    assert (band.value, band.lower, band.upper) == ("mean", "low", "high")


def layout_of(found: dict[str, Any]) -> Any:
    (config,) = found[custom_scalar.CONFIG_SUMMARY_TAG].tensor.string_val
    return layout_pb2.Layout.FromString(config)


@pytest.mark.parametrize("method", ["add_custom_scalars_multilinechart", "add_custom_scalars_marginchart"])
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
    assert (audio.sample_rate, audio.num_channels, audio.length_frames, audio.content_type) == (8000, 1, 5, "audio/wav")
    with wave.open(io.BytesIO(audio.encoded_audio_string)) as wav:
        assert wav.getframerate() == 8000
        assert np.frombuffer(wav.readframes(5), "<i2").tolist() == [0, 16383, -16383, 32767, -32767]


def test_a_video_is_a_gif_with_the_batch_side_by_side(writer):
    video = np.zeros((2, 3, 3, 4, 5), np.uint8)
    video[0, 1] = video[1, 2] = 255
    writer.add_video("v", video, 1, fps=10)
    picture = values(writer)["v"].image
    gif = Image.open(io.BytesIO(picture.encoded_image_string))
    assert (picture.height, picture.width, gif.n_frames, gif.info["duration"]) == (4, 10, 3, 100)
    bright = []
    for frame in range(3):
        gif.seek(frame)
        pixels = np.asarray(gif.convert("L"))
        bright.append((int(pixels[:, :5].mean()), int(pixels[:, 5:].mean())))
    assert bright == [(0, 0), (255, 0), (0, 255)]


def test_boxes_are_drawn_into_the_picture(writer):
    writer.add_image_with_boxes("i", np.zeros((3, 40, 40), np.uint8), np.array([[4, 4, 30, 30]]), 1, labels=["cat"])
    got = picture(writer, "i")
    assert got[4, 4].tolist() == got[30, 30].tolist() == [255, 0, 0]
    assert got[10, 20].tolist() == got[35, 35].tolist() == [0, 0, 0]
    assert got[18:29, 6:28].any()  # The label.


def test_corners_of_boxes_are_in_any_order_and_what_is_not_finite_is_left_out(writer):
    boxes = np.array([[30, 30, 4, 4], [np.nan, 0, np.inf, 9]])
    writer.add_image_with_boxes("i", np.zeros((3, 40, 40), np.uint8), boxes, labels=["a", "b"])
    got = picture(writer, "i")
    assert got[4, 4].tolist() == got[30, 30].tolist() == [255, 0, 0]
    assert not got[:3].any()


def test_no_boxes_are_drawn_where_there_are_none(writer):
    writer.add_image_with_boxes("i", PIXELS[0], np.zeros(0))
    np.testing.assert_array_equal(picture(writer, "i"), PIXELS[0].transpose(1, 2, 0))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"box_tensor": np.ones((2, 3))}, r"box_tensor has the shape \(boxes, 4\), not \(2, 3\)"),
     ({"img_tensor": PIXELS, "dataformats": "NCHW"}, "a batch of 2")],
)  # fmt: skip
def test_boxes_that_do_not_fit_are_a_value_error(writer, wrong, said):
    with pytest.raises(ValueError, match=said):
        writer.add_image_with_boxes("i", **{"img_tensor": PIXELS[0], "box_tensor": np.ones((1, 4)), **wrong})


class Bfloat16:
    """As a tensor of PyTorch that NumPy has no dtype for."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def detach(self) -> "Bfloat16":
        return self

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def float(self) -> np.ndarray:
        return self.values


def test_tensors_without_a_dtype_of_numpy_are_recorded_as_float32(writer):
    values = np.linspace(0, 1, 12, dtype=np.float32)
    writer.add_image("i", Bfloat16(values.reshape(3, 2, 2)))
    writer.add_audio("a", Bfloat16(values))
    writer.add_embedding(Bfloat16(values.reshape(3, 4)))
    assert writer.recorder.stats.first_error is None
    assert picture(writer, "i")[1, 1].tolist() == (values[3::4] * 255).astype(int).tolist()


@pytest.fixture
def figure(monkeypatch):
    """figure(color, inches=): a figure of pyplot all in one color, 100 pixels an inch."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    yield lambda color, inches=(0.5, 0.4): pyplot.figure(figsize=inches, dpi=100, facecolor=color)
    pyplot.close("all")


@pytest.mark.parametrize("close", [True, False])
def test_a_figure_is_its_pixels_and_closed_unless_it_is_to_stay(writer, figure, close):
    writer.add_figure("f", figure("red"), 2, close=close)
    assert pyplot.get_fignums() == ([] if close else [1])
    np.testing.assert_array_equal(picture(writer, "f"), np.full((40, 50, 3), [255, 0, 0]))


def test_a_list_of_figures_stands_side_by_side(writer, figure):
    writer.add_figure("f", [figure("red"), figure("lime")])
    got = picture(writer, "f")
    assert (got.shape, got[0, 49].tolist(), got[0, 50].tolist()) == ((40, 100, 3), [255, 0, 0], [0, 255, 0])


def test_what_is_no_figure_is_a_type_error_and_different_sizes_are_a_value_error(writer, figure):
    for wrong in (None, figure("red").add_subplot(), [figure("red"), 1]):
        with pytest.raises(TypeError, match="figure is a matplotlib Figure or a list of them, not "):
            writer.add_figure("f", wrong)
    with pytest.raises(ValueError, match=r"one size, not \[\(50, 40\), \(100, 100\)\]"):
        writer.add_figure("f", [figure("red"), figure("red", inches=(1, 1))])
    with pytest.raises(ValueError, match="one size"):
        writer.add_figure("f", [])


def test_an_embedding_is_what_the_projector_reads(writer):
    vectors = np.arange(6.0).reshape(3, 2)
    pictures = np.linspace(0, 1, 3 * 3 * 4 * 5).reshape(3, 3, 4, 5)
    writer.add_embedding(vectors, ["a", "b\tb", 'c"'], pictures, global_step=7, tag='all/of "it"')
    writer.add_embedding(vectors, [["a", 1], ["b", 2], ["c", 3]], tag="second", metadata_header=["name", "number"])
    writer.close()
    directory = Path(writer.log_dir)
    config = text_format.Parse((directory / "projector_config.pbtxt").read_text(), ProjectorConfig())
    first, second = config.embeddings
    assert first.tensor_name == 'all/of "it":00007'
    np.testing.assert_array_equal(np.loadtxt(directory / first.tensor_path, delimiter="\t"), vectors)
    assert (directory / first.metadata_path).read_text() == 'a\nb b\nc"\n'
    assert list(first.sprite.single_image_dim) == [5, 4]
    sprite = np.asarray(Image.open(directory / first.sprite.image_path))
    assert sprite.shape == (8, 10, 3)
    np.testing.assert_array_equal(sprite[4:, :5], (pictures[2] * 255).astype(np.uint8).transpose(1, 2, 0))
    assert (directory / second.metadata_path).read_text() == "name\tnumber\na\t1\nb\t2\nc\t3\n"


def test_pictures_of_an_embedding_are_uint8_as_they_are(writer):
    writer.add_embedding(np.ones((2, 2)), label_img=PIXELS, global_step=1.0, metadata=["a", "b"], metadata_header=[])
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


def test_a_new_style_scalar_keeps_double_precision(writer):
    writer.add_scalar("s", 0.1, 1, new_style=True, double_precision=True)
    writer.add_scalar("f", np.float32(0.1), 1, new_style=True)
    found = values(writer)
    assert plugin(found["s"]) == plugin(found["f"]) == "scalars"
    assert make_ndarray(found["s"].tensor) == 0.1 and make_ndarray(found["f"].tensor) == np.float32(0.1)


def test_from_purge_step_on_the_run_before_is_hidden(writer):
    for step in range(5):
        writer.add_scalar("loss", step, step)
    writer.close()
    with SummaryWriter(writer.log_dir, purge_step=3) as resumed:
        resumed.add_scalar("loss", 30.0, 3)
    assert [(event.step, event.value) for event in read(writer).Scalars("loss")] == [(0, 0), (1, 1), (2, 2), (3, 30)]


@pytest.mark.parametrize(("purge_step", "left"), [(-1, []), (np.int64(1), [0]), (1.0, [0])])
def test_a_purge_step_is_made_a_whole_number_and_below_0_hides_all(writer, purge_step, left):
    for step in range(2):
        writer.add_scalar("loss", step, step)
    writer.close()
    with SummaryWriter(writer.log_dir, purge_step=purge_step) as resumed:
        resumed.add_scalar("loss", 5.0, 5)
    assert [event.step for event in read(writer).Scalars("loss")] == [*left, 5]


@pytest.mark.parametrize("flush_secs", [0, -1, float("inf"), np.float32(3)], ids=str)
def test_any_number_of_flush_secs_will_do(tmp_path, flush_secs):
    with SummaryWriter(tmp_path, flush_secs=flush_secs) as writer:
        writer.add_scalar("loss", 1.0, 1)
    assert list(values(writer)) == ["loss"]


@pytest.mark.parametrize("wrong", [{"flush_secs": "soon"}, {"flush_secs": float("nan")}, {"purge_step": "x"}], ids=str)
def test_a_wrong_option_is_named_as_it_was_given(tmp_path, wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=f"{name} is {value!r}, but must be a number"):
        SummaryWriter(tmp_path / "run", **wrong)
    assert not (tmp_path / "run").exists()


def test_an_object_store_is_no_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="log_dir is 's3://bucket/run', but must be on this machine"):
        SummaryWriter("s3://bucket/run")
    assert not list(tmp_path.iterdir())


def test_an_option_without_effect_is_said(tmp_path, capsys):
    SummaryWriter(tmp_path, filename_suffix=".a").close()
    assert capsys.readouterr().err == "sightline: filename_suffix='.a' has no effect: files have names of their own without it\n"
    SummaryWriter(tmp_path, max_queue=1, flush_secs=3).close()
    assert capsys.readouterr().err == ""


def test_a_row_of_hyper_parameters_may_be_in_the_writers_own_run(writer):
    writer.add_scalar("loss", 1.0, 1)
    writer.add_hparams({"rate": 0.5}, {"accuracy": 1.0}, run_name=".")
    assert {"loss", "accuracy", "_hparams_/session_start_info"} <= values(writer).keys()


def test_walltime_is_the_time_of_the_event(writer):
    nothing = np.zeros((3, 1, 1), np.uint8)
    writer.add_scalar("s", 1.0, 1, walltime=1.25)
    writer.add_scalars("m", {"a": 1.0}, 1, walltime=1.25)
    writer.add_tensor("t", nothing, 1, walltime=1.25)
    writer.add_histogram("h", nothing, 1, walltime=1.25)
    writer.add_image("i", nothing, 1, walltime=1.25)
    writer.add_text("x", "text", 1, walltime=1.25)
    times = {value.tag: event.wall_time for event in events(writer) for value in event.summary.value}
    assert times == {"s": 1.25, "t": 1.25, "h": 1.25, "i": 1.25, "x/text_summary": 1.25}
    assert [event.wall_time for event in events(writer, "m_a")][1:] == [1.25]


BAD = [
    ("add_text", ("t", 5)),
    ("add_audio", ("t", np.ones((2, 3)))),
    ("add_video", ("t", np.ones((2, 3)))),
    ("add_mesh", ("t", np.ones(3))),
    ("add_pr_curve", ("t", [1], [1.5])),
    ("add_pr_curve", ("t", [1, 0], [0.5])),
    ("add_pr_curve_raw", ("t", [1], [1], [1], [1], [1], [1, 2])),
    ("add_histogram_raw", ("t", 0, 1, 1, 1, 1, [1, 2], [1])),
    ("add_custom_scalars", ({"c": {"t": ["Margin", ["a"]]}},)),
    ("add_custom_scalars", (3,)),
]


@pytest.mark.parametrize(("method", "arguments"), BAD)
def test_what_makes_no_sense_is_counted_and_raises_nothing(writer, method, arguments):
    getattr(writer, method)(*arguments)
    assert writer.recorder.stats.invalid_values == 1
    assert writer.recorder.stats.first_error.startswith(method + "(")
    assert values(writer) == {}


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


@pytest.mark.parametrize("missing", ["PIL", "onnx", "matplotlib"])
def test_a_missing_package_is_named(writer, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    calls = {
        "PIL": lambda: writer.add_video("v", np.zeros((1, 1, 3, 2, 2))),
        "onnx": lambda: writer.add_onnx_graph("x"),
        "matplotlib": lambda: writer.add_figure("f", None),
    }
    with pytest.raises(ImportError, match=missing):
        calls[missing]()


def test_a_bad_value_is_counted_and_raises_nothing(writer):
    writer.add_scalar("loss", "low", 1)
    assert "add_scalar('loss', step 1)" in writer.recorder.stats.first_error


def test_a_gradient_that_is_none_is_named(writer):
    writer.add_histogram("gradient", None, 1)
    assert "add_histogram('gradient', step 1): NoneType cannot be recorded" in writer.recorder.stats.first_error


def test_the_first_value_that_is_not_recorded_is_said(writer, capsys):
    writer.add_scalar("loss", 1.0, 1)
    assert capsys.readouterr().err == ""
    for step in range(3):
        writer.add_scalar("loss", "low", step)
        writer.add_text("note", 5, step)
    assert capsys.readouterr().err == (
        f"sightline: {writer.log_dir}: not recorded: add_scalar('loss', step 0): TypeError: must be real number, not str\n"
    )


SAID = {
    "text": (lambda writer: writer.add_text("note", 5), "add_text('note', step 0): TypeError: a text is a str, not int"),
    "scalars": (lambda writer: writer.add_scalars("losses", {"a": [1]}, 2), "losses_a: not recorded: add_scalar('losses', step 2)"),
    "hparams": (lambda writer: writer.add_hparams({"a": "x"}, {}, {"a": [1]}, run_name="row"), "row: not recorded: add_hparams('"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAID)
def test_what_is_not_recorded_of_any_run_is_said(writer, capsys, what):
    call, said = SAID[what]
    call(writer)
    assert said in capsys.readouterr().err


def test_a_child_process_after_fork_says_nothing(run_script, tmp_path):
    done = run_script(f"""
    import os
    from sightline.torch import SummaryWriter
    writer = SummaryWriter({str(tmp_path)!r})
    if os.fork() == 0:
        writer.add_scalar("loss", 1.0, 1)
        os._exit(0)
    os.wait()
    """)
    assert done.stderr == ""


def test_stats_are_there_after_close_and_no_file_is_opened_for_them(writer):
    writer.add_scalar("loss", "low", 1)
    writer.close()
    files = sorted(Path(writer.log_dir).iterdir())
    assert writer.recorder.stats.invalid_values == 1
    assert sorted(Path(writer.log_dir).iterdir()) == files
    writer.add_scalar("loss", 1.0, 1)
    assert writer.recorder.stats.invalid_values == 0


@pytest.mark.parametrize("step", [2.9, np.float64(2.9), "2", np.array(2), np.int32(2)], ids=repr)
def test_a_step_is_made_a_whole_number(writer, step):
    writer.add_scalar("scalar", 1.0, step)
    writer.add_scalars("scalars", {"a": 1.0}, step)
    writer.add_histogram("histogram", np.ones(2), step)
    writer.add_image("image", np.zeros((3, 2, 2)), step)
    writer.add_tensor("tensor", np.ones(2), step)
    writer.add_text("text", "x", step)
    of_runs = [event for run in ("", "scalars_a") for event in events(writer, run)]
    assert [event.step for event in of_runs if event.summary.value] == [2] * 6


@pytest.mark.parametrize("step", [float("nan"), "x", 1 << 63, [1]], ids=repr)
def test_a_step_that_is_none_is_counted(writer, step):
    writer.add_scalar("scalar", 1.0, step)
    writer.add_text("text", "x", step)
    assert writer.recorder.stats.invalid_values == 2
    assert values(writer) == {}


def test_after_close_the_next_call_opens_new_files(writer):
    writer.add_scalar("loss", 1.0, 1)
    writer.close()
    writer.add_scalar("loss", 2.0, 2)
    assert [event.step for event in read(writer).Scalars("loss")] == [1, 2]


def test_without_a_directory_it_is_below_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_first") as writer:
        assert writer.get_logdir() == writer.log_dir
    (made,) = (tmp_path / "runs").iterdir()
    assert made.name.endswith("_first") and made == tmp_path / writer.log_dir

"""sightline.torch.SummaryWriter: PyTorch's interface, read back by the real tensorboard package. Nothing here needs
PyTorch; torch_training_test.py trains with it."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

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
    writer.add_scalar("loss", 0.125, global_step=8, new_style=True, double_precision=True)
    events = read(writer).Scalars("loss")
    assert [(event.step, event.value) for event in events] == [(0, 0.5), (7, 0.25), (8, 0.125)]


def test_scalars_of_one_chart_become_runs_of_their_own(writer):
    writer.add_scalars("loss/all", {"train": 1.0, "test": 2.0}, 3)
    for key, value in (("train", 1.0), ("test", 2.0)):
        (event,) = read(writer, f"loss_all_{key}").Scalars("loss/all")
        assert (event.step, event.value) == (3, value)


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


def test_a_batch_stands_side_by_side(writer):
    writer.add_images("i", PIXELS.transpose(0, 2, 3, 1), dataformats="NHWC")
    got = picture(writer, "i")
    np.testing.assert_array_equal(got[:4, :5], PIXELS[0].transpose(1, 2, 0))
    np.testing.assert_array_equal(got[:4, 5:10], PIXELS[1].transpose(1, 2, 0))


@pytest.mark.parametrize("dataformats", ["CH", "HHW", "NCHW", "HWX"])
def test_a_layout_that_does_not_fit_is_a_value_error(writer, dataformats):
    with pytest.raises(ValueError, match="dataformats"):
        writer.add_image("i", PIXELS[0], dataformats=dataformats)


NOT_YET = [
    "add_histogram_raw", "add_image_with_boxes", "add_video", "add_audio", "add_text", "add_onnx_graph", "add_graph",
    "add_embedding", "add_pr_curve", "add_pr_curve_raw", "add_custom_scalars", "add_custom_scalars_multilinechart",
    "add_custom_scalars_marginchart", "add_mesh", "add_hparams",
]  # fmt: skip


@pytest.mark.parametrize("method", NOT_YET)
def test_what_cannot_be_recorded_says_so_and_what_to_use(writer, method):
    with pytest.raises(NotImplementedError, match=f"SummaryWriter.{method}: .*; use "):
        getattr(writer, method)("tag", 1)


def test_a_bad_value_is_counted_and_raises_nothing(writer):
    writer.add_scalar("loss", "low", 1)
    assert "add_scalar('loss', step 1)" in writer.recorder.stats.first_error


def test_walltime_is_warned_about(writer):
    with pytest.warns(UserWarning, match="walltime is ignored"):
        writer.add_scalar("loss", 1.0, 1, walltime=3.0)


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

"""Pictures, figures and videos of sightline.torch.SummaryWriter, read back by the real tensorboard package."""

import io

import numpy as np
import pytest
from matplotlib import pyplot
from PIL import Image
from tensorboard_files import PIXELS, picture, read, values


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


@pytest.mark.parametrize(
    ("shape", "given", "likely"), [((8, 8, 3), "CHW", "HWC"), ((2, 8, 8, 1), "NCHW", "NHWC")]
)
def test_channels_that_are_last_are_named(writer, shape, given, likely):
    with pytest.raises(
        ValueError,
        match=f"has 8 channels by dataformats='{given}'; did you mean dataformats='{likely}'",
    ):
        writer.add_image("i", np.zeros(shape, np.uint8), dataformats=given)


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
    writer.add_image_with_boxes(
        "i", np.zeros((3, 40, 40), np.uint8), np.array([[4, 4, 30, 30]]), 1, labels=["cat"]
    )
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
        writer.add_image_with_boxes(
            "i", **{"img_tensor": PIXELS[0], "box_tensor": np.ones((1, 4)), **wrong}
        )


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
    assert (got.shape, got[0, 49].tolist(), got[0, 50].tolist()) == (
        (40, 100, 3),
        [255, 0, 0],
        [0, 255, 0],
    )


def test_what_is_no_figure_is_a_type_error_and_different_sizes_are_a_value_error(writer, figure):
    for wrong in (None, figure("red").add_subplot(), [figure("red"), 1]):
        with pytest.raises(
            TypeError, match="figure is a matplotlib Figure or a list of them, not "
        ):
            writer.add_figure("f", wrong)
    with pytest.raises(ValueError, match=r"one size, not \[\(50, 40\), \(100, 100\)\]"):
        writer.add_figure("f", [figure("red"), figure("red", inches=(1, 1))])
    with pytest.raises(ValueError, match="one size"):
        writer.add_figure("f", [])

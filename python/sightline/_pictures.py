"""Converts arrays to the pixels that are recorded."""

import io
import re
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from sightline._arrays import array


def uint8(pixels: Any) -> Any:
    """Pixels as uint8: uint8 is not changed, other dtypes range from 0 (black) to 1 (white)."""
    import numpy as np

    if pixels.dtype == np.uint8:
        return pixels
    return np.clip(np.nan_to_num(pixels.astype(np.float32)) * 255, 0, 255).astype(np.uint8)


def batch(picture: Any, dataformats: str) -> Any:
    """uint8 pixels as (batch, channels, height, width)."""
    import numpy as np

    pixels = array(picture)
    letters = dataformats.upper()
    if pixels.ndim != len(letters) or not re.fullmatch(
        "N?C?HW", "".join(sorted(letters, key="NCHW".find))
    ):
        raise ValueError(
            f"dataformats is {dataformats!r} for an array of shape {pixels.shape}, but must name each dimension once: "
            "H, W, and C and N where there are channels and a batch"
        )
    pixels = pixels.transpose([letters.index(letter) for letter in "NCHW" if letter in letters])
    if "C" not in letters:
        pixels = np.expand_dims(pixels, -3)
    if "N" not in letters:
        pixels = pixels[None]
    if pixels.shape[1] > 4 and pixels.shape[3] in (1, 3, 4):
        likely = letters.replace("CHW", "HWC")
        raise ValueError(
            f"an array of shape {array(picture).shape} has {pixels.shape[1]} channels by dataformats={dataformats!r}; "
            f"did you mean dataformats={likely!r}?"
        )
    return uint8(pixels)


def frames(video: Any) -> Any:
    """(time, height, width, 3) of a video (batch, time, 1 or 3 channels, height, width).

    The videos of the batch are placed in a grid, with as many rows as columns or one less.
    """
    import numpy as np

    pixels = uint8(array(video))
    if pixels.ndim != 5 or pixels.shape[2] not in (1, 3) or pixels.size == 0:
        raise ValueError(
            f"a video has the shape (batch, time, 1 or 3 channels, height, width), not {pixels.shape}"
        )
    count, time, _, height, width = pixels.shape
    columns = int(np.ceil(np.sqrt(count)))
    rows = -(-count // columns)
    grid = np.zeros((rows * columns, time, 3, height, width), np.uint8)
    grid[:count] = pixels
    grid = grid.reshape(rows, columns, time, 3, height, width).transpose(2, 0, 4, 1, 5, 3)
    return grid.reshape(time, rows * height, columns * width, 3)


def gif(pictures: Any, fps: float) -> bytes:
    """A GIF file of uint8 pictures (time, height, width, 3), which repeats for ever. Needs Pillow."""
    from PIL import Image

    first, *others = (Image.fromarray(picture) for picture in pictures)
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=1000 / fps, loop=0)
    return file.getvalue()


def with_boxes(
    picture: Any, boxes: Any, rescale: float, dataformats: str, labels: Sequence[str] | str | None
) -> Any:
    """Draws red rectangles (xmin, ymin, xmax, ymax) with their labels into a picture; uint8 CHW. Needs Pillow."""
    import numpy as np
    from PIL import Image, ImageDraw

    pictures = batch(picture, dataformats)
    if len(pictures) != 1:
        raise ValueError(f"boxes are drawn into one picture, not into a batch of {len(pictures)}")
    pixels = pictures[0]
    corners = array(boxes)
    if corners.size and (corners.ndim > 2 or corners.shape[-1:] != (4,)):
        raise ValueError(f"box_tensor has the shape (boxes, 4), not {corners.shape}")
    corners = corners.reshape(-1, 4)
    image = Image.fromarray(
        np.broadcast_to(pixels, (3, *pixels.shape[1:])).transpose(1, 2, 0).copy()
    )
    draw = ImageDraw.Draw(image)
    names = [labels] if isinstance(labels, str) else list(labels or ())
    for i, box in enumerate(corners.tolist()):
        if not np.isfinite(box).all():
            continue
        # A model that is learning predicts corners in any order.
        (left, right), (top, bottom) = sorted(box[0::2]), sorted(box[1::2])
        draw.rectangle((left, top, right, bottom), outline="red", width=2)
        if len(names) == len(corners):
            draw.text((left + 3, bottom - 12), str(names[i]), fill="red")
    if rescale != 1:
        image = image.resize((int(image.width * rescale), int(image.height * rescale)))
    return np.asarray(image).transpose(2, 0, 1)


def png(pixels: Any) -> bytes:
    """A PNG file (W3C) of uint8 pixels (height, width, channels): gray, gray and alpha, RGB or RGBA."""
    import numpy as np

    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)  # Filter 0 before each row.
    rows[:, 1:] = pixels.reshape(height, width * channels)

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    color_type = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    about = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", about)
        + chunk(b"IDAT", zlib.compress(rows.tobytes()))
        + chunk(b"IEND", b"")
    )

"""What a SummaryWriter wrote, read back by the real tensorboard package."""

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from sightline.torch import SummaryWriter
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event


def read(writer: SummaryWriter, run: str = "") -> EventAccumulator:
    writer.close()
    return EventAccumulator(
        str(Path(writer.log_dir) / run), size_guidance={"images": 0, "scalars": 0}
    ).Reload()


def picture(writer: SummaryWriter, tag: str) -> np.ndarray:
    (image,) = read(writer).Images(tag)
    return np.asarray(Image.open(io.BytesIO(image.encoded_image_string)))


PIXELS = np.arange(2 * 3 * 4 * 5, dtype=np.uint8).reshape(2, 3, 4, 5)  # NCHW


def values(writer: SummaryWriter, run: str = "") -> dict[str, Any]:
    """tag -> Summary.Value as it is in the files, without what readers make of it."""
    return {value.tag: value for event in events(writer, run) for value in event.summary.value}


def events(writer: SummaryWriter, run: str = "") -> list[Any]:
    writer.close()
    files = sorted((Path(writer.log_dir) / run).glob("*tfevents*"))
    return [
        Event.FromString(record)
        for file in files
        for record in RawEventFileLoader(str(file)).Load()
    ]


def plugin(value: Any) -> str:
    return value.metadata.plugin_data.plugin_name

"""MindSpore's own messages, built from the descriptors of its wheel: nothing here knows our .proto files."""

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    json_format,
    message_factory,
    unknown_fields,
)
from PIL import Image
from records import read_records

CORPUS = Path(__file__).parent.parent / "corpus" / "mindspore"

# The one field that our files add, in Event's and LineageEvent's free range: who wrote the file (docs/event_file.md).
SESSION_FIELD = 1000


def _message_classes():
    files = descriptor_pb2.FileDescriptorSet.FromString((CORPUS / "descriptors.pb").read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    names = ("Event", "LineageEvent")
    return [
        message_factory.GetMessageClass(pool.FindMessageTypeByName(f"mindspore.irpb.{name}"))
        for name in names
    ]


Event, LineageEvent = _message_classes()


def read_events(path: Path) -> Iterator[Any]:
    """Every event of a file, by its kind of name. Parsing fails on a missing required field or a malformed one."""
    message = LineageEvent if path.name.endswith("_lineage") else Event
    for payload in read_records(path):
        yield message.FromString(payload)


def unknown_field_numbers(message: Any) -> set[int]:
    """Numbers, anywhere inside the message, that MindSpore's schema does not have."""
    numbers = {field.field_number for field in unknown_fields.UnknownFieldSet(message)}
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        if descriptor.message_type.GetOptions().map_entry:
            continue
        for child in value if descriptor.is_repeated else [value]:
            numbers |= unknown_field_numbers(child)
    return numbers


def pixels(image: Any) -> np.ndarray:
    """The decoded picture of an Image message: height, width, 3."""
    return np.asarray(Image.open(io.BytesIO(image.encoded_image)))


def twin(event: Any) -> dict[str, Any]:
    """The event in the form of the corpus' twins: protobuf's JSON, a picture by size and hash of its pixels."""
    form = json_format.MessageToDict(event, preserving_proto_field_name=True)
    for value, message in zip(form.get("summary", {}).get("value", []), event.summary.value):
        if "image" in value:
            decoded = pixels(message.image)
            del value["image"]["encoded_image"]
            value["image"]["pixels_shape"] = list(decoded.shape)
            value["image"]["pixels_sha256"] = hashlib.sha256(decoded.tobytes()).hexdigest()
    return form

"""The files of TensorBoard's PROJECTOR page: vectors, labels and pictures beside the event files."""

import os
from collections.abc import Sequence
from typing import Any

from sightline._arrays import array
from sightline._pictures import png, uint8


def add_embedding(
    directory: str, vectors: Any, labels: Sequence[Any] | None, header: Sequence[str] | None, pictures: Any,
    step: int, tag: str,
) -> None:  # fmt: skip
    """Writes <step>/<tag>/{tensors.tsv, metadata.tsv, sprite.png} and names them in projector_config.pbtxt.

    vectors: (points, dimensions). labels: one for each point, or with a header one row for each. pictures: (points, 1
    or 3 channels, height, width), uint8 or from 0 to 1. Raises ValueError if these do not fit, OSError for the files.
    """
    vectors = array(vectors)
    if vectors.ndim != 2:
        raise ValueError(f"an embedding has the shape (points, dimensions), not {vectors.shape}")
    folder = f"{step:05d}/" + "".join(f"%{ord(c):02x}" if c in "%/\\" else c for c in tag)
    entry = {"tensor_name": f"{tag}:{step:05d}", "tensor_path": folder + "/tensors.tsv"}
    files = {"tensors.tsv": _table(vectors.tolist())}
    header = header or None
    if labels is not None:
        if len(labels) != len(vectors):
            raise ValueError(f"{len(labels)} labels for {len(vectors)} points")
        if header is not None and any(len(row) != len(header) for row in labels):
            raise ValueError(f"metadata_header has {len(header)} columns, a label another number")
        entry["metadata_path"] = folder + "/metadata.tsv"
        files["metadata.tsv"] = _table(
            [header, *labels] if header is not None else [[label] for label in labels]
        )
    text = "".join(f"  {key}: {_quoted(value)}\n" for key, value in entry.items())
    if pictures is not None:
        pictures = array(pictures)
        if pictures.ndim != 4 or pictures.shape[1] not in (1, 3) or len(pictures) != len(vectors):
            raise ValueError(
                f"label_img has the shape (points, 1 or 3, height, width), not {pictures.shape}"
            )
        files["sprite.png"] = _sprite(pictures)
        text += f"  sprite {{\n    image_path: {_quoted(folder + '/sprite.png')}\n"
        text += f"    single_image_dim: {pictures.shape[3]}\n    single_image_dim: {pictures.shape[2]}\n  }}\n"
    os.makedirs(os.path.join(directory, folder), exist_ok=True)
    for name, content in files.items():
        _write(os.path.join(directory, folder, name), content)
    _add_to_config(os.path.join(directory, "projector_config.pbtxt"), f"embeddings {{\n{text}}}\n")


def _add_to_config(path: str, entry: str) -> None:
    """Adds an embedding to the configuration, and keeps those of earlier writers."""
    try:
        with open(path, encoding="utf-8") as file:
            before = file.read()
    except FileNotFoundError:
        before = ""
    if entry not in before:
        _write(path, (before + entry).encode())


def _write(path: str, content: bytes) -> None:
    """Writes the file whole or not at all, since TensorBoard may be reading it."""
    with open(path + ".tmp", "wb") as file:
        file.write(content)
    os.replace(path + ".tmp", path)


def _table(rows: Sequence[Sequence[Any]]) -> bytes:
    def cell(value: Any) -> str:
        return str(value).replace("\t", " ").replace("\n", " ")

    return "".join("\t".join(map(cell, row)) + "\n" for row in rows).encode("utf-8", "replace")


def _quoted(value: str) -> str:
    """A string in protobuf's text format."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _sprite(pictures: Any) -> bytes:
    """The pictures as one square of them, row by row."""
    import numpy as np

    count, channels, height, width = pictures.shape
    side = int(np.ceil(np.sqrt(count)))
    pixels = np.zeros((side * side, height, width, 3), np.uint8)
    pixels[:count] = uint8(pictures).transpose(0, 2, 3, 1)
    square = pixels.reshape(side, side, height, width, 3).swapaxes(1, 2)
    return png(square.reshape(side * height, side * width, 3))

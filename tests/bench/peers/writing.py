"""How fast tensorboardX writes. Every function records until Close has everything in the file, below `directory`."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tensorboardX import SummaryWriter


def _seconds(directory: Path, record: Callable[[SummaryWriter], None]) -> float:
    writer = SummaryWriter(str(directory))
    start = time.perf_counter()
    record(writer)
    writer.close()
    return time.perf_counter() - start


def scalar_events_per_second(directory: Path, count: int) -> float:
    def record(writer: SummaryWriter) -> None:
        for step in range(count):
            writer.add_scalar("loss/train", 0.5, step)

    return count / _seconds(directory, record)


def histogram_values_per_second(directory: Path, values: np.ndarray, repeats: int) -> float:
    def record(writer: SummaryWriter) -> None:
        for step in range(repeats):
            writer.add_histogram("weights", values, step)

    return repeats * values.size / _seconds(directory, record)


def images_per_second(directory: Path, chw: np.ndarray, repeats: int) -> tuple[float, float]:
    """Images a second, and the bytes of one PNG."""

    def record(writer: SummaryWriter) -> None:
        for step in range(repeats):
            writer.add_image("image", chw, step)

    seconds = _seconds(directory, record)
    size = sum(file.stat().st_size for file in directory.iterdir())
    return repeats / seconds, size / repeats


def scalar_file(directory: Path, count: int) -> Path:
    """A file of `count` one-scalar events behind the version record."""
    scalar_events_per_second(directory, count)
    (file,) = directory.iterdir()
    return file


def repeat_events(file: Path, times: int, directory: Path) -> Path:
    """A directory with one file: the events of `file`, `times` times."""
    version_record = 24 + 16  # brain.Event:2 in its frame.
    data = file.read_bytes()
    (directory / file.name).write_bytes(data[:version_record] + data[version_record:] * times)
    return directory

"""A directory that we recorded into, read by the peers' own code."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mindspore_schema import read_events


def npy_key(file: Path) -> tuple[str, int]:
    """The (tag, step) that an exported file's name says."""
    tag, _, step = file.stem.rpartition("_")
    return unquote(tag), int(step)


def tensorboard_bins(histogram: Any) -> list[tuple[float, float, int]]:
    """(left, right, count) of MindSpore's histogram as TensorBoard has it: without the empty buckets at both ends,
    the first beginning at the minimum, the last ending at the maximum, the others where the next one begins."""
    buckets = list(histogram.buckets)
    while buckets and buckets[0].count == 0:
        del buckets[0]
    while buckets and buckets[-1].count == 0:
        del buckets[-1]
    lefts = [histogram.min] + [bucket.left for bucket in buckets[1:]]
    return list(zip(lefts, lefts[1:] + [histogram.max], [bucket.count for bucket in buckets]))


@dataclass(frozen=True)
class Recording:
    directory: Path

    def _named(self, part: str) -> list[Path]:
        return sorted(
            file for file in self.directory.iterdir() if file.is_file() and part in file.name
        )

    @property
    def mindspore_files(self) -> list[Path]:
        return [file for file in self._named("summary.") if file.name.endswith("_MS")]

    @property
    def lineage_files(self) -> list[Path]:
        return [file for file in self._named("summary.") if file.name.endswith("_lineage")]

    @property
    def tensorboard_files(self) -> list[Path]:
        return self._named("tfevents")

    @property
    def npy_files(self) -> list[Path]:
        return sorted(self.directory.glob("export_*/tensor/*.npy"))

    def mindspore_events(self) -> Iterator[Any]:
        """Events with a summary or a graph, in the files' order, by MindSpore's own schema."""
        for file in self.mindspore_files:
            for event in read_events(file):
                if event.WhichOneof("what") != "version":
                    yield event

    def mindspore_values(self, kind: str) -> dict[tuple[str, int], Any]:
        """(tag, step) -> value, of one kind as MindSpore's field is called, e.g. "scalar_value"."""
        return {
            (value.tag, event.step): getattr(value, kind)
            for event in self.mindspore_events()
            for value in event.summary.value
            if value.WhichOneof("value") == kind
        }

"""A directory that we recorded into."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

from mindspore_schema import read_events


@dataclass(frozen=True)
class Recording:
    directory: Path

    def _named(self, part: str) -> list[Path]:
        return sorted(file for file in self.directory.iterdir() if file.is_file() and part in file.name)

    @property
    def mindspore_files(self) -> list[Path]:
        return [file for file in self._named("summary.") if file.name.endswith("_MS")]

    @property
    def lineage_files(self) -> list[Path]:
        return [file for file in self._named("summary.") if file.name.endswith("_lineage")]

    @property
    def tensorboard_files(self) -> list[Path]:
        return self._named("tfevents")

    def mindspore_events(self) -> Iterator[Any]:
        """Events with a summary or a graph, in the files' order, by MindSpore's own schema."""
        for file in self.mindspore_files:
            for event in read_events(file):
                if event.WhichOneof("what") != "version":
                    yield event

"""The extension module of sightline.runs; use that instead."""

import os

import numpy as np
import numpy.typing as npt

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Doubles = npt.NDArray[np.float64]
# kind, plugin, tag, rank, appended_from, void_from
_SeriesChange = tuple[str, str, str, int, int, int | None]

# The kinds of series.
KINDS: tuple[str, ...]

class StoredRun:
    """The data of a runs.Run."""

    @property
    def name(self) -> str:
        """Its path below the root."""
    @property
    def directory(self) -> str:
        """Its path."""
    @property
    def started(self) -> float | None:
        """Unix time of the first event; None without one."""
    @property
    def ended(self) -> float | None:
        """Unix time of the last event; None without one."""
    @property
    def damaged(self) -> bool:
        """Whether something could not be read."""
    def state(self) -> str:
        """Its state now, in one word."""
    def lineage(self) -> dict[str, int | float | str]:
        """How the training was set up, and its results."""
    def files(
        self,
    ) -> list[
        tuple[str, str, int, int, int, int, str | None, list[tuple[int, int, str]], str | None]
    ]:
        """path, kind, bytes, records, journal_records, rank, session_id, damage (offset, length, reason), error"""
    def events(self) -> dict[str, int]:
        """How many events there are of each kind."""
    def asides(self) -> dict[str, int]:
        """How many events there are of each kind that has no tag: graphs, lineage, ..."""
    def graphs(self) -> list[tuple[bool, bytes]]:
        """For each graph: whether it is MindSpore's GraphProto, and the message."""
    def series(self) -> list[StoredSeries]:
        """All series."""
    def superseded(self) -> list[StoredSeries]:
        """The points that do not count, since their steps were recorded again."""
    def refreshed(self) -> tuple[str, StoredRun | None, list[_SeriesChange]] | None:
        """What changed since then: kind, the run now, changes of its series. None if nothing changed."""

class StoredSeries:
    """The data of a runs.Series."""

    @property
    def kind(self) -> str:
        """The kind of its values."""
    @property
    def plugin(self) -> str:
        """TensorBoard's plugin; empty for most."""
    @property
    def tag(self) -> str:
        """Its tag."""
    @property
    def rank(self) -> int:
        """The process that recorded it."""
    def __len__(self) -> int: ...
    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """The step of each point."""
    @property
    def wall_times(self) -> npt.NDArray[np.float64]:
        """The Unix time of each point."""
    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The number of each point of a series of scalars."""
    def lower_bound(self, step: int) -> int:
        """The first position of this step or a later one."""
    def last_at(self, step: int) -> int | None:
        """The last position of this step; None if there is none."""
    def columns(self, count: int) -> list[tuple[int, int, float, float]]:
        """(first step, last step, minimum, maximum) of at most `count` columns."""
    def tensor(self, position: int) -> npt.NDArray[np.generic]:
        """The tensor at a position."""
    def histogram(
        self, position: int
    ) -> tuple[
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
        npt.NDArray[np.int64] | npt.NDArray[np.float64],
        int | float,
        int,
        int,
        int,
        float | None,
        float | None,
        float | None,
    ]:
        """left, width, counts, count, nan_count, pos_inf_count, neg_inf_count, min, max, sum"""
    def image(self, position: int) -> tuple[int, int, bytes]:
        """width, height, the file"""
    def texts(self, position: int) -> list[str]:
        """The texts at a position."""
    def audio(self, position: int) -> tuple[bytes, str, float]:
        """the file, content type, Hz"""
    def message(self, position: int) -> bytes:
        """The serialized message of the value at a position."""

class StoredRuns:
    """The data of a runs.Runs."""

    def runs(self) -> list[StoredRun]:
        """All runs, by name."""
    def find(self, name: str) -> StoredRun | None:
        """The run with this name, or the part of a joined run; None if there is none."""
    def where(self, query: str) -> StoredRuns:
        """The runs for which a query is true."""
    def sorted(self, expression: str, descending: bool) -> StoredRuns:
        """The runs, sorted by the value of an expression."""
    def refresh(self) -> list[tuple[str, str, StoredRun | None, list[_SeriesChange]]]:
        """Reads what is new. For each run that changed: kind, name, the run, and the changes of its series."""
    def band(self, tag: str) -> tuple[list[int], _Doubles, _Doubles, _Doubles, _Doubles, _Doubles]:
        """steps, counts, mean, min, max, deviation"""
    def watch(self) -> int:
        """From now on, refresh looks only at what changed. Returns a descriptor for select(), or -1."""

class ExportTarget:
    """A folder that appears whole or not at all (export_target.h)."""

    def __init__(self, path: _Path, replace: bool) -> None: ...
    @property
    def temporary(self) -> str:
        """The folder to write into."""
    def commit(self) -> None:
        """Gives the folder its name."""
    def discard(self) -> None:
        """Removes what was not committed."""

class TagFilter:
    """The tags that a regular expression of RE2 chooses (tag_filter.h)."""

    def __init__(self, option: str, pattern: str) -> None: ...
    def __call__(self, tag: str) -> bool:
        """Whether it chooses the tag."""

def open_run(path: _Path, name: str) -> StoredRun:
    """Opens the run in one directory."""

def open_runs(paths: list[_Path], join: bool) -> StoredRuns:
    """Opens every run in and below directories."""

def find_runs(paths: list[_Path]) -> list[tuple[str, str]]:
    """The names and directories of runs, named as in exports."""

def decode_png(png: bytes) -> npt.NDArray[np.uint8]:
    """The pixels of a PNG file: (height, width, channels)."""

def gather(
    pieces: list[tuple[StoredSeries, int, int]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The points [begin, end) of each series of scalars, one series after the other: steps, wall times, values."""

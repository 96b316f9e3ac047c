"""The extension module that sightline.runs is made of; use that."""

import os

import numpy as np
import numpy.typing as npt

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_Doubles = npt.NDArray[np.float64]
# kind, plugin, tag, rank, appended_from, void_from
_SeriesChange = tuple[str, str, str, int, int, int | None]

class StoredRun:
    """What runs.Run is made of."""

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
    def state(self, now: float) -> str:
        """The word for its state at a Unix time."""
    def lineage(self) -> dict[str, int | float | str]:
        """How it was set up and what came out."""
    def files(
        self,
    ) -> list[tuple[str, str, int, int, int, int, str | None, list[tuple[int, int, str]], str | None]]:
        """path, kind, bytes, records, journal_records, rank, session_id, damage (offset, length, reason), error"""
    def events(self) -> dict[str, int]:
        """How many values there are of each kind."""
    def asides(self) -> dict[str, int]:
        """How many events there are of each kind that is no value of a tag: graphs, lineage, ..."""
    def graphs(self) -> list[tuple[bool, bytes]]:
        """Whether it is MindSpore's GraphProto, and the message."""
    def series(self) -> list[StoredSeries]:
        """All series."""
    def superseded(self) -> list[StoredSeries]:
        """What a later session recorded anew."""
    def refreshed(self) -> tuple[str, StoredRun | None, list[_SeriesChange]] | None:
        """What became of the run since: kind, the run now, changes of its series. None: nothing."""

class StoredSeries:
    """What runs.Series is made of."""

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
        """first step, last step, minimum, maximum"""
    def tensor(self, position: int) -> npt.NDArray[np.generic]:
        """A tensor by its position."""
    def histogram(
        self, position: int
    ) -> tuple[
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
        npt.NDArray[np.int64],
        int,
        int,
        int,
        int,
        float,
        float,
        float,
    ]:
        """left, width, counts, count, nan_count, pos_inf_count, neg_inf_count, min, max, sum"""
    def image(self, position: int) -> tuple[int, int, bytes]:
        """width, height, the file"""
    def texts(self, position: int) -> list[str]:
        """The texts of a position."""
    def audio(self, position: int) -> tuple[bytes, str, float]:
        """the file, content type, Hz"""
    def message(self, position: int) -> bytes:
        """A value's serialized message by its position."""

class StoredRuns:
    """What runs.Runs is made of."""

    def runs(self) -> list[StoredRun]:
        """All, by name."""
    def where(self, query: str, now: float) -> StoredRuns:
        """Those that a query holds for."""
    def sorted(self, expression: str, descending: bool, now: float) -> StoredRuns:
        """By the value of an expression."""
    def refresh(self) -> list[tuple[str, str, StoredRun | None, list[_SeriesChange]]]:
        """Reads what is new: kind, name, the run and changes of its series, of each run that changed."""
    def band(self, tag: str) -> tuple[list[int], _Doubles, _Doubles, _Doubles, _Doubles, _Doubles]:
        """steps, counts, mean, min, max, deviation"""
    def watch(self) -> int:
        """Refreshing looks only at what changed from now on. A descriptor that select() waits for, or -1."""

class ExportTarget:
    """A folder that is there whole or not at all (export_target.h)."""

    def __init__(self, path: _Path, replace: bool) -> None: ...
    @property
    def temporary(self) -> str:
        """Where to write."""
    def commit(self) -> None:
        """Gives it its name."""
    def discard(self) -> None:
        """Removes what was not committed."""

def open_run(path: _Path, name: str) -> StoredRun:
    """Opens one directory."""
def open_runs(paths: list[_Path]) -> StoredRuns:
    """Opens every run in and below directories."""
def find_runs(paths: list[_Path]) -> list[tuple[str, str]]:
    """Names and directories, as exports name runs."""

def decode_png(png: bytes) -> npt.NDArray[np.uint8]:
    """Pixels (height, width, channels)."""
def gather(
    pieces: list[tuple[StoredSeries, int, int]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points [begin, end) of series of scalars, one after the other: steps, wall times, values."""

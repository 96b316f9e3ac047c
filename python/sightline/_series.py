"""The points of one tag of a run, and the values that are more than a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar

from sightline import _charts, _runs, _tables

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import pyarrow

T = TypeVar("T")


class Series:
    """The points of one tag, in the order of step, wall time, file and place in the file. It has every recorded point,
    also several of one step.
    """

    def __init__(self, stored: _runs.StoredSeries) -> None:
        self._stored = stored

    @property
    def kind(self) -> str:
        """ "scalar", "histogram", "image", "tensor", "text", "audio", "landscape", "plugin" or "unknown"."""
        return self._stored.kind

    @property
    def tag(self) -> str:
        """The tag as it was recorded."""
        return self._stored.tag

    @property
    def rank(self) -> int:
        """The rank of the process that recorded it; 0 in a training of one process."""
        return self._stored.rank

    @property
    def plugin(self) -> str:
        """The TensorBoard plugin that shows a series of kind "plugin", such as "pr_curves"; else empty."""
        return self._stored.plugin

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """The step of each point: int64, ascending, read-only, no copy."""
        return self._stored.steps

    @property
    def wall_times(self) -> npt.NDArray[np.float64]:
        """When each point was recorded: seconds since 1970 as float64, read-only, no copy."""
        return self._stored.wall_times

    def __len__(self) -> int:
        return len(self._stored)

    def __contains__(self, step: object) -> bool:
        """Whether a value was recorded at that step."""
        return isinstance(step, SupportsIndex) and self._stored.last_at(index(step)) is not None

    def __repr__(self) -> str:
        first, last = self.steps[0], self.steps[-1]
        return f"<{type(self).__name__} {self.tag!r}: {len(self)} points, steps {first} to {last}>"

    def _position(self, step: SupportsIndex) -> int:
        """The position of the last point of a step."""
        position = self._stored.last_at(index(step))
        if position is None:
            behind = self._stored.lower_bound(index(step))
            near = " and ".join(
                str(self.steps[i]) for i in (behind - 1, behind) if 0 <= i < len(self)
            )
            raise KeyError(f"{self.tag!r} has no value at step {step}; near it are steps {near}")
        return position


class Scalars(Series):
    """The numbers of one tag: three columns of the same length.

    `scalars[step]` is the last value of a step, `scalars.values[i]` the i-th value."""

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The value of each point: float64, read-only, no copy. A number that was recorded as float32 is exactly that
        number.
        """
        return self._stored.values

    def __getitem__(self, step: SupportsIndex) -> float:
        """The last value that was recorded at a step. Raises KeyError if there is none."""
        return float(self.values[self._position(step)])

    def __iter__(self) -> Iterator[float]:
        """The values, in order."""
        return iter(self.values.tolist())

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the columns step, wall_time and value. Needs pandas."""
        return _tables.pandas_of_columns(self._columns())

    def to_arrow(self) -> pyarrow.Table:
        """The same as an Arrow table, without a copy. Needs pyarrow."""
        return _tables.arrow_of_columns(self._columns())

    def _columns(self) -> dict[str, Any]:
        return {"step": self.steps, "wall_time": self.wall_times, "value": self.values}

    def _repr_html_(self) -> str:
        return _charts.figure(self)


class Values(Series, Generic[T]):
    """Values that are more than a number: histograms, images, tensors, ... They stay in the file, and are read, checked
    and decoded when they are asked for. A value that is not there any more, or is damaged, raises OSError.

    `values[step]` is the last value of a step, `values.at(i)` the i-th value; iterating gives all values in order.
    """

    def __init__(self, stored: _runs.StoredSeries, read: Callable[[int], T]) -> None:
        super().__init__(stored)
        self._read = read

    def __getitem__(self, step: SupportsIndex) -> T:
        """The last value that was recorded at a step. Raises KeyError if there is none."""
        return self._read(self._position(step))

    def at(self, position: int) -> T:
        """The value at a position of `steps`; -1 is the last one. Raises IndexError."""
        return self._read(position)

    def __iter__(self) -> Iterator[T]:
        return (self._read(i) for i in range(len(self)))


@dataclass(frozen=True)
class Image:
    """A picture as it was recorded. `numpy.asarray(image)` gives its pixels; notebooks show it."""

    width: int
    height: int
    encoded: bytes = field(repr=False)
    """The file: PNG, in TensorBoard's logs also GIF or JPEG."""

    @property
    def format(self) -> str:
        """ "png", "gif", "jpeg", or "" for any other format."""
        starts = {b"\x89PNG": "png", b"GIF8": "gif", b"\xff\xd8\xff": "jpeg"}
        return next((name for start, name in starts.items() if self.encoded.startswith(start)), "")

    @property
    def pixels(self) -> npt.NDArray[np.uint8]:
        """The pixels (height, width, channels) from the top: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. Formats other
        than PNG need Pillow; an animation gives its first picture.
        """
        if self.format in ("png", ""):
            return _runs.decode_png(self.encoded)
        return _tables.pixels_by_pillow(self.encoded)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        pixels: npt.NDArray[Any] = self.pixels  # Made at each call.
        return pixels if dtype is None else pixels.astype(dtype)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, bytes]:
        return {f"image/{self.format}": self.encoded} if self.format else {}


@dataclass(frozen=True)
class Histogram:
    """The distribution of an array's elements. Bucket i holds `counts[i]` values from `left[i]` to `left[i] +
    width[i]`; NaN and infinities are counted separately.
    """

    left: npt.NDArray[np.float64] = field(repr=False)
    width: npt.NDArray[np.float64] = field(repr=False)
    counts: npt.NDArray[np.int64] | npt.NDArray[np.float64] = field(repr=False)
    """Whole numbers as int64; float64 in normalized histograms of other programs."""
    count: int | float
    """All values, NaN and infinities included."""
    nan_count: int
    pos_inf_count: int
    neg_inf_count: int
    min: float | None
    """The smallest finite value; None if there is none."""
    max: float | None
    sum: float | None
    """Of the finite values; None if there are none, or if the log does not have it, as TensorFlow 2's."""

    @property
    def edges(self) -> npt.NDArray[np.float64]:
        """The edges of the buckets, one more than there are buckets, as in numpy.histogram and matplotlib's stairs."""
        import numpy as np

        if not len(self.left):
            return np.empty(0)
        return np.append(self.left, self.left[-1] + self.width[-1])


@dataclass(frozen=True)
class Audio:
    """A sound as it was recorded. Notebooks play it."""

    encoded: bytes = field(repr=False)
    """The file, WAV as a rule."""
    content_type: str
    """ "audio/wav"; empty if the log does not have it."""
    sample_rate: float
    """Hz; 0 if the log does not have it."""

    def _repr_html_(self) -> str:
        return _charts.player(self.encoded, self.content_type)


# By kind; "landscape", "plugin" and "unknown" have no class, so they give the recorded message.
READERS: dict[str, Callable[[_runs.StoredSeries, int], Any]] = {
    "histogram": lambda stored, i: Histogram(*stored.histogram(i)),
    "image": lambda stored, i: Image(*stored.image(i)),
    "tensor": lambda stored, i: stored.tensor(i),
    "landscape": lambda stored, i: stored.message(i),
    "audio": lambda stored, i: Audio(*stored.audio(i)),
    "text": lambda stored, i: stored.texts(i),
    "plugin": lambda stored, i: stored.message(i),
    "unknown": lambda stored, i: stored.message(i),
}


def wrap(stored: _runs.StoredSeries) -> Series:
    """Wraps a series in the class for its kind."""
    if stored.kind == "scalar":
        return Scalars(stored)
    read = READERS[stored.kind]
    return Values(stored, lambda i: read(stored, i))

"""Columns of scalars as tables of pandas and pyarrow, which are imported only when they are needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sightline import _runs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import pyarrow

# The points of one batch: about 40 MB.
BATCH_POINTS = 1 << 20


def need(package: str, install: str | None = None) -> Any:
    """Imports a package. If it is missing, the ImportError says how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(
            f"this needs the package {install or package}: pip install {install or package}"
        ) from error


class Selection(NamedTuple):
    """Selects scalars of a run."""

    tags: Callable[[str], bool] = lambda tag: True
    first_step: int = -(1 << 63)
    last_step: int = (1 << 63) - 1

    def of_steps(self, first: int | None, last: int | None) -> Selection:
        """Selects only the steps first..last, both included; None: no bound."""
        lowest, highest = Selection().first_step, Selection().last_step
        bounds = [
            end if step is None else min(max(step, lowest), highest)
            for step, end in ((first, lowest), (last, highest))
        ]
        return self._replace(first_step=bounds[0], last_step=bounds[1])

    def range_of(self, series: _runs.StoredSeries) -> tuple[int, int]:
        """The positions [begin, end) of a series' points with these steps; begin may be after end."""
        size = len(series)
        begin = series.lower_bound(self.first_step) if self.first_step > -(1 << 63) else 0
        return begin, series.lower_bound(self.last_step + 1) if self.last_step < (
            1 << 63
        ) - 1 else size


class Batch(NamedTuple):
    """The points of several series, one after the other, with their runs and tags as numbers."""

    runs: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int32]
    tags: npt.NDArray[np.int32]
    tag_names: list[str]
    steps: npt.NDArray[np.int64]
    wall_times: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]


class _Piece(NamedTuple):
    run: int
    tag: str
    rank: int
    series: _runs.StoredSeries
    begin: int
    end: int


def batches(runs: Iterable[tuple[int, _runs.StoredRun]], selection: Selection) -> Iterator[Batch]:
    """The scalars of numbered runs by tag, rank and step, in batches of BATCH_POINTS at most."""
    waiting: list[_Piece] = []
    room = BATCH_POINTS
    for piece in _pieces(runs, selection):
        begin = piece.begin
        while begin < piece.end:
            end = min(piece.end, begin + room)
            waiting.append(piece._replace(begin=begin, end=end))
            room -= end - begin
            begin = end
            if room == 0:
                yield _gather(waiting)
                waiting, room = [], BATCH_POINTS
    if waiting:
        yield _gather(waiting)


def _pieces(runs: Iterable[tuple[int, _runs.StoredRun]], selection: Selection) -> Iterator[_Piece]:
    for number, run in runs:
        for series in run.series():
            if series.kind != "scalar":
                break  # Series are ordered by kind, scalars first.
            tag = series.tag
            if not selection.tags(tag):
                continue
            begin, end = selection.range_of(series)
            if begin < end:
                yield _Piece(number, tag, series.rank, series, begin, end)


def _gather(pieces: Sequence[_Piece]) -> Batch:
    import numpy as np

    names = sorted({piece.tag for piece in pieces})
    numbers = {name: number for number, name in enumerate(names)}
    counts = np.array([piece.end - piece.begin for piece in pieces])

    def spread(of_pieces: Iterable[int]) -> npt.NDArray[np.int32]:
        return np.repeat(np.fromiter(of_pieces, np.int32, len(pieces)), counts)

    return Batch(
        spread(piece.run for piece in pieces),
        spread(piece.rank for piece in pieces),
        spread(numbers[piece.tag] for piece in pieces),
        names,
        *_runs.gather([(piece.series, piece.begin, piece.end) for piece in pieces]),
    )


SCALAR_COLUMNS = ("run", "tag", "rank", "step", "wall_time", "value")


def scalar_schema() -> pyarrow.Schema:
    pa = need("pyarrow")
    text = pa.dictionary(pa.int32(), pa.string())
    types = (text, text, pa.int32(), pa.int64(), pa.float64(), pa.float64())
    return pa.schema(list(zip(SCALAR_COLUMNS, types, strict=True)))


# Made from buffers, since pyarrow.array imports pandas, which takes longer than a million points.
def arrow_texts(texts: Sequence[str]) -> pyarrow.StringArray:
    import numpy as np

    pa = need("pyarrow")
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(
        len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))
    )


def _arrow_numbers(column: npt.NDArray[Any], type_: pyarrow.DataType) -> pyarrow.Array:
    pa = need("pyarrow")
    return pa.Array.from_buffers(type_, len(column), [None, pa.py_buffer(column)])


def arrow_of_batch(batch: Batch, run_names: pyarrow.StringArray) -> pyarrow.RecordBatch:
    """A batch with its runs and tags as dictionary columns; numbers are not copied."""
    pa = need("pyarrow")
    schema = scalar_schema()
    named = [
        pa.DictionaryArray.from_arrays(
            _arrow_numbers(codes, pa.int32()), names, safe=False
        )  # They are in its range.
        for codes, names in ((batch.runs, run_names), (batch.tags, arrow_texts(batch.tag_names)))
    ]
    numbers: tuple[npt.NDArray[Any], ...] = (
        batch.ranks,
        batch.steps,
        batch.wall_times,
        batch.values,
    )
    rest = [
        _arrow_numbers(column, field.type)
        for column, field in zip(numbers, list(schema)[2:], strict=True)
    ]
    return pa.RecordBatch.from_arrays([*named, *rest], schema=schema)


def arrow_of_runs(names: Sequence[str], runs: Sequence[_runs.StoredRun]) -> pyarrow.Table:
    pa = need("pyarrow")
    run_names = arrow_texts(names)
    found = [arrow_of_batch(batch, run_names) for batch in batches(enumerate(runs), Selection())]
    return pa.Table.from_batches(found, schema=scalar_schema()).unify_dictionaries()


def pandas_of_runs(names: Sequence[str], runs: Sequence[_runs.StoredRun]) -> pandas.DataFrame:
    pd = need("pandas")
    import numpy as np

    found = list(batches(enumerate(runs), Selection()))
    tags = sorted({tag for batch in found for tag in batch.tag_names})
    numbers = {tag: number for number, tag in enumerate(tags)}

    def joined(columns: Iterable[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
        return np.concatenate([np.empty(0, dtype), *columns])

    tag_codes = (
        np.array([numbers[tag] for tag in batch.tag_names], np.int32)[batch.tags] for batch in found
    )
    return pd.DataFrame(
        {
            "run": pd.Categorical.from_codes(
                joined((batch.runs for batch in found), np.int32), list(names)
            ),
            "tag": pd.Categorical.from_codes(joined(tag_codes, np.int32), tags),
            "rank": joined((batch.ranks for batch in found), np.int32),
            "step": joined((batch.steps for batch in found), np.int64),
            "wall_time": joined((batch.wall_times for batch in found), np.float64),
            "value": joined((batch.values for batch in found), np.float64),
        }
    )


def pandas_of_columns(columns: dict[str, Any]) -> pandas.DataFrame:
    return need("pandas").DataFrame(columns)


def arrow_of_columns(columns: dict[str, Any]) -> pyarrow.Table:
    pa = need("pyarrow")
    types = {"step": pa.int64(), "wall_time": pa.float64(), "value": pa.float64()}
    return pa.table({name: _arrow_numbers(column, types[name]) for name, column in columns.items()})


def pixels_by_pillow(encoded: bytes) -> npt.NDArray[np.uint8]:
    import io

    import numpy as np

    picture = need("PIL.Image", "pillow").open(io.BytesIO(encoded))
    if picture.mode not in ("L", "LA", "RGB", "RGBA"):
        picture = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
    pixels = np.array(picture, np.uint8)
    return pixels if pixels.ndim == 3 else pixels[:, :, np.newaxis]

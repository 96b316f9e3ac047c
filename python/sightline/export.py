"""Writes runs as Parquet files with pyarrow: `python3 -m sightline.export RUN... --format parquet -o OUT`.

`sightline export --format parquet` runs this; docs/export.md describes the files. It keeps the scalars of some runs, a
batch of points, and some values of other kinds in memory.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import FrameType, TracebackType
from typing import Any, NoReturn

from sightline import _runs
from sightline._tables import Selection, arrow_of_batch, arrow_texts, batches, need, scalar_schema

_DONE, _DAMAGED, _FAILED = 0, 1, 2  # docs/cli.md

# The most rows in one file of a kind; then the next file begins.
ROWS_PER_FILE = 1 << 26
# The most values that are more than a number, and their bytes, that wait until they are written.
_WAITING_VALUES, _WAITING_BYTES = 10_000, 64 << 20
_RUNS_AHEAD = 32
_NO_PLACE = "has no place in this format"


class _Failure(Exception):
    """An error that ends the export; its text is for people."""


class _KindFiles:
    """The files of one kind: OUT/scalars/part-0000.parquet, ..."""

    def __init__(self, folder: str, kind: str, schema: Any) -> None:
        self._folder = os.path.join(folder, kind)
        self._schema = schema
        self._writer: Any = None
        self._files = 0
        self._rows = 0

    def write(self, batch: Any) -> None:
        """Writes a record batch as one row group."""
        if self._writer is None:
            os.makedirs(self._folder, exist_ok=True)
            path = os.path.join(self._folder, f"part-{self._files:04}.parquet")
            # Otherwise pyarrow tries dictionaries on every column, in vain.
            named = [name for name in ("run", "tag", "name", "dtype") if name in self._schema.names]
            parquet = need("pyarrow.parquet", "pyarrow")
            self._writer = parquet.ParquetWriter(
                path, self._schema, compression="zstd", use_dictionary=named
            )
            self._files += 1
        self._writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
        self._rows += batch.num_rows
        if self._rows >= ROWS_PER_FILE:
            self.close()

    def close(self) -> None:
        """Completes the current file; the next batch begins another one."""
        if self._writer is not None:
            self._writer.close()
        self._writer, self._rows = None, 0


class _ValueRows:
    """Collects rows of values that are more than a number, and writes them in batches."""

    def __init__(self, files: _KindFiles, schema: Any) -> None:
        self._files, self._schema = files, schema
        self._columns: list[list[Any]] = [[] for _ in schema.names]
        self._bytes = 0

    def add(self, row: Sequence[Any], size: int) -> None:
        """Adds a row whose values have `size` bytes; writes the batch if it is full."""
        for column, cell in zip(self._columns, row, strict=True):
            column.append(cell)
        self._bytes += size
        if len(self._columns[0]) >= _WAITING_VALUES or self._bytes >= _WAITING_BYTES:
            self.flush()

    def flush(self) -> None:
        """Writes the rows that wait."""
        if not self._columns[0]:
            return
        pa = need("pyarrow")
        arrays = [
            pa.array(column, field.type)
            for column, field in zip(self._columns, self._schema, strict=True)
        ]
        self._files.write(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
        self._columns, self._bytes = [[] for _ in self._schema.names], 0


class _ParquetWriter:
    """Writes runs, in the order of their names, into a folder."""

    def __init__(self, folder: str, names: Sequence[str], selection: Selection) -> None:
        pa = need("pyarrow")
        need("pyarrow.parquet", "pyarrow")
        self._selection = selection
        self.written: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self._run_names = arrow_texts(names)
        self._names = names
        text, real, whole = pa.dictionary(pa.int32(), pa.string()), pa.float64(), pa.int64()
        point = [
            ("run", text),
            ("tag", text),
            ("rank", pa.int32()),
            ("step", whole),
            ("wall_time", real),
        ]
        self._scalars = _KindFiles(folder, "scalars", scalar_schema())
        kinds = {
            "histograms": [
                *point,
                *((name, pa.list_(real)) for name in ("left", "width", "counts")),
                ("count", real),
                *((name, whole) for name in ("nan_count", "pos_inf_count", "neg_inf_count")),
                *((name, real) for name in ("min", "max", "sum")),
            ],
            "tensors": [*point, ("dtype", text), ("shape", pa.list_(whole)), ("data", pa.binary())],
            "lineage": [("run", text), ("name", text), ("number", real), ("text", pa.string())],
        }
        self._files = {
            kind: _KindFiles(folder, kind, pa.schema(columns)) for kind, columns in kinds.items()
        }
        self._rows = {
            kind: _ValueRows(self._files[kind], pa.schema(columns))
            for kind, columns in kinds.items()
        }

    def write_scalars(
        self, runs: Iterator[tuple[int, _runs.StoredRun]], done: Callable[[int], None]
    ) -> None:
        """Writes the scalars of all runs, and the other kinds of each run on the way. Uses up `runs`. Calls
        done(points) after each batch.
        """

        def passing() -> Iterator[tuple[int, _runs.StoredRun]]:
            for number, run in runs:
                self._write_rest(self._names[number], run)
                yield number, run

        for batch in batches(passing(), self._selection):
            self._scalars.write(arrow_of_batch(batch, self._run_names))
            self.written["scalar"] += len(batch.steps)
            done(len(batch.steps))

    def _write_rest(self, name: str, run: _runs.StoredRun) -> None:
        """Writes the lineage of a run and its series that are not scalars."""
        for key, value in run.lineage().items():
            exact = isinstance(value, float) or (isinstance(value, int) and abs(value) <= 1 << 53)
            self._rows["lineage"].add(
                (name, key, float(value) if exact else None, None if exact else str(value)), 0
            )
            self.written["lineage"] += 1
        for kind, count in run.asides().items():
            if kind not in ("train lineage", "evaluation lineage", "custom lineage"):
                self.left_out[f"{kind}: {_NO_PLACE}"] += count
        for series in run.series():
            if series.kind != "scalar" and self._selection.tags(series.tag):
                self._write_series(name, series)

    def _write_series(self, name: str, series: _runs.StoredSeries) -> None:
        """Writes histograms and tensors, and counts all values that are left out."""
        begin, end = self._selection.range_of(series)
        kind = series.plugin if series.kind == "plugin" else series.kind
        if kind not in ("histogram", "tensor"):
            if begin < end:
                self.left_out[f"{kind}: {_NO_PLACE}"] += end - begin
            return
        steps, wall_times = series.steps, series.wall_times
        for i in range(begin, end):
            try:
                cells, size = _histogram(series, i) if kind == "histogram" else _tensor(series, i)
            except (OSError, ValueError, NotImplementedError):
                self.left_out[f"{kind}: cannot be read from its file"] += 1
                continue
            point = (name, series.tag, series.rank, int(steps[i]), float(wall_times[i]))
            self._rows[f"{kind}s"].add((*point, *cells), size)
            self.written[kind] += 1

    def finish(self) -> None:
        """Writes the rows that wait and completes all files."""
        for rows in self._rows.values():
            rows.flush()
        for files in (self._scalars, *self._files.values()):
            files.close()


def _histogram(series: _runs.StoredSeries, position: int) -> tuple[tuple[Any, ...], int]:
    """The cells of a histogram, and their bytes."""
    left, width, counts, count, *rest = series.histogram(position)
    return (left, width, counts.astype(float), float(count), *rest), 3 * left.nbytes


def _tensor(series: _runs.StoredSeries, position: int) -> tuple[tuple[Any, ...], int]:
    """The cells of a tensor, and their bytes."""
    array = series.tensor(position)
    return (str(array.dtype), list(array.shape), array.tobytes()), array.nbytes


def _opened(found: Sequence[tuple[str, str]]) -> Iterator[tuple[int, _runs.StoredRun]]:
    """Yields the runs with their numbers; opens some ahead, on all cores."""
    waiting: deque[Future[_runs.StoredRun]] = deque()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        try:
            rest = iter(found)
            for number in range(len(found)):
                while len(waiting) < _RUNS_AHEAD and (next_run := next(rest, None)):
                    waiting.append(threads.submit(_runs.open_run, next_run[1], next_run[0]))
                yield number, waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


class _Progress:
    """One line on a terminal: how far, how fast, and how long it takes. Shows nothing if standard error is not a terminal."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._shown = sys.stderr.isatty()
        self._begun = self._drawn = time.monotonic()
        self._points = 0

    def wrote(self, points: int) -> None:
        """Counts points that were written."""
        self._points += points

    def watch(
        self, runs: Iterator[tuple[int, _runs.StoredRun]]
    ) -> Iterator[tuple[int, _runs.StoredRun]]:
        """Yields the runs, and draws the line before a run if the last drawing was long enough ago."""
        for number, run in runs:
            now = time.monotonic()
            if self._shown and (number == 0 or now - self._drawn > 0.2):
                self._drawn = now
                self._draw(number, now - self._begun)
            yield number, run
        self.clear()

    def _draw(self, done: int, seconds: float) -> None:
        text = f"{100 * done // self._runs} %, {done} of {_count(self._runs, 'run')}"
        if done and seconds > 0:
            left = math.ceil(seconds / done * (self._runs - done))
            text += f", {self._points / seconds / 1e6:.1f} M points/s, {left} s left"
        print(f"\r\x1b[Ksightline export: {text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Damage:
    """Reports what could not be read of the files."""

    def __init__(self) -> None:
        self.any = False

    def watch(
        self, runs: Iterator[tuple[int, _runs.StoredRun]]
    ) -> Iterator[tuple[int, _runs.StoredRun]]:
        """Yields the runs, and reports the damage of each before."""
        for number, run in runs:
            for path, *_, regions, error in run.files() if run.damaged else ():
                if regions or error:
                    self.any = True
                    lost = sum(length for _, length, _ in regions)
                    _say(f"{path}: {error or f'skipped {lost} bytes of damage'}")
            yield number, run


class _Signals:
    """SIGTERM and SIGHUP end the export as Ctrl-C does, so that nothing half written is left."""

    def __enter__(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._end)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    @staticmethod
    def _end(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt


def _selection(arguments: argparse.Namespace) -> Selection:
    """The selection of --steps and --tags. Raises _Failure for wrong ones."""
    selection = Selection()
    if arguments.steps is not None:
        found = re.fullmatch(r"(-?\d*):(-?\d*)", arguments.steps)
        try:
            first, last = (
                (int(text) if text else None for text in found.groups()) if found else (None, None)
            )
        except ValueError:
            found = None
        if not found:
            raise _Failure(
                f"--steps {arguments.steps} is not a range of steps; give FIRST:LAST, either may be empty"
            )
        selection = selection.of_steps(first, last)
    if arguments.tags is not None:
        selection = selection._replace(tags=_runs.TagFilter("--tags", arguments.tags))
    return selection


def export(arguments: argparse.Namespace) -> int:
    """Exports the runs of a command line (see main), prints what was written, and returns the exit code.

    The folder appears when it is complete. Returns 1 if a file was damaged. Raises ImportError without pyarrow, OSError
    for files that cannot be read or written, ValueError and _Failure for wrong arguments.
    """
    selection = _selection(arguments)
    need("pyarrow.parquet", "pyarrow")
    found = sorted(_runs.find_runs(arguments.run))
    target = _runs.ExportTarget(arguments.output, arguments.force)
    try:
        writer = _ParquetWriter(target.temporary, [name for name, _ in found], selection)
        damage, progress = _Damage(), _Progress(len(found))
        writer.write_scalars(progress.watch(damage.watch(_opened(found))), progress.wrote)
        writer.finish()
        target.commit()
    finally:
        target.discard()
    _print(arguments, len(found), writer)
    return _DAMAGED if damage.any else _DONE


def _print(arguments: argparse.Namespace, runs: int, writer: _ParquetWriter) -> None:
    """Prints what was written and left out: for people, or with --json as JSON."""
    written, left_out = dict(sorted(writer.written.items())), dict(sorted(writer.left_out.items()))
    if arguments.json:
        report = {
            "output": arguments.output,
            "format": "parquet",
            "runs": runs,
            "written": written,
            "left_out": left_out,
        }
        print(json.dumps(report))
        return
    kinds = ", ".join(f"{kind} ({count})" for kind, count in written.items())
    print(f"{arguments.output}: {_count(runs, 'run')}{': ' * bool(kinds)}{kinds}")
    for what, count in left_out.items():
        print(f"  left out: {what} ({_count(count, 'value')})")


def _count(number: int, what: str) -> str:
    """ "1 run", "2 runs"."""
    return f"{number} {what}{'s' * (number != 1)}"


def _say(text: str) -> None:
    """Prints a line on standard error."""
    # File names may contain control characters, which a terminal would obey.
    print(
        f"sightline export: {''.join(c if c.isprintable() else repr(c)[1:-1] for c in text)}",
        file=sys.stderr,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line, and returns the exit code."""
    parser = argparse.ArgumentParser(
        "python3 -m sightline.export",
        description="Writes runs as Parquet files.",
        allow_abbrev=False,
    )
    parser.add_argument("run", nargs="+", metavar="RUN", help="runs, or folders above runs")
    parser.add_argument("--format", required=True, choices=["parquet"])
    parser.add_argument("-o", "--output", required=True, help="the folder to write")
    parser.add_argument(
        "--tags", help="only values whose tag the regular expression (RE2) matches anywhere"
    )
    parser.add_argument(
        "--steps", help="only values of the steps FIRST:LAST, both included; either may be empty"
    )
    parser.add_argument("--force", action="store_true", help="replace an earlier export")
    parser.add_argument(
        "--json", action="store_true", help="say what was written as one JSON object"
    )
    parsed = parser.parse_args(arguments)
    try:
        with _Signals():
            return export(parsed)
    except (ImportError, OSError, ValueError, _Failure) as error:
        _say(
            str(error).replace("this needs", "--format parquet needs", 1)
            if isinstance(error, ImportError)
            else str(error)
        )
    except KeyboardInterrupt:
        _say("interrupted")
    return _FAILED


if __name__ == "__main__":
    sys.exit(main())

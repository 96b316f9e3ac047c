"""Reads runs: what Sightline, MindSpore or TensorBoard's writers recorded in a directory, live or finished.

    import sightline

    run = sightline.open("runs/lenet")
    loss = run.scalars("loss")
    plt.plot(loss.steps, loss.values)

    runs = sightline.open_all("runs")
    for run in runs.where("lr > 0.01 and network == 'LeNet5'"):
        print(run.name, run.scalars("loss").values[-1])

Nothing is written, nothing is sampled. Damage raises nothing: it is in `run.damage`. docs/runs.md describes what counts in
a directory, docs/query.md the language of `where`. Everything may be called from any thread.
"""

from __future__ import annotations

import difflib
import os
import select
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, cast, overload

from sightline import _charts, _runs, _tables
from sightline._series import Audio, Histogram, Image, Scalars, Series, Values, wrap

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import pyarrow

    from sightline import ir

__all__ = [
    "Audio", "Band", "Damage", "Histogram", "Image", "Run", "RunChange", "RunFile", "Runs", "Scalars", "Series", "SeriesChange",
    "Values", "open_all",
]  # fmt: skip

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
_LIVE = ("running", "stalled")
_MOST_CHARTS = 24
_MOST_ROWS = 50


@dataclass(frozen=True)
class Damage:
    """Bytes of a file that are not a sound record, or a file that cannot be read to its end."""

    file: str
    offset: int
    """Where it begins; of a file that cannot be read, 0."""
    length: int
    """Bytes; of a file that cannot be read, 0."""
    reason: str


@dataclass(frozen=True)
class RunFile:
    """One event file of a run."""

    path: str
    kind: str
    """ "MindSpore summary", "MindSpore lineage" or "TensorBoard"."""
    bytes: int
    """In bytes, with what a journal holds after the file's end."""
    records: int
    """How many sound records it has."""
    journal_records: int
    """How many of them are still in a journal."""
    rank: int
    session_id: str | None
    """Of a file that Sightline wrote."""
    damage: tuple[Damage, ...]


@dataclass(frozen=True)
class Band:
    """One scalar of repeated runs, step by step: the mean, minimum, maximum and deviation of their values."""

    steps: npt.NDArray[np.int64]
    """The steps that any of the runs has, ascending."""
    counts: npt.NDArray[np.int64]
    """How many runs have a finite value at each step; where none has, the other columns are NaN."""
    mean: npt.NDArray[np.float64]
    min: npt.NDArray[np.float64]
    max: npt.NDArray[np.float64]
    deviation: npt.NDArray[np.float64]
    """The standard deviation of the sample; NaN for a single value."""

    def __repr__(self) -> str:
        if len(self.steps) == 0:
            return "Band(no steps)"
        return (
            f"Band({len(self.steps)} steps from {self.steps[0]} to {self.steps[-1]}, "
            f"of {self.counts.max()} runs at most, last mean {self.mean[-1]:.6g})"
        )


@dataclass(frozen=True)
class SeriesChange:
    """What is new in one series."""

    kind: str
    plugin: str
    tag: str
    rank: int
    appended_from: int
    """Points from this position on are new."""
    void_from: int | None
    """If a restart or damage removed points: what was known of this step and later ones no longer counts. Else None."""


@dataclass(frozen=True)
class RunChange:
    """What happened to a run that is followed."""

    kind: str
    """ "appeared", "changed", "replaced" (other files: forget what was known) or "gone"."""
    name: str
    run: Run | None
    """The run as it is now; None if it is gone."""
    series: tuple[SeriesChange, ...]


def open(path: _Path) -> Run:
    """Opens the run whose event files are in a directory: MindSpore's dialect and TensorBoard's, rotated and restarted
    files, several ranks, and what the journal of a running or killed recorder still holds.

    Raises FileNotFoundError if there are no event files, NotADirectoryError for a file.
    """
    directory = os.fsdecode(path)
    if os.path.isfile(directory):
        raise NotADirectoryError(
            f"{directory}: a run is the directory of its event files; open {os.path.dirname(directory) or '.'}"
        )
    return Run(_runs.open_run(directory, os.path.basename(os.path.abspath(directory))))


def open_all(roots: _Path | Sequence[_Path], *, join: bool = True) -> Runs:
    """Opens every run in and below a directory, or several directories, on all cores. A run's name is its path below
    the root; with several roots, the root precedes it. With `join`, directories that are ranks of one training, or
    curves of add_scalars, are one run (docs/ranks.md); runs["out/rank_3"] is still that rank. Raises OSError for a root that cannot be listed.
    """
    paths = [roots] if isinstance(roots, (str, bytes, os.PathLike)) else list(roots)
    return Runs(_runs.open_runs(paths, join))


class Run:
    """The contents of the event files of one directory when they were opened. A Run never changes."""

    def __init__(self, stored: _runs.StoredRun) -> None:
        self._stored = stored

    @property
    def name(self) -> str:
        """The path below the root from which it was opened; with `sightline.open`, the directory's name."""
        return self._stored.name

    @property
    def directory(self) -> str:
        """The path of the directory with its event files."""
        return self._stored.directory

    @property
    def state(self) -> str:
        """ "running", "stalled", "killed", "finished" or, for runs of other programs, "ended" (docs/runs.md). It follows
        from the files when they were opened, and from the time now.
        """
        return self._stored.state()

    @property
    def started(self) -> float | None:
        """The time of the first event, in seconds since 1970."""
        return self._stored.started

    @property
    def ended(self) -> float | None:
        """The time of the last event so far, in seconds since 1970."""
        return self._stored.ended

    @cached_property
    def lineage(self) -> dict[str, int | float | str]:
        """How the training was set up, and its results: network, learning_rate, batch_size, metrics, your own pairs,
        and TensorBoard's hyper-parameters.
        """
        return self._stored.lineage()

    @cached_property
    def files(self) -> tuple[RunFile, ...]:
        """The event files, in reading order."""
        files = []
        for (
            path,
            kind,
            size,
            records,
            journal_records,
            rank,
            session_id,
            regions,
            error,
        ) in self._stored.files():
            damage = [Damage(path, *region) for region in regions]
            if error is not None:
                damage.append(Damage(path, 0, 0, error))
            files.append(
                RunFile(path, kind, size, records, journal_records, rank, session_id, tuple(damage))
            )
        return tuple(files)

    @property
    def damage(self) -> tuple[Damage, ...]:
        """The parts of the files that could not be read; empty if there are none."""
        return tuple(damage for file in self.files for damage in file.damage)

    @cached_property
    def events(self) -> dict[str, int]:
        """How many events of each kind there are: "summary", "graph", "train lineage", ..."""
        return self._stored.events()

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """Every series, in the order of kind, plugin, tag and rank. Series of kinds without a method below give the
        recorded message.
        """
        return tuple(map(wrap, self._stored.series()))

    @cached_property
    def superseded(self) -> tuple[Series, ...]:
        """Points that do not count, since a later session recorded their steps again."""
        return tuple(map(wrap, self._stored.superseded()))

    @cached_property
    def tags(self) -> dict[str, list[str]]:
        """The tags of each kind that the run has, in order: {"scalar": ["accuracy", "loss"], ...}."""
        tags: dict[str, dict[str, None]] = {}
        for series in self.series:
            tags.setdefault(series.kind, {})[series.tag] = None
        return {kind: sorted(names) for kind, names in tags.items()}

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of which the run has values, ascending."""
        return tuple(sorted({series.rank for series in self.series}))

    def scalars(self, tag: str, rank: int | None = None) -> Scalars:
        """The numbers of a tag. Without `rank`, those of the lowest rank that has the tag. Raises KeyError for an unknown tag."""
        return cast(Scalars, self._find("scalar", tag, rank))

    def histograms(self, tag: str, rank: int | None = None) -> Values[Histogram]:
        """The histograms of a tag, see `scalars`."""
        return cast("Values[Histogram]", self._find("histogram", tag, rank))

    def images(self, tag: str, rank: int | None = None) -> Values[Image]:
        """The pictures of a tag, see `scalars`."""
        return cast("Values[Image]", self._find("image", tag, rank))

    def tensors(self, tag: str, rank: int | None = None) -> Values[npt.NDArray[Any]]:
        """The arrays of a tag, see `scalars`. They have the type that was recorded; bfloat16, which NumPy lacks,
        becomes float32, which is exact.
        """
        return cast("Values[npt.NDArray[Any]]", self._find("tensor", tag, rank))

    def texts(self, tag: str, rank: int | None = None) -> Values[list[str]]:
        """The texts of a tag, see `scalars`: a list at each step, as TensorBoard records them."""
        return cast("Values[list[str]]", self._find("text", tag, rank))

    def audio(self, tag: str, rank: int | None = None) -> Values[Audio]:
        """The sounds of a tag, see `scalars`."""
        return cast("Values[Audio]", self._find("audio", tag, rank))

    def _find(self, kind: str, tag: str, rank: int | None) -> Series:
        of_kind = [series for series in self.series if series.kind == kind]
        for series in of_kind:
            if series.tag == tag and rank in (None, series.rank):
                return series
        tags = sorted({series.tag for series in of_kind})
        if tag in tags:
            have = ", ".join(str(series.rank) for series in of_kind if series.tag == tag)
            raise KeyError(
                f"{self.name}: {kind} {tag!r} was not recorded by rank {rank}, but by {have}"
            )
        near = difflib.get_close_matches(tag, tags, 3, 0.5) or tags[:5]
        known = (
            f"it has {', '.join(map(repr, near))}{' and others' * (len(tags) > len(near))}"
            if tags
            else "it has none"
        )
        raise KeyError(f"{self.name}: there is no {kind} {tag!r}; {known}")

    @cached_property
    def graph(self) -> ir.Module | None:
        """The network's graph in the form of `sightline.ir`; None if no file in MindSpore's dialect has one."""
        for is_mindspore, message in self._stored.graphs():
            if is_mindspore:
                from sightline import _ir

                return _ir.parse_graph(message)
        return None

    @cached_property
    def graph_def(self) -> bytes | None:
        """The graph of TensorBoard's files as a serialized GraphDef; None if there is none."""
        return next(
            (message for is_mindspore, message in self._stored.graphs() if not is_mindspore), None
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Every scalar, with a row for each point: run, tag, rank, step, wall_time, value. Needs pandas."""
        return _tables.pandas_of_runs([self.name], [self._stored])

    def to_arrow(self) -> pyarrow.Table:
        """The same as an Arrow table. Needs pyarrow."""
        return _tables.arrow_of_runs([self.name], [self._stored])

    def follow(self, interval: float = 0.5) -> Iterator[RunChange]:
        """Waits for new values and yields each change, until the run is finished, killed, ended or gone. What was
        recorded since the run was opened is yielded at once.

        `interval`: seconds between two looks at the directory. A look costs little; a change reads the files again.
        """
        run = self
        while True:
            news = run._stored.refreshed()
            if news is None:
                if run.state not in _LIVE:
                    return
                time.sleep(interval)
                continue
            change = _change(self.name, news)
            yield change
            if change.run is None:
                return
            run = change.run

    def __repr__(self) -> str:
        kinds = ", ".join(f"{len(tags)} {kind}" for kind, tags in self.tags.items())
        return f"<Run {self.name!r}: {self.state}; tags: {kinds or 'none'}{'; damaged' * self._stored.damaged}>"

    def _repr_html_(self) -> str:
        scalars = [series for series in self.series if isinstance(series, Scalars)]
        rows = [
            (
                escape(one.tag),
                str(one.rank),
                str(len(one)),
                _charts.number(one.values[-1]),
                _charts.chart(one),
            )
            for one in scalars[:_MOST_CHARTS]
        ]
        damage = f"; {len(self.damage)} damaged regions" if self.damage else ""
        head = f"<p><b>{escape(self.name)}</b> {self.state}{damage}<br>{_charts.pairs(self.lineage)}</p>"
        return head + _charts.table(
            ("scalar", "rank", "points", "last", ""), rows, len(scalars) - len(rows)
        )


class Runs(Sequence[Run]):
    """Several runs, in the order of their names unless they are sorted."""

    def __init__(self, stored: _runs.StoredRuns) -> None:
        self._stored = stored
        self._lock = threading.Lock()
        self._runs = [Run(run) for run in stored.runs()]

    @overload
    def __getitem__(self, which: int | str) -> Run: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Run]: ...
    def __getitem__(self, which: int | str | slice) -> Run | Sequence[Run]:
        """A run by its position or its name, or several by a slice. Raises IndexError or KeyError."""
        if not isinstance(which, str):
            return self._runs[which]
        for run in self._runs:
            if run.name == which:
                return run
        if (part := self._stored.find(which)) is not None:  # Of a joined run.
            return Run(part)
        near = difflib.get_close_matches(which, self.names, 3, 0.5) or self.names[:5]
        raise KeyError(
            f"there is no run {which!r}; there {'is' if near else 'are none'} {', '.join(map(repr, near))}".rstrip()
        )

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def names(self) -> list[str]:
        """The names of the runs, in their order: each run's path below the directory that was opened."""
        return [run.name for run in self._runs]

    @property
    def lineages(self) -> Mapping[str, dict[str, int | float | str]]:
        """The lineage of each run: `pandas.DataFrame.from_dict(runs.lineages, orient="index")` is a table of them."""
        return {run.name: run.lineage for run in self._runs}

    def where(self, query: str) -> Runs:
        """The runs that match a query (docs/query.md): "lr > 0.01 and last('loss') < 0.5". Raises ValueError, with
        the column, for text that is no query."""
        return Runs(self._stored.where(query))

    def sorted(self, expression: str, descending: bool = False) -> Runs:
        """The runs sorted by the value of an expression in the same language: "last('accuracy')". Runs without a value
        come last.
        """
        return Runs(self._stored.sorted(expression, descending))

    def band(self, tag: str) -> Band:
        """The spread of a scalar over these runs, such as repeats with other seeds: `runs.where("lr ==
        0.1").band("loss")`. The last value of each step counts for each run; runs without the tag are left out.
        Raises KeyError if no run has it.
        """
        steps, counts, mean, least, most, deviation = self._stored.band(tag)
        if not steps:
            raise KeyError(f"none of {len(self)} runs has a scalar {tag!r}")
        import numpy as np

        return Band(
            np.array(steps, np.int64), counts.astype(np.int64), mean, least, most, deviation
        )

    def refresh(self) -> list[RunChange]:
        """Looks at the directories again, reads what changed, and returns the changes. Raises RuntimeError for runs
        that were selected or sorted: refresh those of `open_all` and select again.
        """
        with self._lock:
            changes = [
                _change(name, (kind, run, series))
                for kind, name, run, series in self._stored.refresh()
            ]
            if changes:
                known = {change.run.directory: change.run for change in changes if change.run}
                self._runs = [known.get(run.directory) or Run(run) for run in self._stored.runs()]
        return changes

    def follow(self, interval: float = 0.5) -> Iterator[RunChange]:
        """Yields each change of any run, including new runs, until the caller stops; see `refresh` and `Run.follow`.

        Values that are written into files are shown at once, values in a journal after at most `interval` seconds.
        Directories that do not change cost nothing.
        """
        news = self._stored.watch()
        while True:
            changes = self.refresh()
            yield from changes
            if not changes and news >= 0:
                select.select([news], [], [], interval)
            elif not changes:
                time.sleep(interval)

    def to_pandas(self) -> pandas.DataFrame:
        """Every scalar of every run, with a row for each point: run, tag, rank, step, wall_time, value. Needs pandas."""
        return _tables.pandas_of_runs(self.names, [run._stored for run in self._runs])

    def to_arrow(self) -> pyarrow.Table:
        """The same as an Arrow table. Needs pyarrow."""
        return _tables.arrow_of_runs(self.names, [run._stored for run in self._runs])

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.names[:5])) + ", ..." * (len(self) > 5)
        count = f"{len(self)} run{'s' * (len(self) != 1)}"
        return f"<{count}: {names}>" if self._runs else f"<{count}>"

    def _repr_html_(self) -> str:
        rows = []
        for run in self._runs[:_MOST_ROWS]:
            scalars = [series for series in run.series if isinstance(series, Scalars)]
            shown = next(
                (one for one in scalars if one.tag.endswith("loss")),
                scalars[0] if scalars else None,
            )
            chart = f"{escape(shown.tag)} {_charts.chart(shown)}" if shown else ""
            rows.append((escape(run.name), run.state, chart, _charts.pairs(run.lineage)))
        return _charts.table(("run", "state", "scalar", "lineage"), rows, len(self) - len(rows))


def _change(
    name: str, news: tuple[str, _runs.StoredRun | None, list[tuple[Any, ...]]]
) -> RunChange:
    kind, run, series = news
    return RunChange(
        kind, name, Run(run) if run else None, tuple(SeriesChange(*one) for one in series)
    )

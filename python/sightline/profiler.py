"""Where a training spends its time: spans, steps and counters of any Python program, in a file for ui.perfetto.dev.

    from sightline.profiler import profile, profile_dataset, span, step

    with profile("./profile") as recording:
        for number, batch in enumerate(profile_dataset(loader), start=1):
            with step(number):
                with span("forward"):
                    loss = model(batch)
                with span("backward"):
                    loss.backward()
    print(recording.path)

Without a running profile a span costs its call and records nothing. If MS_PROFILER_OPTIONS in the environment is
{"start": true, "output_path": ...}, importing this module starts a profile, which ends with the process; a MindSpore
process leaves that to MindSpore (sightline.mindspore.Profiler). Nothing here raises in the training, except for wrong
arguments. A forked child records nothing. docs/profiler.md describes the file. Thread rule: everything may be called
from any thread; the spans of a thread nest.
"""

import atexit
import functools
import os
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Generic, TypeVar

from sightline import _profiler_environment
from sightline._profiler import (
    DataQueue,
    ProfileRecorder,
    ProfileStats,
    Span,
    begin_step,
    counter,
    end_step,
    instant,
    name_thread,
    operator,
    recording,
    span,
)

__all__ = [
    "ProfileStats",
    "Span",
    "StepPhases",
    "begin_step",
    "counter",
    "end_step",
    "instant",
    "name_thread",
    "on_trace_ready",
    "operator",
    "profile",
    "profile_dataset",
    "recording",
    "span",
    "step",
]

_Element = TypeVar("_Element")
_Function = TypeVar("_Function", bound=Callable[..., Any])


class profile:
    """Records a profile into a new file of `directory`: as a context manager, as a decorator (one file for each call),
    or by hand.

    The file is a Perfetto trace; `sightline profile export` writes it as Chrome's JSON. `sample_interval`: seconds
    between two samples of memory, CPU time, faults, disk and network, recorded as counters `system/...`; 0: none.
    `flush_interval`: seconds between two writes to the file, the time that a killed process may lose. `ring_bytes`: the
    room of each thread for events that are not written yet.

    `start` raises RuntimeError while another profile runs in the process, ValueError for a wrong option, and OSError
    for errors of the directory.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str] = "./profile",
        *,
        sample_interval: float = 0.1,
        flush_interval: float = 0.2,
        ring_bytes: int = 8 << 20,
    ) -> None:
        self._options = (directory, ring_bytes, flush_interval, sample_interval)
        self._recorder: ProfileRecorder | None = None
        self._stats: ProfileStats | None = None
        self._process = 0

    @property
    def path(self) -> str | None:
        """The path of the file, from `start` on; later that of the last profile."""
        if self._recorder is not None:
            return self._recorder.path
        return None if self._stats is None else self._stats.path

    @property
    def stats(self) -> ProfileStats | None:
        """What was recorded so far: `events` in the file (a span is two), `dropped`, `bytes`, `threads`, `path`. After
        the end, the figures of the last profile.
        """
        return self._stats if self._recorder is None else self._recorder.stats

    @property
    def running(self) -> bool:
        """True from `start` to `stop`."""
        return self._recorder is not None

    def start(self) -> None:
        """Starts the profile, and ends one that the environment started. Raises RuntimeError if it was started already."""
        if _of_environment is not None and _of_environment is not self and _of_environment.running:
            _of_environment.stop()
        self._recorder = ProfileRecorder(*self._options)
        self._process = os.getpid()
        atexit.register(self._stop_at_exit)

    def stop(self) -> ProfileStats:
        """Stops the profile; called again, it does nothing. Raises OSError if something could not be written, RuntimeError if
        nothing was started.
        """
        if self._recorder is None:
            if self._stats is not None:
                return self._stats
            raise RuntimeError("the profile was not started")
        recorder, self._recorder = self._recorder, None
        atexit.unregister(self._stop_at_exit)
        self._stats = recorder.stats
        self._stats = recorder.stop()
        return self._stats

    def _stop_at_exit(self) -> None:
        if self._recorder is not None and os.getpid() == self._process:
            self.stop()

    def __enter__(self) -> "profile":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if (
            self._recorder is not None and os.getpid() == self._process
        ):  # A forked child leaves the block too.
            self.stop()

    def __call__(self, function: _Function) -> _Function:
        directory, ring_bytes, flush_interval, sample_interval = self._options

        @functools.wraps(function)
        def profiled(*args: Any, **kwargs: Any) -> Any:
            one = profile(
                directory,
                sample_interval=sample_interval,
                flush_interval=flush_interval,
                ring_bytes=ring_bytes,
            )
            with one:
                return function(*args, **kwargs)

        return profiled  # type: ignore[return-value]


class _LastStep(threading.local):
    number = 0


_last_step = _LastStep()


class step:
    """A step of the training in this thread: `with step(number)`. Without a number, the step after the thread's last
    one.
    """

    __slots__ = ("_number",)

    def __init__(self, number: int | None = None) -> None:
        self._number = number

    def __enter__(self) -> "step":
        number = _last_step.number + 1 if self._number is None else self._number
        _last_step.number = number
        begin_step(number)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        end_step()


class profile_dataset(Generic[_Element]):
    """Iterates over `dataset`, and records the waiting for each element as a span "<name>: next".

    It also records the depth of the queue if it is known: `queue` is an object with `qsize()`; without it, the
    queue of a PyTorch DataLoader with workers is used. `capacity` and `workers` describe that queue for readers of the
    profile.
    """

    def __init__(
        self,
        dataset: Iterable[_Element],
        name: str = "dataset",
        *,
        queue: Any = None,
        capacity: int = 0,
        workers: int = 0,
    ) -> None:
        self._dataset = dataset
        self._name = f"{name}: next"
        self._queue = queue
        self._counter = DataQueue(name, capacity=capacity, workers=workers)

    def __len__(self) -> int:
        return len(self._dataset)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[_Element]:
        elements = iter(self._dataset)
        queue = self._queue if self._queue is not None else getattr(elements, "_data_queue", None)
        size = getattr(queue, "qsize", None)
        while True:
            if size is not None and recording():
                try:
                    self._counter.set_depth(size())
                except NotImplementedError:  # A queue between processes, on macOS.
                    size = None
            with span(self._name, category="data"):
                try:
                    element = next(elements)
                except StopIteration:
                    return
            yield element


class _Phase:
    """Adds the time of a `with` block to a phase."""

    __slots__ = ("_began", "_phase")

    def __init__(self, phase: list[int]) -> None:
        self._phase = phase

    def __enter__(self) -> None:
        self._began = time.perf_counter_ns()

    def __exit__(self, *error: object) -> None:
        self._phase[0] += time.perf_counter_ns() - self._began


class StepPhases:
    """Records where a step's time goes, as scalars of a run next to its loss. It needs no profile.

        phases = StepPhases()
        for step, batch in enumerate(phases.data(loader), start=1):
            with phases("forward"):
                loss = model(batch)
            monitor.end_step(step, loss, scalars=lambda: phases.scalars(step))

    `first_step`: the number of the first step; it is not 1 if the training continues from a checkpoint. One thread at
    a time. A phase within another one counts in both.
    """

    def __init__(self, first_step: int = 1) -> None:
        self._last_step = first_step - 1
        self._phases: dict[str, list[int]] = {}  # Nanoseconds since the last `scalars`.

    def __call__(self, name: str) -> AbstractContextManager[None]:
        """Measures a `with` block."""
        return _Phase(self._phases.setdefault(name, [0]))

    def data(self, dataset: Iterable[_Element], name: str = "data_wait") -> Iterator[_Element]:
        """Iterates over `dataset`, and measures the waiting for each element."""
        elements = iter(dataset)
        while True:
            try:
                with self(name):
                    element = next(elements)
            except StopIteration:
                return
            yield element

    def scalars(self, step: int) -> dict[str, float]:
        """The scalars "phase/<name>" of all phases: seconds per step, the mean of the steps since the last call, up to
        `step`.
        """
        # At least 1: if the training went back to a checkpoint, only the last step counts.
        steps = max(step - self._last_step, 1)
        self._last_step = step
        means = {f"phase/{name}": phase[0] * 1e-9 / steps for name, phase in self._phases.items()}
        for phase in self._phases.values():
            phase[0] = 0
        return means


def on_trace_ready(
    directory: str | os.PathLike[str], worker_name: str | None = None
) -> Callable[[Any], None]:
    """For `torch.profiler.profile(on_trace_ready=...)`: writes each trace as "<worker>.<ms>.pt.trace.json" below
    `directory`.

    PyTorch's own handler gives this name, and `sightline` looks for it. The file appears when it is complete.
    """
    worker = worker_name if worker_name is not None else f"{socket.gethostname()}_{os.getpid()}"

    def write(profiler: Any) -> None:
        os.makedirs(directory, exist_ok=True)
        path = os.path.join(directory, f"{worker}.{time.time_ns() // 1_000_000}.pt.trace.json")
        unfinished = os.path.join(directory, f".{os.path.basename(path)}.part.json")
        profiler.export_chrome_trace(unfinished)
        os.replace(unfinished, path)

    return write


_of_environment: profile | None = None


def _start_from_environment() -> None:
    """Starts a profile from the environment, unless MindSpore is imported: that starts its own profiler."""
    global _of_environment
    text = os.environ.get(_profiler_environment.VARIABLE)
    if not text or "mindspore" in sys.modules:
        return
    options = _profiler_environment.parse(text)
    for notice in options.notices:
        warnings.warn(notice, stacklevel=2)
    if not options.start:
        return
    _of_environment = profile(options.output_path)
    try:
        _of_environment.start()
    except (OSError, RuntimeError, ValueError) as error:
        warnings.warn(
            f"{_profiler_environment.VARIABLE}: nothing is recorded: {error}", stacklevel=2
        )


_start_from_environment()

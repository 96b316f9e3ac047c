"""The extension module that sightline.profiler is made of; use that."""

import os
from types import TracebackType
from typing import Literal, final

@final
class Span:
    """A span of time; a context manager that sightline.profiler.span makes."""

    def __enter__(self) -> Span: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = ...,
        error: BaseException | None = ...,
        traceback: TracebackType | None = ...,
        /,
    ) -> None: ...

class ProfileStats:
    """What a recording did so far."""

    @property
    def path(self) -> str:
        """The file."""
    @property
    def events(self) -> int:
        """Events in the file."""
    @property
    def dropped(self) -> int:
        """Events left out because the buffer of their thread was full."""
    @property
    def bytes(self) -> int:
        """Bytes written."""
    @property
    def threads(self) -> int:
        """Threads that recorded."""

class ProfileRecorder:
    """A recording; sightline.profiler.profile makes it."""

    def __init__(
        self,
        directory: str | bytes | os.PathLike[str],
        format: str,
        ring_bytes: int,
        flush_interval: float,
        sample_interval: float,
    ) -> None: ...
    def stop(self) -> ProfileStats:
        """Ends the recording and closes the file."""
    @property
    def stats(self) -> ProfileStats:
        """What was recorded so far."""
    @property
    def path(self) -> str:
        """The file."""

class DataQueue:
    """A queue of a data pipeline whose depth is recorded."""

    def __init__(self, name: str, *, capacity: int = 0, workers: int = 0, parent: str = "") -> None: ...
    def set_depth(self, elements: int) -> None:
        """Elements that wait in it now."""

def span(name: str, *, category: Literal["data", "communication", "queue"] | None = None) -> Span:
    """A span of this thread, from the entry of its with block to the end."""
def instant(name: str, /) -> None:
    """An event without duration."""
def counter(name: str, value: float) -> None:
    """A number that changes over time."""
def begin_step(number: int) -> None:
    """Begins a step of the training, which ends the one before."""
def end_step() -> None:
    """Ends the step."""
def operator(
    type: str, full_name: str, start: int, end: int, *, shapes: str = "", flops: float = 0.0
) -> None:
    """An operator that ran: start and end in nanoseconds of time.monotonic_ns()."""
def name_thread(name: str) -> None:
    """The name of this thread in the recording."""
def recording() -> bool:
    """Whether a recording is running."""

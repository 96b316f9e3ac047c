"""The extension module of sightline.profiler; use that instead."""

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
    """The figures of a recording so far."""

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

    def __init__(
        self, name: str, *, capacity: int = 0, workers: int = 0, parent: str = ""
    ) -> None: ...
    def set_depth(self, elements: int) -> None:
        """Sets the number of elements that wait in it now."""

def span(name: str, *, category: Literal["data", "communication", "queue"] | None = None) -> Span:
    """A span of this thread, from the beginning of its with block to the end."""

def instant(name: str, /) -> None:
    """Records an event without duration."""

def counter(name: str, value: float) -> None:
    """Records a number that changes over time."""

def begin_step(number: int) -> None:
    """Begins a step of the training, and ends the previous one."""

def end_step() -> None:
    """Ends the step."""

def operator(
    type: str, full_name: str, start: int, end: int, *, shapes: str = "", flops: float = 0.0
) -> None:
    """Records an operator that ran; start and end are nanoseconds of time.monotonic_ns()."""

def name_thread(name: str) -> None:
    """Sets the name of this thread in the recording."""

def recording() -> bool:
    """Whether a recording is running."""

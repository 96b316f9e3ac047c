"""Code that the adapters of frameworks share: messages to the user, and SummaryMonitor, which records one training, for
callbacks that are used for several.
"""

import contextlib
import sys
import warnings
from collections.abc import Callable

from sightline._core import SummaryMonitor, rank_of_environment, world_size_of_environment


def say_on_standard_error(line: str) -> None:
    print(f"sightline: {line}", file=sys.stderr)


def warn(line: str) -> None:
    """Gives a RuntimeWarning at the line of the user's program that is running. If warnings are errors it is printed
    instead, since a training must not fail because of it.
    """
    frame, level = sys._getframe(1), 2
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").partition(".")[0] == "sightline"
    ):
        frame, level = frame.f_back, level + 1
    try:
        warnings.warn(f"sightline: {line}", RuntimeWarning, stacklevel=level)
    except RuntimeWarning:
        say_on_standard_error(line)


def rank() -> int:
    """The rank of this process from the environment, as SummaryMonitor reads it; 0 if there is none."""
    return rank_of_environment() or 0


def world_size() -> int:
    """The number of ranks from the environment; 1 if it has none."""
    return world_size_of_environment() or 1


def end(monitor: SummaryMonitor, failed: bool = False) -> None:
    """Ends the monitor. Raises nothing: the last line reports errors, and a training must not fail because of them."""
    try:
        monitor.end(failed=failed)
    except Exception:
        pass


def next_of(ended: SummaryMonitor, say: Callable[[str], object] | None) -> SummaryMonitor:
    """Returns ended.next(). If that fails, reports it, and returns the ended monitor, which records nothing."""
    try:
        return ended.next()
    except Exception as error:
        say = say or say_on_standard_error
        with contextlib.suppress(Exception):  # There is nobody left to tell.
            say(f"what follows is not recorded: {type(error).__name__}: {error}")
        return ended

"""What the adapters of frameworks share: how they speak to the user, and SummaryMonitor, which records one training, for
callbacks that are used for several."""

import contextlib
import os
import sys
import warnings
from collections.abc import Callable

from sightline._core import SummaryMonitor


def say_on_standard_error(line: str) -> None:
    print(f"sightline: {line}", file=sys.stderr)


def warn(line: str) -> None:
    """A RuntimeWarning at the line of the user's program that is running. Where warnings are errors it is printed, since a
    training must not fail for it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "sightline":
        frame, level = frame.f_back, level + 1
    try:
        warnings.warn(f"sightline: {line}", RuntimeWarning, stacklevel=level)
    except RuntimeWarning:
        say_on_standard_error(line)


def rank() -> int:
    """The rank of this process by its environment, as SummaryMonitor takes it; 0 if there is none."""
    for variable in ("RANK_ID", "OMPI_COMM_WORLD_RANK", "RANK", "SLURM_PROCID"):
        with contextlib.suppress(ValueError):
            return int(os.environ.get(variable, ""))
    return 0


def world_size() -> int:
    """How many ranks there are, by the environment; 1 where it does not say."""
    for variable in ("RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "WORLD_SIZE", "SLURM_NTASKS"):
        with contextlib.suppress(ValueError):
            return max(int(os.environ.get(variable, "")), 1)
    return 1


def end(monitor: SummaryMonitor, failed: bool = False) -> None:
    """Raises nothing: the monitor's last line has said it, and a training must not fail for it."""
    try:
        monitor.end(failed=failed)
    except Exception:
        pass


def next_of(ended: SummaryMonitor, say: Callable[[str], object] | None) -> SummaryMonitor:
    """ended.next(). Where that cannot be it is said, and the ended one, which records nothing, is returned."""
    try:
        return ended.next()
    except Exception as error:
        say = say or say_on_standard_error
        with contextlib.suppress(Exception):  # There is nobody left to tell.
            say(f"what follows is not recorded: {type(error).__name__}: {error}")
        return ended

"""SummaryMonitor, which records one training, for callbacks that are used for several."""

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

from sightline._core import SummaryMonitor


def say_on_standard_error(line: str) -> None:
    print(f"sightline: {line}", file=sys.stderr)


def end(monitor: SummaryMonitor) -> None:
    """Raises nothing: the monitor's last line has said it, and a training must not fail for it."""
    try:
        monitor.end()
    except Exception:
        pass


def next_of(ended: SummaryMonitor, options: Mapping[str, Any]) -> SummaryMonitor:
    """A monitor for what follows an ended one, in its directory, with the options of the first. Where that cannot be it
    is said, and the ended one, which records nothing, is returned."""
    try:
        return SummaryMonitor(ended.directory, after=ended, **{**options, "resume_from_step": None})
    except Exception as error:
        say = options.get("say") or say_on_standard_error
        with contextlib.suppress(Exception):  # There is nobody left to tell.
            say(f"what follows is not recorded: {type(error).__name__}: {error}")
        return ended

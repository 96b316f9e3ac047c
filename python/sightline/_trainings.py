"""SummaryMonitor, which records one training, for callbacks that are used for several."""

import sys
from collections.abc import Mapping
from typing import Any

from sightline._core import SummaryMonitor


def end(monitor: SummaryMonitor) -> None:
    """Raises nothing: the monitor's last line has said it, and a training must not fail for it."""
    try:
        monitor.end()
    except Exception:
        pass


def next_of(ended: SummaryMonitor, options: Mapping[str, Any]) -> SummaryMonitor:
    """A monitor for what follows an ended one, in its directory, with the options of the first; the ended one, which
    records nothing, where that cannot be."""
    once = {"custom_lineage_data": None, "resume_from_step": None}
    try:
        return SummaryMonitor(ended.directory, **{**options, **once})
    except Exception as error:
        print(f"sightline: what follows is not recorded: {type(error).__name__}: {error}", file=sys.stderr)
        return ended

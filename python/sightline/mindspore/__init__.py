"""SummaryMonitor and SummaryCollector as callbacks of MindSpore, on Sightline's recorder; its profilers.

    from sightline.mindspore import SummaryMonitor

    model.train(3, dataset, callbacks=[SummaryMonitor("./run", collect_freq=10)])

`SummaryMonitor` and `ProfileMonitor` have the signatures of MindFormers' classes of these names; `register()` puts
them in the place of those in MindFormers' registry. The other classes have the signatures of MindSpore's.
docs/mindspore.md has the rest, and docs/profiler.md the profilers. Importing this imports neither MindSpore nor
MindFormers: the first use of a class does.
"""

import importlib
from typing import TYPE_CHECKING, Any

from sightline.mindspore.mindformers import register

if TYPE_CHECKING:
    from sightline.mindspore.callback import SummaryCollector as SummaryCollector
    from sightline.mindspore.callback import SummaryMonitor as SummaryMonitor
    from sightline.mindspore.landscape import SummaryLandscape as SummaryLandscape
    from sightline.mindspore.profile_entry import ProfilerAction as ProfilerAction
    from sightline.mindspore.profile_entry import _ExperimentalConfig as _ExperimentalConfig
    from sightline.mindspore.profile_entry import mstx as mstx
    from sightline.mindspore.profile_entry import profile as profile
    from sightline.mindspore.profile_entry import schedule as schedule
    from sightline.mindspore.profile_entry import (
        tensorboard_trace_handler as tensorboard_trace_handler,
    )
    from sightline.mindspore.profile_monitor import ProfileMonitor as ProfileMonitor
    from sightline.mindspore.profiler import Profiler as Profiler
    from sightline.mindspore.profiler_monitor import (
        DynamicProfilerMonitor as DynamicProfilerMonitor,
    )
    from sightline.mindspore.summary_record import SummaryRecord as SummaryRecord

_MODULES = {
    "DynamicProfilerMonitor": "profiler_monitor",
    "ProfileMonitor": "profile_monitor",
    "Profiler": "profiler",
    "ProfilerAction": "profile_entry",
    "SummaryCollector": "callback",
    "SummaryLandscape": "landscape",
    "SummaryMonitor": "callback",
    "SummaryRecord": "summary_record",
    "_ExperimentalConfig": "profile_entry",
    "mstx": "profile_entry",
    "profile": "profile_entry",
    "schedule": "profile_entry",
    "tensorboard_trace_handler": "profile_entry",
}

__all__ = [
    "DynamicProfilerMonitor",
    "ProfileMonitor",
    "Profiler",
    "ProfilerAction",
    "SummaryCollector",
    "SummaryLandscape",
    "SummaryMonitor",
    "SummaryRecord",
    "_ExperimentalConfig",
    "mstx",
    "profile",
    "register",
    "schedule",
    "tensorboard_trace_handler",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)

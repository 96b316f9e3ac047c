"""SummaryMonitor and SummaryCollector as callbacks of MindSpore, on Sightline's recorder; its profilers.

    from sightline.mindspore import SummaryMonitor

    model.train(3, dataset, callbacks=[SummaryMonitor("./run", collect_freq=10)])

`SummaryMonitor` has the signature of MindFormers' class of that name and takes its place in MindFormers' registry, in
whatever order the two are imported; `SummaryCollector` has the signature of MindSpore's, as `Profiler` and
`DynamicProfilerMonitor` have (docs/profiler.md). docs/mindspore.md has the rest. Importing this imports neither MindSpore nor MindFormers: the first use of a class does.
"""

from typing import TYPE_CHECKING, Any

from sightline.mindspore import mindformers as _mindformers

if TYPE_CHECKING:
    from sightline.mindspore.callback import SummaryCollector as SummaryCollector
    from sightline.mindspore.callback import SummaryMonitor as SummaryMonitor
    from sightline.mindspore.profiler import Profiler as Profiler
    from sightline.mindspore.profiler_monitor import DynamicProfilerMonitor as DynamicProfilerMonitor

__all__ = ["DynamicProfilerMonitor", "Profiler", "SummaryCollector", "SummaryMonitor"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Profiler":
        from sightline.mindspore import profiler

        return profiler.Profiler
    if name == "DynamicProfilerMonitor":
        from sightline.mindspore import profiler_monitor

        return profiler_monitor.DynamicProfilerMonitor
    from sightline.mindspore import callback

    return getattr(callback, name)


_mindformers.register()

"""SummaryMonitor and SummaryCollector as callbacks of MindSpore, on Sightline's recorder.

    from sightline.mindspore import SummaryMonitor

    model.train(3, dataset, callbacks=[SummaryMonitor("./run", collect_freq=10)])

`SummaryMonitor` has the signature of MindFormers' class of that name and takes its place in MindFormers' registry, in
whatever order the two are imported; `SummaryCollector` and `SummaryLandscape` have those of MindSpore's.
docs/mindspore.md has the rest. Importing this imports neither MindSpore nor MindFormers: the first use of a class does.
"""

import importlib
from typing import TYPE_CHECKING, Any

from sightline.mindspore import mindformers as _mindformers

if TYPE_CHECKING:
    from sightline.mindspore.callback import SummaryCollector as SummaryCollector
    from sightline.mindspore.callback import SummaryMonitor as SummaryMonitor
    from sightline.mindspore.landscape import SummaryLandscape as SummaryLandscape

__all__ = ["SummaryCollector", "SummaryLandscape", "SummaryMonitor"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{'landscape' if name == 'SummaryLandscape' else 'callback'}")
    return getattr(module, name)


_mindformers.register()

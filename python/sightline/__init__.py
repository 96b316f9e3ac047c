"""Sightline records what a training run does, into files that MindSpore's tools and TensorBoard read, and reads them.

    import sightline

    with sightline.Recorder("./run", formats=("mindspore", "tensorboard")) as recorder:
        loss = recorder.intern("loss")
        for step in range(1, 1001):
            recorder.add_scalar(loss, step, train())

`Recorder` records values under tags, `SummaryMonitor` is a callback that decides which values of a training are
recorded, and `sightline.torch.SummaryWriter` has the interface of PyTorch's. A recording call never raises for a
bad value: it is counted in `stats.invalid_values` and named in `stats.first_error`.

    sightline.capture()  # What tensorboardX and torch.utils.tensorboard record goes through Sightline, too.

    loss = sightline.open("./run").scalars("loss")  # .steps, .wall_times, .values
    for run in sightline.open_all("./output").where("lr > 0.01"):
        print(run.name, run.scalars("loss").values[-1])

`open` reads a run, `open_all` every run below a directory, of Sightline, MindSpore or TensorBoard (sightline.runs);
`serve` shows them in the dashboard. The pages that docstrings name, such as docs/python.md, are in the folder docs of
this package.
"""

import importlib
from typing import TYPE_CHECKING, Any

from sightline._core import Recorder, RecorderStats, SummaryMonitor, Tag, __version__

if TYPE_CHECKING:
    from sightline._capture import capture as capture
    from sightline._serving import Server as Server
    from sightline._serving import serve as serve
    from sightline.runs import Run as Run
    from sightline.runs import Runs as Runs
    from sightline.runs import open as open
    from sightline.runs import open_all as open_all

# Without `open`, so that an import of everything keeps the built-in one.
__all__ = ["Recorder", "RecorderStats", "SummaryMonitor", "Tag", "__version__"]

_MODULES = {
    "Run": "runs",
    "Runs": "runs",
    "Server": "_serving",
    "capture": "_capture",
    "open": "runs",
    "open_all": "runs",
    "serve": "_serving",
}


def __getattr__(name: str) -> Any:
    """Loads what a training does not need when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])

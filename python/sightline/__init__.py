"""Sightline records what a training run does, into files that MindSpore's tools and TensorBoard read, and reads them.

    import sightline

    with sightline.Recorder("./run", formats=("mindspore", "tensorboard")) as recorder:
        loss = recorder.intern("loss")
        for step in range(1, 1001):
            recorder.add_scalar(loss, step, train())

`Recorder` records values under tags, `SummaryMonitor` is a callback that decides which values of a training are
recorded, and `sightline.torch.SummaryWriter` has the interface of PyTorch's. A recording call never raises for a
bad value: it is counted in `stats.invalid_values` and named in `stats.first_error`.

    loss = sightline.open("./run").scalars("loss")  # .steps, .wall_times, .values
    for run in sightline.open_all("./output").where("lr > 0.01"):
        print(run.name, run.scalars("loss").values[-1])

`open` reads a run, `open_all` every run below a directory, of Sightline, MindSpore or TensorBoard (sightline.runs);
`serve` shows them in the dashboard. The pages that docstrings name, such as docs/python.md, are in the folder docs of
this package.
"""

from typing import TYPE_CHECKING, Any

from sightline._core import Recorder, RecorderStats, SummaryMonitor, Tag, __version__

if TYPE_CHECKING:
    from sightline._serving import Server as Server
    from sightline._serving import serve as serve
    from sightline.runs import Run as Run
    from sightline.runs import Runs as Runs
    from sightline.runs import open as open
    from sightline.runs import open_all as open_all

# Without `open`, so that an import of everything keeps the built-in one.
__all__ = ["Recorder", "RecorderStats", "SummaryMonitor", "Tag", "__version__"]

_READING = ("Run", "Runs", "open", "open_all")
_SERVING = ("Server", "serve")


def __getattr__(name: str) -> Any:
    """Loads the modules that read when they are first used; a training does not need them."""
    if name in _READING:
        from sightline import runs

        return getattr(runs, name)
    if name in _SERVING:
        from sightline import _serving

        return getattr(_serving, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_READING, *_SERVING])

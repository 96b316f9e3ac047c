"""Sightline records what a training run does, into files that MindSpore's tools and TensorBoard read.

    import sightline

    with sightline.Recorder("./run", formats=("mindspore", "tensorboard")) as recorder:
        loss = recorder.intern("loss")
        for step in range(1, 1001):
            recorder.add_scalar(loss, step, train())

`Recorder` records values under tags, `SummaryMonitor` is a callback that decides which values of a training are
recorded, and `sightline.torch.SummaryWriter` has the interface of PyTorch's. A recording call never raises for a
bad value: it is counted in `stats.invalid_values` and named in `stats.first_error`.
"""

from sightline._core import Recorder, RecorderStats, SummaryMonitor, Tag, __version__

__all__ = ["Recorder", "RecorderStats", "SummaryMonitor", "Tag", "__version__"]

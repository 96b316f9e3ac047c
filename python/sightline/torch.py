"""SummaryWriter with the interface of torch.utils.tensorboard.SummaryWriter, on Sightline's recorder.

    from sightline.torch import SummaryWriter

    with SummaryWriter("runs/first") as writer:
        writer.add_scalar("loss", loss, step)

It writes TensorBoard's dialect and imports neither torch nor tensorboard. What differs from PyTorch's writer:

- A call never raises for a bad value: it is counted in `writer.recorder.stats`. Unknown layouts of pictures are.
- `walltime` must be left out: an event has the time of its call. A value given is ignored, with one warning.
- Steps are integers; without one it is 0, as in PyTorch's.
- Histograms have the recorder's buckets: `bins` and `max_bins` have no effect.
- `max_queue` and `filename_suffix` have none either: the recorder's buffer is bounded in bytes.
- Methods for what the recorder has no kind of value for raise NotImplementedError and say what to use.
"""

import os
import re
import socket
import time
import warnings
from typing import Any, NoReturn

from sightline._core import Recorder

__all__ = ["SummaryWriter"]


class SummaryWriter:
    """Records into `log_dir`; default: runs/<date>_<time>_<host><comment>.

    flush_secs: seconds after which a value is in its file at the latest; what was added survives SIGKILL before.
    purge_step is refused: to go on behind a step, open the same directory again.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
    ) -> None:
        if purge_step is not None:
            raise NotImplementedError(
                "SummaryWriter(purge_step=...): nothing that was recorded is purged; open a new log_dir instead"
            )
        if not log_dir:
            log_dir = os.path.join("runs", time.strftime("%b%d_%H-%M-%S_") + socket.gethostname() + comment)
        self.log_dir = os.fspath(log_dir)
        self._flush_secs = flush_secs
        self._recorders: dict[str, Recorder] = {}
        self._open("")

    @property
    def recorder(self) -> Recorder:
        """What records, with its stats."""
        return self._open("")

    def get_logdir(self) -> str:
        return self.log_dir

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Records a number. The file holds float32, double_precision or not."""
        _warn_about(walltime)
        self.recorder.add_scalar(tag, global_step or 0, _on_cpu(scalar_value))

    def add_scalars(
        self, main_tag: str, tag_scalar_dict: dict[str, Any], global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Records each number under `main_tag` into a run of its own, log_dir/<main_tag>_<key>, as PyTorch's does."""
        _warn_about(walltime)
        for key, value in tag_scalar_dict.items():
            run = f"{main_tag.replace('/', '_')}_{key}"
            self._open(run).add_scalar(main_tag, global_step or 0, _on_cpu(value))

    def add_tensor(self, tag: str, tensor: Any, global_step: int | None = None, walltime: float | None = None) -> None:
        """Records an array whole."""
        _warn_about(walltime)
        self.recorder.add_tensor(tag, global_step or 0, _on_cpu(tensor))

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: int | None = None,
        bins: str = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Records the histogram of an array's elements."""
        _warn_about(walltime)
        self.recorder.add_histogram(tag, global_step or 0, _on_cpu(values))

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Records a picture of 1 or 3 channels: uint8 as it is, other dtypes from 0 (black) to 1 (white).

        dataformats: the meaning of the dimensions, a permutation of CHW, HW or NCHW. Raises ValueError when it does
        not fit the array.
        """
        _warn_about(walltime)
        self.recorder.add_image(tag, global_step or 0, _pixels(img_tensor, dataformats))

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Records a batch of pictures as one, eight a row; otherwise as add_image."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_figure(
        self, tag: str, figure: Any, global_step: int | None = None, close: bool = True, walltime: float | None = None
    ) -> None:
        """Records a matplotlib figure, or a list of them, as picture; close: matplotlib forgets it afterwards."""
        import numpy as np
        from matplotlib import pyplot
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        figures = figure if isinstance(figure, (list, tuple)) else [figure]
        pictures = []
        for one in figures:
            canvas = FigureCanvasAgg(one)
            canvas.draw()
            pictures.append(np.asarray(canvas.buffer_rgba())[:, :, :3])
            if close:
                pyplot.close(one)
        self.add_image(tag, np.stack(pictures), global_step, walltime, dataformats="NHWC")

    def add_histogram_raw(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_histogram_raw", "add_histogram with the values themselves")

    def add_image_with_boxes(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_image_with_boxes", "add_image with the boxes drawn into the picture")

    def add_video(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_video", "add_images with some of its frames")

    def add_audio(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_audio", "add_tensor with the samples")

    def add_text(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_text", "custom_lineage_data of sightline.SummaryMonitor, which TensorBoard shows as text")

    def add_onnx_graph(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_onnx_graph", "torch.utils.tensorboard for the graph, in another log_dir")

    def add_graph(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_graph", "torch.utils.tensorboard for the graph, in another log_dir")

    def add_embedding(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_embedding", "add_tensor with the vectors")

    def add_pr_curve(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_pr_curve", "add_tensor with precision and recall, or add_figure with the curve")

    def add_pr_curve_raw(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_pr_curve_raw", "add_tensor with precision and recall, or add_figure with the curve")

    def add_custom_scalars(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_custom_scalars", "add_scalars, which draws its values into one chart")

    def add_custom_scalars_multilinechart(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_custom_scalars_multilinechart", "add_scalars, which draws its values into one chart")

    def add_custom_scalars_marginchart(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_custom_scalars_marginchart", "add_scalars, which draws its values into one chart")

    def add_mesh(self, *_: Any, **__: Any) -> NoReturn:
        _refuse("add_mesh", "add_tensor with the vertices")

    def add_hparams(self, *_: Any, **__: Any) -> NoReturn:
        _refuse(
            "add_hparams",
            "custom_lineage_data of sightline.SummaryMonitor(formats='tensorboard'), which becomes a row of HPARAMS",
        )

    def flush(self) -> None:
        """Waits until everything added is in the files."""
        for recorder in self._recorders.values():
            recorder.flush()

    def close(self) -> None:
        """Writes everything and closes the files; the next call opens new ones, as in PyTorch's."""
        recorders, self._recorders = self._recorders, {}
        for recorder in recorders.values():
            recorder.close()

    def __enter__(self) -> "SummaryWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, run: str) -> Recorder:
        if run not in self._recorders:
            directory = os.path.join(self.log_dir, run) if run else self.log_dir
            self._recorders[run] = Recorder(directory, formats=("tensorboard",), flush_interval=self._flush_secs)
        return self._recorders[run]


def _refuse(method: str, instead: str) -> NoReturn:
    raise NotImplementedError(f"SummaryWriter.{method}: there is no kind of value for it; use {instead}")


def _warn_about(walltime: float | None) -> None:
    if walltime is not None:
        warnings.warn("walltime is ignored: an event has the time of its call", UserWarning, stacklevel=3)


def _on_cpu(value: Any) -> Any:
    """A tensor of a device in this machine's memory; anything else as it is."""
    device = getattr(value, "device", None)
    if getattr(device, "type", "cpu") == "cpu":
        return value
    return value.detach().cpu()


def _pixels(picture: Any, dataformats: str) -> Any:
    """uint8 pixels as (batch, channels, height, width)."""
    import numpy as np

    picture = _on_cpu(picture)
    array = np.asarray(picture.detach() if hasattr(picture, "detach") else picture)
    letters = dataformats.upper()
    if array.ndim != len(letters) or not re.fullmatch("N?C?HW", "".join(sorted(letters, key="NCHW".find))):
        raise ValueError(
            f"dataformats is {dataformats!r} for an array of shape {array.shape}, but must name each dimension once: "
            "H, W, and C and N where there are channels and a batch"
        )
    array = array.transpose([letters.index(letter) for letter in "NCHW" if letter in letters])
    if "C" not in letters:
        array = np.expand_dims(array, -3)
    if "N" not in letters:
        array = array[None]
    if array.dtype != np.uint8:
        array = np.clip(np.nan_to_num(array.astype(np.float32)) * 255, 0, 255).astype(np.uint8)
    return array

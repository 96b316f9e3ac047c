"""SummaryWriter with the interface of torch.utils.tensorboard.SummaryWriter, on Sightline's recorder.

    from sightline.torch import SummaryWriter

    with SummaryWriter("runs/first") as writer:
        writer.add_scalar("loss", loss, step)

It writes TensorBoard's dialect and needs neither torch (except for add_graph) nor tensorboard. What differs from PyTorch's
writer:

- A call never raises for a bad value: the first one of each tag and cause is a RuntimeWarning, all are counted in
  `writer.recorder.stats`. Unknown layouts of pictures, a model that cannot be traced, files that cannot be written and
  a missing package are raised.
- Steps are `int(global_step)`, and 0 without one, as in PyTorch's.
- Histograms have the recorder's buckets by default; `bins` and `max_bins` choose others.
- `max_queue` has no effect, since the recorder's buffer is bounded in bytes. `filename_suffix` has no effect either,
  and gives a warning.
- What was added survives SIGKILL.
"""

import contextlib
import math
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sightline import _graphs, _pictures, _projector, _tensorboard
from sightline._arrays import on_cpu
from sightline._core import Recorder, check_local_path
from sightline._trainings import warn

__all__ = ["SummaryWriter"]


class SummaryWriter:
    """Records into `log_dir`; default: runs/<date>_<time>_<host><comment>.

    purge_step: TensorBoard hides what was recorded earlier in this directory for that step and later ones. flush_secs:
    a value is in its file after at most this many seconds; it survives SIGKILL from the beginning. Raises ValueError if
    one of these is no number and if log_dir is a URL, OSError for the directory.
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
        if not log_dir:
            log_dir = os.path.join(
                "runs", time.strftime("%b%d_%H-%M-%S_") + socket.gethostname() + comment
            )
        self.log_dir = os.fsdecode(log_dir)
        check_local_path("log_dir", self.log_dir)
        purge_step, self._flush_secs = numbers_of(purge_step, flush_secs)
        if filename_suffix:
            warn(f"{filename_suffix=} has no effect: files have names of their own without it")
        self._recorders: dict[str, Recorder] = {}  # By run: "" is log_dir.
        self._recorder = self._open("", resume_from_step=purge_step)

    @property
    def recorder(self) -> Recorder:
        """The recorder that records into log_dir, with its stats; after close, the one that was closed."""
        return self._recorder

    def get_logdir(self) -> str:
        """The directory of the event files."""
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
        """Records a number. The file holds float32, or float64 with new_style and double_precision."""
        if new_style:
            value = tag, on_cpu(scalar_value), double_precision
            self._add("add_scalar", tag, global_step, walltime, _tensorboard.scalar, *value)
        else:
            self._open().add_scalar(
                tag, _step(global_step), on_cpu(scalar_value), wall_time=walltime
            )

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Records each number under `main_tag` in its own run, log_dir/<main_tag>_<key>, as in PyTorch."""
        for key, value in tag_scalar_dict.items():
            run = f"{main_tag.replace('/', '_')}_{key}"
            self._open(run).add_scalar(
                main_tag, _step(global_step), on_cpu(value), wall_time=walltime
            )

    def add_tensor(
        self, tag: str, tensor: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Records a whole array."""
        self._open().add_tensor(tag, _step(global_step), on_cpu(tensor), wall_time=walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: int | None = None,
        bins: str | int | Sequence[float] = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Records the histogram of an array's elements.

        bins: as for numpy.histogram; with "tensorflow" the recorder's threads choose the buckets. max_bins: if there
        are more bins, neighbours are merged. NaN and infinities are left out.
        """
        if isinstance(bins, str) and bins == "tensorflow" and max_bins is None:
            self._open().add_histogram(tag, _step(global_step), on_cpu(values), wall_time=walltime)
        else:
            self._add(
                "add_histogram",
                tag,
                global_step,
                walltime,
                _tensorboard.binned,
                tag,
                values,
                bins,
                max_bins,
            )

    def add_histogram_raw(
        self,
        tag: str,
        min: float,
        max: float,
        num: float,
        sum: float,
        sum_squares: float,
        bucket_limits: Sequence[float],
        bucket_counts: Sequence[float],
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Records a histogram that is already counted: buckets by their upper limits."""
        value = tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts
        self._add("add_histogram_raw", tag, global_step, walltime, _tensorboard.histogram, *value)

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Records a picture with 1 or 3 channels, or 2 or 4 with alpha. uint8 is not changed; other dtypes range from 0
        (black) to 1 (white).

        dataformats: the meaning of the dimensions, a permutation of CHW, HW or NCHW. Raises ValueError if it does not
        fit the array.
        """
        pixels = _pictures.batch(img_tensor, dataformats)
        if pixels.shape[:2] in ((1, 2), (1, 4)):
            value = tag, pixels[0].transpose(1, 2, 0)
            self._add("add_image", tag, global_step, walltime, _tensorboard.picture, *value)
        else:
            self._open().add_image(tag, _step(global_step), pixels, wall_time=walltime)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Records a batch of pictures with 1 or 3 channels as one picture, eight in a row; otherwise like add_image."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: Sequence[str] | str | None = None,
    ) -> None:
        """Records a picture with red boxes (xmin, ymin, xmax, ymax) drawn into it. Needs Pillow.

        Raises ValueError if shapes do not fit."""
        picture = _pictures.with_boxes(img_tensor, box_tensor, rescale, dataformats, labels)
        self.add_image(tag, picture, global_step, walltime)

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: int | None = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Records a matplotlib figure, or a list of figures of one size, as a picture. close: closes them in
        matplotlib.

        Raises TypeError for an object that is no figure, ValueError for an empty list or different sizes.
        """
        import numpy as np
        from matplotlib import pyplot
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figures = figure if isinstance(figure, (list, tuple)) else [figure]
        for one in figures:
            if not isinstance(one, Figure):
                raise TypeError(
                    f"figure is a matplotlib Figure or a list of them, not {type(one).__name__}"
                )
        pictures = []
        for one in figures:
            canvas = FigureCanvasAgg(one)
            canvas.draw()
            pictures.append(np.asarray(canvas.buffer_rgba())[:, :, :3])
            if close:
                pyplot.close(one)
        if len({picture.shape for picture in pictures}) != 1:
            raise ValueError(
                f"figures of a list have one size, not {[picture.shape[1::-1] for picture in pictures]}"
            )
        self.add_image(tag, np.stack(pictures), global_step, walltime, dataformats="NHWC")

    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: int | None = None,
        fps: float = 4,
        walltime: float | None = None,
    ) -> None:
        """Records (batch, time, 1 or 3 channels, height, width) as a GIF, with the batch side by side. Needs Pillow."""
        import PIL.Image  # noqa: F401 (Raises where it is missing, before a value is made.)

        self._add(
            "add_video",
            tag,
            global_step,
            walltime,
            _tensorboard.moving_picture,
            tag,
            vid_tensor,
            fps,
        )

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: int | None = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Records one channel of samples from -1 to 1 as a WAV file with 16 bits."""
        self._add(
            "add_audio",
            tag,
            global_step,
            walltime,
            _tensorboard.sound,
            tag,
            snd_tensor,
            sample_rate,
        )

    def add_text(
        self,
        tag: str,
        text_string: str,
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Records a text, which TensorBoard shows as Markdown."""
        self._add("add_text", tag, global_step, walltime, _tensorboard.words, tag, text_string)

    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Mapping[str, Any] | None = None,
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Records points in space, or triangles if there are faces: each array has the shape (batch, n, 3)."""
        value = tag, vertices, colors, faces, config_dict
        self._add("add_mesh", tag, global_step, walltime, _tensorboard.mesh, *value)

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: int | None = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Records the precision and recall of predictions (probabilities) of labels (0 or 1), at up to 127 thresholds."""
        value = tag, labels, predictions, num_thresholds, weights
        self._add("add_pr_curve", tag, global_step, walltime, _tensorboard.pr_curve, *value)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: int | None = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Records a precision-recall curve that is already computed: arrays by threshold."""
        rows = (
            true_positive_counts,
            false_positive_counts,
            true_negative_counts,
            false_negative_counts,
            precision,
            recall,
        )
        self._add(
            "add_pr_curve_raw",
            tag,
            global_step,
            walltime,
            _tensorboard.curve,
            tag,
            rows,
            num_thresholds,
        )

    def add_custom_scalars(self, layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Sets which scalars share a chart: {category: {chart: ["Multiline", tags] or ["Margin", three tags]}}."""
        self._add("add_custom_scalars", "", 0, None, _tensorboard.custom_scalars, layout)

    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Puts these scalars into one chart."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Puts these three scalars into one chart: a value with its lower and upper margin."""
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def add_hparams(
        self,
        hparam_dict: Mapping[str, Any],
        metric_dict: Mapping[str, Any],
        hparam_domain_discrete: Mapping[str, Sequence[Any]] | None = None,
        run_name: str | None = None,
        global_step: int | None = None,
    ) -> None:
        """Records a row of the HPARAMS page, with the metrics as scalars, in its own run: log_dir/<run_name or Unix
        time>. Values are int, float, str or bool; anything else becomes its text, and None is left out. Raises
        TypeError if one of the two is no mapping.
        """
        for name, given in (("hparam_dict", hparam_dict), ("metric_dict", metric_dict)):
            if not isinstance(given, Mapping):
                raise TypeError(f"{name} is a dict, not {type(given).__name__}")
        directory = os.path.join(self.log_dir, run_name or str(time.time()))
        with SummaryWriter(directory, flush_secs=self._flush_secs) as run:
            row = hparam_dict, metric_dict, hparam_domain_discrete or {}
            run._add("add_hparams", "", global_step, None, _tensorboard.hparams, *row)
            for tag, value in metric_dict.items():
                run.add_scalar(tag, value, global_step)

    def add_graph(
        self,
        model: Any,
        input_to_model: Any = None,
        verbose: bool = False,
        use_strict_trace: bool = True,
    ) -> None:
        """Records the graph that torch.jit.trace sees when it calls a model with `input_to_model`, in evaluation mode.

        Raises what tracing raises.
        """
        graph = _graphs.of_torch(model, input_to_model, verbose, use_strict_trace)
        self._open().add_tensorboard_event(0, graph)

    def add_onnx_graph(self, prototxt: str) -> None:
        """Records the graph of an ONNX file. Needs the package onnx, and raises what loading raises."""
        self._open().add_tensorboard_event(0, _graphs.of_onnx(prototxt))

    def add_embedding(
        self,
        mat: Any,
        metadata: Sequence[Any] | None = None,
        label_img: Any = None,
        global_step: int | None = None,
        tag: str = "default",
        metadata_header: Sequence[str] | None = None,
    ) -> None:
        """Writes vectors (points, dimensions), with their labels and pictures, for the PROJECTOR page.

        They are separate files next to the events, and complete when the call returns. Raises ValueError if shapes do
        not fit, and OSError.
        """
        _projector.add_embedding(
            self.log_dir, mat, metadata, metadata_header, label_img, _step(global_step), tag
        )

    def flush(self) -> None:
        """Waits until everything added is in the files."""
        for recorder in self._recorders.values():
            recorder.flush()

    def close(self) -> None:
        """Writes everything and closes the files; the next call opens new ones, as in PyTorch's."""
        recorders, self._recorders = self._recorders, {}
        with contextlib.ExitStack() as closing:  # All of them, whichever fails.
            for recorder in recorders.values():
                closing.callback(recorder.close)

    def __enter__(self) -> "SummaryWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, run: str = "", resume_from_step: int | None = None) -> Recorder:
        """The recorder of a run; opened again after close."""
        if run not in self._recorders:
            self._recorders[run] = Recorder(
                os.path.join(self.log_dir, run) if run else self.log_dir,
                formats=("tensorboard",),
                flush_interval=self._flush_secs,
                resume_from_step=resume_from_step,
                buffer_bytes=(1 if run else 16)
                << 20,  # Only scalars of add_scalars, and there may be many runs.
            )
            if not run:
                self._recorder = self._recorders[run]
        return self._recorders[run]

    def _add(
        self,
        call: str,
        tag: str,
        global_step: Any,
        walltime: float | None,
        make: Callable[..., bytes],
        *value: Any,
    ) -> None:
        """Records the event that make(*value) returns; an exception is counted as an invalid value."""
        recorder, step = self._open(), _step(global_step)
        try:
            event = make(*value)
        except Exception as error:
            cause = type(error).__name__
            recorder._note_invalid(
                f"{call}({tag!r}, step {step!r}): {cause}: {error}", f"{call}({tag!r}): {cause}"
            )
        else:
            recorder.add_tensorboard_event(step, event, wall_time=walltime)


def numbers_of(purge_step: Any = None, flush_secs: Any = 120) -> tuple[int | None, float]:
    """These options of SummaryWriter, within the recorder's ranges. Raises ValueError if one is not a number."""
    if purge_step is not None:
        purge_step = int(min(max(_number("purge_step", purge_step), 0), 1e18))
    return purge_step, min(max(_number("flush_secs", flush_secs), 0.001), 1e6)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise ValueError(f"{name} is {value!r}, but must be a number")
    return number


def _step(global_step: Any) -> Any:
    """The step by PyTorch's rule. A value without int() is not changed; the recorder refuses it."""
    if type(global_step) is int:
        return global_step
    try:
        return 0 if global_step is None else int(global_step)
    except Exception:
        return global_step

"""The extension module of sightline, which re-exports it."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, SupportsFloat, SupportsIndex, TypeAlias

_Format: TypeAlias = Literal["mindspore", "tensorboard"]
_Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
# Something with DLPack or the buffer protocol, or what numpy.asarray makes an array of.
_Array: TypeAlias = Any
_Scalar: TypeAlias = SupportsFloat | SupportsIndex
_Named: TypeAlias = Mapping[str, Any] | Iterable[tuple[str, Any]]

__version__: str

def check_local_path(name: str, path: _Path) -> None:
    """Raises ValueError, with the name of the option, for a URL and for a NUL byte."""

def rank_of_environment() -> int | None:
    """The rank that the launcher gave to this process; None if there is none."""

def world_size_of_environment() -> int | None:
    """The number of processes that the launcher started; None if it is unknown."""

def run_facts(directory: _Path, command: list[bytes], sha256_hex: Callable[[bytes], str]) -> str:
    """What the process runs on, without secrets, as a JSON object; see docs/runs.md. Starts git, and releases the GIL."""

def keep_run_facts(directory: _Path, session_id: str, facts: str) -> None:
    """Writes the file of a session's facts, which only its owner may read. `facts`: a JSON object. Raises OSError."""

def launcher_variables(variables: list[bytes]) -> str:
    """Of variables b"NAME=value", those that say how a training was launched, without secrets, as a JSON object."""

def hide_secrets(text: bytes) -> str:
    """The text with each secret in it replaced by ***."""

class LossLandscape:
    """The numbers of one landscape; sightline._landscape makes it."""

    @property
    def x(self) -> list[float]:
        """The positions of the columns of z, ascending."""
    @property
    def y(self) -> list[float]:
        """The positions of the rows of z, ascending."""
    @property
    def z(self) -> list[float]:
        """The loss at each point of the grid, row by row: z[j * len(x) + i] is the loss at x[i], y[j]."""
    @property
    def path_z(self) -> list[float]:
        """The loss at each point of the path; empty if there is no path."""
    @property
    def lines(self) -> list[tuple[str, list[float], list[float], list[list[float]]]]:
        """(along, at, z, metrics) of each line."""

def record_landscape(directory: _Path, tag: str, landscape: LossLandscape) -> None:
    """Records a landscape at step 0 in new event files in the directory."""

class Tag:
    """A tag that a Recorder knows; made by Recorder.intern."""

class RecorderStats:
    """What a Recorder has done since it was opened."""

    @property
    def accepted_events(self) -> int:
        """Events that recording calls made."""
    @property
    def accepted_values(self) -> int:
        """Values that recording calls took."""
    @property
    def accepted_bytes(self) -> int:
        """Bytes of the values as they were given, including tags."""
    @property
    def written_events(self) -> int:
        """Events that are in all files to which they belong."""
    @property
    def written_bytes(self) -> int:
        """Bytes in all files."""
    @property
    def dropped_values(self) -> int:
        """Values left out for lack of room: on_buffer_full="drop", or a full disk."""
    @property
    def left_out_values(self) -> int:
        """Values that came after max_file_size, with on_file_full="stop"."""
    @property
    def invalid_values(self) -> int:
        """Values that cannot be recorded; first_error has the first error."""
    @property
    def lost_values(self) -> int:
        """Values that were accepted, but a file could not take them."""
    @property
    def duplicate_tags(self) -> int:
        """Values replaced by newer ones with the same tag, kind and step."""
    @property
    def unprotected_bytes(self) -> int:
        """Bytes not yet written of values that are too large for the buffer."""
    @property
    def errors(self) -> int:
        """The number of errors; first_error is the first one."""
    @property
    def first_error(self) -> str | None:
        """The message of the first error; None if there was none."""
    @property
    def paused(self) -> bool:
        """Whether recording waits for disk space."""
    @property
    def kill_safe(self) -> bool:
        """False if no journal could be mapped; SIGKILL may then lose accepted values."""
    @property
    def caller_seconds(self) -> float:
        """The time that callers waited for room."""
    @property
    def worker_seconds(self) -> float:
        """The CPU time of the recorder's threads."""
    @property
    def files(self) -> list[str]:
        """The event files, in the order of their creation."""
    def __repr__(self) -> str:
        """The counts that are not zero, paused and kill_safe if they are unusual, and first_error."""

class Recorder:
    """Records values under tags into event files of a directory.

    Every method may be called from any thread. A recording call copies its value into a memory-mapped journal and
    returns; the recorder's threads encode and write it. Accepted values survive SIGKILL. The options and their defaults
    are in docs/python.md.

    Raises ValueError with every fault of the options, and OSError for errors of the directory.
    """

    def __init__(
        self,
        directory: _Path,
        *,
        formats: _Format | Sequence[_Format] = ("mindspore",),
        max_file_size: int | str | None = None,
        export_npy: bool = False,
        resume_from_step: int | None = None,
        buffer_bytes: int | str = 16777216,
        on_buffer_full: Literal["block", "drop"] = "block",
        on_file_full: Literal["rotate", "stop"] = "rotate",
        flush_interval: float = 0.5,
        sync: Literal["never", "interval", "every_record"] = "never",
        sync_interval: float = 5.0,
        min_free_disk_bytes: int | str = 33554432,
        journal_dir: str | os.PathLike[str] | None = None,
        workers: int = 1,
        rank: int | None = None,
        world_size: int | None = None,
        device_id: int = 0,
        hostname: str | None = None,
    ) -> None: ...
    def intern(self, text: str) -> Tag:
        """Makes a tag of a text. Recording with a tag is faster than with a text."""
    def add_scalar(
        self, tag: str | Tag, step: SupportsIndex, value: _Scalar, *, wall_time: float | None = None
    ) -> bool:
        """Records a number under a tag (a Tag of intern, or a str) at a step.

        value: anything with __float__, such as a float, an int, a NumPy scalar, or an array or tensor with one element.
        wall_time: the time of the event in Unix seconds; None: now. The files hold float32. Returns whether the value
        was accepted. Never raises for a bad value, but counts it in stats.invalid_values, and names the first in
        stats.first_error. The order is not that of TensorBoard's add_scalar(tag, value, step), for which there is
        sightline.torch.SummaryWriter.
        """
    def add_histogram(
        self, tag: str | Tag, step: SupportsIndex, values: _Array, *, wall_time: float | None = None
    ) -> bool:
        """Records the histogram of an array's elements."""
    def add_tensor(
        self, tag: str | Tag, step: SupportsIndex, values: _Array, *, wall_time: float | None = None
    ) -> bool:
        """Records a whole array."""
    def add_image(
        self, tag: str | Tag, step: SupportsIndex, nchw: _Array, *, wall_time: float | None = None
    ) -> bool:
        """Records an array (batch, 1 or 3 channels, height, width) as one picture.

        uint8 is kept exactly, other dtypes are stretched from their minimum to their maximum.
        """
    def add_tensorboard_event(
        self, step: SupportsIndex, event: bytes, *, wall_time: float | None = None
    ) -> bool:
        """Records a serialized Event of TensorBoard's schema, without wall_time and step, for data that only this
        dialect has. A recorder that writes no TensorBoard files counts it as invalid; files in MindSpore's dialect do
        not get it.
        """
    def record(
        self,
        step: SupportsIndex,
        values: Mapping[str, Any] | Mapping[str | Tag, Any],
        *,
        wall_time: float | None = None,
    ) -> bool:
        """Records a dict of tags to numbers and arrays as one event: numbers and arrays without dimensions as scalars,
        other arrays as tensors.
        """
    def _note_invalid(self, why: str, cause: str) -> None: ...
    # A serialized Event of TensorBoard's schema, with its wall time and step. With a key, the tag of a scalar becomes
    # <tag>/<key>.
    def _add_event(self, event: bytes, key: str = "") -> bool: ...
    def _record_kinds(self, step: SupportsIndex, values: list[tuple[str, str, Any]]) -> bool: ...
    def flush(self, to_disk: bool = False) -> None:
        """Waits until everything that was accepted is in the files; with to_disk, on the disk. Raises OSError."""
    def close(self) -> None:
        """Writes everything, closes the files and removes the journal.

        Later calls do nothing. Raises OSError if something that was accepted did not get into the files. Gives a
        RuntimeWarning if values were refused or dropped.
        """
    @property
    def stats(self) -> RecorderStats:
        """What the recorder has done so far, and what was refused, dropped or failed."""
    @property
    def directory(self) -> str:
        """The absolute path of the directory of the event files."""
    @property
    def session_id(self) -> str:
        """Identifies the files of this recorder: 32 hexadecimal digits."""
    @property
    def continues_session(self) -> str | None:
        """The session that resume_from_step continues; None if there is none."""
    def __repr__(self) -> str:
        """The directory, accepted_values, and the number of errors if there are any."""
    def __enter__(self) -> Recorder: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

class SummaryMonitor:
    """Records a training run by MindSpore's collection rules.

    The training tells it what happens. It decides which values are recorded, and never disturbs the training. The
    options and their defaults are in docs/python.md and docs/summary_monitor.md. One thread at a time. With
    SIGHTLINE_DISABLE=1 in the environment every call does nothing.

    Raises ValueError with every fault of the options, and OSError for errors of the directory.
    """

    def __init__(
        self,
        summary_dir: _Path | None = None,
        *,
        collect_freq: int = 10,
        collect_tensor_freq: int | None = None,
        keep_default_action: bool = True,
        collect_specified_data: Mapping[str, Any] | None = None,
        frequencies: Sequence[Mapping[str, Any]] | None = None,
        max_overhead: float | str | None = None,
        custom_lineage_data: Mapping[str, int | float | str] | None = None,
        max_file_size: int | str | None = None,
        export_options: Mapping[str, str | None] | None = None,
        formats: _Format | Sequence[_Format] = ("mindspore",),
        ranks: Literal["all"] | int | Sequence[int] | None = None,
        resume_from_step: int | None = None,
        on_nonfinite: Callable[[str, int, float], object] | None = None,
        save_checkpoint: Callable[[str], object] | None = None,
        say: Callable[[str], object] | None = None,
        buffer_bytes: int | str = 16777216,
        on_buffer_full: Literal["block", "drop"] = "block",
        on_file_full: Literal["rotate", "stop"] = "rotate",
        flush_interval: float = 0.5,
        sync: Literal["never", "interval", "every_record"] = "never",
        sync_interval: float = 5.0,
        min_free_disk_bytes: int | str = 33554432,
        journal_dir: str | os.PathLike[str] | None = None,
        workers: int = 1,
        rank: int | None = None,
        world_size: int | None = None,
        device_id: int = 0,
        hostname: str | None = None,
    ) -> None: ...
    @staticmethod
    def from_yaml(path_or_text: _Path, **options: Any) -> SummaryMonitor:
        """Makes a monitor from a configuration in MindFormers' form (docs/summary_monitor.md).

        Its parameters take precedence over the options. A str with a line end or a brace is the configuration itself;
        any other str and a path object name its file. Also raises OSError.
        """
    def next(self) -> SummaryMonitor:
        """Makes a monitor for the training that follows this ended one.

        It has the same directory, and the same options except resume_from_step. Custom lineage is not recorded again.
        Raises OSError.
        """
    def begin(
        self,
        *,
        epochs: int = 0,
        steps_per_epoch: int = 0,
        sink_mode: bool = False,
        network: str | None = None,
        loss_function: str | None = None,
        optimizer: str | None = None,
        learning_rate: float | None = None,
        batch_size: int = 0,
        device_num: int = 1,
        parallel_mode: str = "stand_alone",
        dataset_path: str | None = None,
        dataset_size: int = 0,
        model_path: str | None = None,
        model_bytes: int = 0,
    ) -> None:
        """Call this when a training begins.

        The arguments describe the training, and become its lineage: epochs, steps_per_epoch, sink_mode, network,
        loss_function, optimizer, learning_rate, batch_size, device_num, parallel_mode, dataset_path, dataset_size,
        model_path and model_bytes. Raises ValueError for a wrong argument.
        """
    @staticmethod
    def check(**options: Any) -> None:
        """Raises ValueError with every fault of the options; creates nothing."""
    def record_graph(self, model: bytes) -> None:
        """Records the training graph, the first time only.

        `model` is the bytes of a ModelProto, as MindSpore's Cell.get_func_graph_proto returns them.
        """
    def record_dataset_graph(self, graph: bytes) -> None:
        """Records the pipeline of the training data, the first time only. `graph` is the bytes of a DatasetGraph."""
    def selects_parameter(self, index: int, name: str) -> bool:
        """Whether the histogram of this parameter is ever recorded; other parameters need not be passed to end_step.

        `index` counts the trainable parameters from 0.
        """
    def set_parameters(self, parameters: _Named) -> None:
        """Sets the trainable parameters: a mapping of names to arrays or tensors, or pairs.

        Their histograms are recorded if end_step gets no parameters. The objects must stay the same from step to step;
        properties that do not change, such as shapes, are read once. They are kept until the next call or end(). Raises
        TypeError or ValueError for anything that is no mapping of names.
        """
    def collects(self, name: str) -> bool:
        """Whether the data of a switch, such as collect_metric, is collected by the options and their defaults.

        Raises ValueError for a name that is no switch.
        """
    def is_due(self, step: int) -> bool:
        """Whether something would be recorded or saved at this step."""
    def should_record(
        self,
        tag: str,
        step: int,
        kind: Literal["scalar", "histogram", "image", "tensor"] = "tensor",
    ) -> bool:
        """Whether a value with this tag would be recorded at the end of the step; ask before you compute or fetch it.

        Histograms have the tag "<parameter>/auto". Raises ValueError for a kind that is not "scalar", "histogram",
        "image" or "tensor".
        """
    def is_checkpoint_due(self, step: int) -> bool:
        """Whether end_step of this step will call save_checkpoint, for the loss landscape."""
    def end_step(
        self,
        step: SupportsIndex,
        loss: _Scalar | _Array | Callable[[], Any] | None = None,
        learning_rate: _Scalar | Callable[[], _Scalar | None] | None = None,
        batch_size: SupportsIndex | Callable[[], SupportsIndex] | None = None,
        input: _Array | Callable[[], _Array] | None = None,
        *,
        parameters: _Named | Callable[[], _Named] | None = None,
        tensors: _Named | Callable[[], _Named] | None = None,
        scalars: _Named | Callable[[], _Named] | None = None,
        histograms: _Named | Callable[[], _Named] | None = None,
        images: _Named | Callable[[], _Named] | None = None,
    ) -> None:
        """Call this at the end of a step.

        Any value may be a function without arguments that returns it; it is called only if the step is recorded.
        parameters, tensors, scalars, histograms and images are mappings of names to values, or pairs. Without
        parameters, those of set_parameters are recorded. Never raises for a bad value, but counts it in stats.
        """
    def log(self, scalars: _Named, step: SupportsIndex) -> None:
        """Records a dict of names to numbers, at any step."""
    def begin_evaluation(self) -> None:
        """Call this when an evaluation begins: until it ends, time does not count as step time."""
    def end_evaluation(
        self, metrics: _Named, step: SupportsIndex, *, dataset_path: str = "", dataset_size: int = 0
    ) -> None:
        """Call this when an evaluation after training step `step` ended.

        Each metric becomes a scalar "eval/<name>", and all of them become one evaluation lineage.
        """
    def set_model(self, path: _Path, bytes: int) -> None:
        """Sets the checkpoint that the training left, for its lineage."""
    def set_last_loss(self, loss: _Scalar) -> None:
        """Sets the loss of the training's last step, for its lineage, if that step was not recorded."""
    def end(self, *, failed: bool = False) -> None:
        """Records the training's lineage, closes the files and reports the last line.

        Later calls do nothing. failed: what TensorBoard's HPARAMS page shows as the run's status.
        Raises OSError if something that was accepted did not get into the files.
        """
    @property
    def enabled(self) -> bool:
        """Whether anything is recorded; False with SIGHTLINE_DISABLE=1, and on a rank that `ranks` leaves out."""
    @property
    def directory(self) -> str:
        """The directory of the event files, as it was given."""
    @property
    def resume_from_step(self) -> int | None:
        """The option of this name; None if it was not given."""
    @property
    def stats(self) -> RecorderStats:
        """What was recorded so far, and what was refused, dropped or failed. Any thread."""
    @property
    def thinned_steps(self) -> int:
        """How many steps had histograms, images or tensors left out because of max_overhead."""
    @property
    def recorder(self) -> Recorder | None:
        """The Recorder of this run, for values of your own; None if nothing is recorded."""
    def __enter__(self) -> SummaryMonitor: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

class MindSporeSteps:
    """Ends the steps of a training, for the callback of sightline.mindspore: calls end_step() with the values of a
    RunContext.

    number: the key of the step's number, to which `before` is added. loss: whether to pass loss and learning rate; the
    latter is an object that stays the same. input: a function that gets the parameters of each recorded step, until it
    returns None. places: dicts, each with the key under which an operator leaves values. If one has values, or no such
    key, `take` is called with whether the step is recorded; it returns further arguments of end_step(). tensor: the
    class of MindSpore's tensors; its `_item()`, if it has one, returns the number of a tensor with one element. One
    thread at a time.
    """

    def __init__(
        self,
        monitor: SummaryMonitor,
        *,
        number: str,
        before: int,
        loss: bool,
        learning_rate: _Scalar | None,
        input: Callable[[dict[str, Any]], _Array | None] | None,
        places: tuple[tuple[dict[str, Any], str], ...],
        take: Callable[[bool], Mapping[str, _Named]],
        tensor: type,
    ) -> None: ...
    @property
    def last(self) -> int:
        """The newest step that ended; 0 before the first."""
    def end(self, parameters: dict[str, Any]) -> None:
        """Ends a step; `parameters` is RunContext.original_args(). Raises for parameters without a number, and what
        `take` raises.
        """

# Events for Recorder.add_tensorboard_event. Raise ValueError for what cannot be shown.
def _text_event(tag: str, text: str) -> bytes: ...
def _audio_event(tag: str, samples: _Array, sample_rate: _Scalar) -> bytes: ...
def _pr_curve_event(
    tag: str, labels: _Array, predictions: _Array, num_thresholds: int, weights: _Array | None
) -> bytes: ...
def _pr_curve_rows_event(tag: str, rows: tuple[_Array, ...], num_thresholds: int) -> bytes: ...
def _mesh_event(
    tag: str, vertices: _Array, colors: _Array | None, faces: _Array | None, config_json: str
) -> bytes: ...
def _hyper_parameters_event(
    parameters: Iterable[tuple[str, bool | float | str, Iterable[bool | float | str] | None]],
    metrics: Iterable[str],
) -> bytes: ...
def _chart_layout_event(layout: dict[str, dict[str, Sequence[Any]]]) -> bytes: ...
def _scalar_event(tag: str, value: _Scalar, is_float64: bool) -> bytes: ...
def _histogram_event(
    tag: str,
    min: _Scalar,
    max: _Scalar,
    count: _Scalar,
    sum: _Scalar,
    sum_squares: _Scalar,
    limits: _Array,
    counts: _Array,
) -> bytes: ...
def _picture_event(tag: str, height: int, width: int, channels: int, encoded: bytes) -> bytes: ...
def _graph_event(
    nodes: Iterable[tuple[str, str, Iterable[str], Sequence[int] | None, str]],
) -> bytes: ...

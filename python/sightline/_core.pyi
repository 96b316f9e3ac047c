"""The extension module. What is in it is re-exported by sightline."""

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

class LossLandscape:
    """The numbers of one landscape; sightline._landscape makes it."""

    @property
    def x(self) -> list[float]: ...
    @property
    def y(self) -> list[float]: ...
    @property
    def z(self) -> list[float]:
        """The loss at each point of the grid, row by row: z[j * len(x) + i] is that at x[i], y[j]."""
    @property
    def path_z(self) -> list[float]: ...
    @property
    def lines(self) -> list[tuple[str, list[float], list[float], list[list[float]]]]:
        """(along, at, z, metrics) of each."""

def record_landscape(directory: _Path, tag: str, landscape: LossLandscape) -> None:
    """Records a landscape at step 0 in new event files in the directory."""

class Tag:
    """A tag that a Recorder knows: Recorder.intern makes it."""

class RecorderStats:
    """What a Recorder did so far: counts since it was opened."""

    @property
    def accepted_events(self) -> int: ...
    @property
    def accepted_values(self) -> int: ...
    @property
    def accepted_bytes(self) -> int:
        """Bytes as they were given, tags included."""
    @property
    def written_events(self) -> int:
        """Events that are in every file they belong to."""
    @property
    def written_bytes(self) -> int:
        """Bytes over all files."""
    @property
    def dropped_values(self) -> int:
        """Values left out for want of room: on_buffer_full="drop", a full disk."""
    @property
    def left_out_values(self) -> int:
        """Values that came after max_file_size, with on_full="stop"."""
    @property
    def invalid_values(self) -> int:
        """Values that cannot be recorded; first_error names the first thing that went wrong."""
    @property
    def lost_values(self) -> int:
        """Values that were accepted, but a file could not take them."""
    @property
    def duplicate_tags(self) -> int:
        """Values replaced by a newer one of the same tag, kind and step."""
    @property
    def unprotected_bytes(self) -> int:
        """Bytes of values too large for the buffer that are not written yet."""
    @property
    def errors(self) -> int: ...
    @property
    def first_error(self) -> str | None: ...
    @property
    def paused(self) -> bool:
        """Whether recording waits for disk space."""
    @property
    def kill_safe(self) -> bool:
        """False where no journal could be mapped: then SIGKILL may lose what was accepted."""
    @property
    def caller_seconds(self) -> float:
        """Time that callers waited for room."""
    @property
    def worker_seconds(self) -> float:
        """CPU time of the recorder's threads."""
    @property
    def files(self) -> list[str]:
        """Event files, in the order of their creation."""
    def __repr__(self) -> str:
        """The counts that are not zero, paused and not kill_safe where they are so, and first_error."""

class Recorder:
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
        on_full: Literal["rotate", "stop"] = "rotate",
        flush_interval: float = 0.5,
        sync: Literal["never", "interval", "record"] = "never",
        sync_interval: float = 5.0,
        min_free_disk_bytes: int | str = 33554432,
        journal_dir: str | os.PathLike[str] | None = None,
        workers: int = 1,
        rank: int = 0,
        world_size: int = 1,
        device_id: int = 0,
        hostname: str | None = None,
    ) -> None: ...
    def intern(self, text: str) -> Tag: ...
    def add_scalar(
        self, tag: str | Tag, step: SupportsIndex, value: _Scalar, *, wall_time: float | None = None
    ) -> bool: ...
    def add_histogram(
        self, tag: str | Tag, step: SupportsIndex, values: _Array, *, wall_time: float | None = None
    ) -> bool: ...
    def add_tensor(
        self, tag: str | Tag, step: SupportsIndex, values: _Array, *, wall_time: float | None = None
    ) -> bool: ...
    def add_image(
        self, tag: str | Tag, step: SupportsIndex, nchw: _Array, *, wall_time: float | None = None
    ) -> bool: ...
    def add_tensorboard_event(self, step: SupportsIndex, event: bytes, *, wall_time: float | None = None) -> bool: ...
    def record(
        self,
        step: SupportsIndex,
        values: Mapping[str, Any] | Mapping[str | Tag, Any],
        *,
        wall_time: float | None = None,
    ) -> bool: ...
    def _note_invalid(self, why: str, cause: str) -> None: ...
    def _record_kinds(self, step: SupportsIndex, values: list[tuple[str, str, Any]]) -> bool: ...
    def flush(self, to_disk: bool = False) -> None: ...
    def close(self) -> None: ...
    @property
    def stats(self) -> RecorderStats: ...
    @property
    def directory(self) -> str: ...
    @property
    def session_id(self) -> str: ...
    @property
    def continues_session(self) -> str | None:
        """The session that resume_from_step continues; None if there is none."""
    def __repr__(self) -> str:
        """The directory, accepted_values, and errors where there are some."""
    def __enter__(self) -> Recorder: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

class SummaryMonitor:
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
        on_full: Literal["rotate", "stop"] = "rotate",
        flush_interval: float = 0.5,
        sync: Literal["never", "interval", "record"] = "never",
        sync_interval: float = 5.0,
        min_free_disk_bytes: int | str = 33554432,
        journal_dir: str | os.PathLike[str] | None = None,
        workers: int = 1,
        rank: int = 0,
        world_size: int = 1,
        device_id: int = 0,
        hostname: str | None = None,
    ) -> None: ...
    @staticmethod
    def from_yaml(path_or_text: _Path, **options: Any) -> SummaryMonitor:
        """A monitor by a configuration in MindFormers' form (docs/summary_monitor.md), whose parameters win over the options.

        A str with a line end or a brace is the configuration itself, any other str and a path object name its file.
        Raises also OSError.
        """
    def next(self) -> SummaryMonitor:
        """A monitor for what follows this ended one: in its directory, with its options but resume_from_step.

        Custom lineage is not recorded a second time. Raises OSError.
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
    ) -> None: ...
    @staticmethod
    def check(**options: Any) -> None: ...
    def record_graph(self, model: bytes) -> None: ...
    def record_dataset_graph(self, graph: bytes) -> None: ...
    def selects_parameter(self, index: int, name: str) -> bool: ...
    def set_parameters(self, parameters: _Named) -> None: ...
    def collects(self, name: str) -> bool: ...
    def is_due(self, step: int) -> bool: ...
    def should_record(
        self, tag: str, step: int, kind: Literal["scalar", "histogram", "image", "tensor"] = "tensor"
    ) -> bool: ...
    def is_checkpoint_due(self, step: int) -> bool: ...
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
    ) -> None: ...
    def log(self, scalars: _Named, step: SupportsIndex) -> None: ...
    def begin_evaluation(self) -> None: ...
    def end_evaluation(
        self, metrics: _Named, step: SupportsIndex, *, dataset_path: str = "", dataset_size: int = 0
    ) -> None: ...
    def set_model(self, path: _Path, bytes: int) -> None: ...
    def set_last_loss(self, loss: _Scalar) -> None: ...
    def end(self, *, failed: bool = False) -> None: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def directory(self) -> str: ...
    @property
    def resume_from_step(self) -> int | None: ...
    @property
    def stats(self) -> RecorderStats: ...
    @property
    def thinned_steps(self) -> int:
        """Steps of which max_overhead left out histograms, images or tensors."""
    @property
    def recorder(self) -> Recorder | None: ...
    def __enter__(self) -> SummaryMonitor: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

class MindSporeSteps:
    """The ends of a training's steps, for the callback of sightline.mindspore: end_step(), told by a RunContext.

    number: the key of the step's number, to which `before` is added. loss: whether loss and learning rate are given, the
    latter by an object that stays the same. input: called with the parameters of a step that is recorded, until it gives
    None. places: dicts and the key under which an operator leaves values; where one has some, or no such key, take is
    called, with whether the step is recorded, for further arguments of end_step(). tensor: the class of MindSpore's
    tensors, whose `_item()`, where it has one, gives the number of those that hold one. One thread at a time.
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
        """A step ended; parameters: RunContext.original_args(). Raises for parameters without a number, and what `take`
        raises."""

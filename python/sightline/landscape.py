"""Loss landscapes of a training that was recorded with collect_landscape.

    from sightline import landscape

    loss = landscape.of_module(model, torch.nn.functional.cross_entropy, batches)
    for made in landscape.generate("./run", loss):
        print(made.tag, made.z.min())

`generate` computes the loss on planes through the training's checkpoints, keeps every point in a journal in the run's
directory as soon as it is known, and records the landscapes in the run's files. If it is killed and started again, it
continues where it was. docs/landscape.md describes what is computed and what the pictures show.
"""

import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline import _core, _landscape
from sightline._landscape_worker import Loss, Worker

__all__ = ["Landscape", "Line", "Path", "Progress", "generate", "of_module", "save_module"]

# The index of a point, and the arguments of a Worker.
_Point = tuple[int, tuple[float, float, bool]]


@dataclass(frozen=True)
class Path:
    """Where the checkpoints are on the plane."""

    numbers: list[int]  # The step or epoch of each checkpoint.
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[
        np.float64
    ]  # The loss at (x, y); it is not the checkpoint's own if distance is not 0.
    distance: NDArray[np.float64]  # The distance of the checkpoint from the plane, Euclidean.


@dataclass(frozen=True)
class Line:
    """The loss along a straight line."""

    along: str  # "first" or "second": a direction, through the last checkpoint. "checkpoints": from first to last.
    at: NDArray[
        np.float64
    ]  # In units of the direction, 0 at the last checkpoint; or 0 at the first, 1 at the last.
    z: NDArray[np.float64]
    metrics: NDArray[np.float64]  # (at, n): all that was measured, the loss first.


@dataclass(frozen=True)
class Landscape:
    """The loss on a grid of points in a plane."""

    tag: str  # "landscape_[1, 3]"
    decomposition: str  # "PCA", "Random", or "Given"
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]  # (y, x)
    metrics: NDArray[np.float64]  # (y, x, n): all that was measured at each point, the loss first.
    path: Path | None  # None around the last checkpoint.
    explained_variance: tuple[float, float] | None
    lines: list[Line]


@dataclass(frozen=True)
class Progress:
    """How far the computation of a landscape is."""

    tag: str
    done: int  # Points, including those of an earlier run.
    points: int
    seconds_left: float  # For this landscape, at the speed so far.


@dataclass(frozen=True)
class _Evaluation:
    """How the points of a plane are computed."""

    loss_fn: Loss
    executor: futures.Executor | None
    in_flight: int
    restart: bool
    progress: Callable[[Progress], None] | None


def generate(
    summary_dir: str | os.PathLike[str],
    loss_fn: Loss,
    *,
    executor: futures.Executor | None = None,
    in_flight: int | None = None,
    output: str | os.PathLike[str] | None = None,
    restart: bool = False,
    progress: Callable[[Progress], None] | None = None,
    train: bool | None = None,
    result: bool | None = None,
    size: int | tuple[int, int] | None = None,
    parameters: str | None = None,
    ignore_biases_and_norms: bool = False,
    normalisation: str = "layer",
    seed: int = 0,
    random_second: bool = False,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    lines: int = 0,
    directions: Sequence[Mapping[str, Any] | str | os.PathLike[str]] = (),
    threads: int = 0,
    metadata: Mapping[str, Any] | None = None,
) -> list[Landscape]:
    """Computes the landscapes of a run, as far as they are not known yet, records them, and returns them.

    `loss_fn` gets all tensors of the last checkpoint by name; those that move have the point's values. It returns the
    loss, or the loss and further numbers, as many at each point. Afterwards the arrays get the values of the next
    point. `executor` is any executor of concurrent.futures, also Dask's and that of mpi4py.futures. It calls loss_fn
    elsewhere, for at most `in_flight` points at a time (default: four for each processor of this machine). Its
    processes must see the run's directory, and the loss must be picklable. `train` and `result` select the landscapes
    (default: those that the metadata asks for), `metadata` replaces fields of train_metadata.json, and the files go to
    `output` (default: the run). `lines` is the number of points of each line. `directions` are none, or two, each a
    file or arrays by the parameters' names; with random_second, one is enough. The other options are those of
    `sightline landscape run`.

    Raises ValueError for options, FileNotFoundError and OSError for checkpoints and for a journal that another process
    uses, RuntimeError for a journal with different options, and what loss_fn raises, with a note that names the point.
    Points that are known are kept.
    """
    if in_flight is not None and in_flight < 1:
        raise ValueError(f"in_flight is {in_flight}, but must be 1 or more")
    found = _landscape.Metadata(summary_dir, changes_text(metadata))
    if output is not None:
        found.run_directory = os.fspath(output)
        os.makedirs(output, exist_ok=True)
    with _files_of(directions) as files:
        options = _landscape.PlaneOptions(
            parameters=parameters,
            ignore_biases_and_norms=ignore_biases_and_norms,
            normalisation=normalisation,
            seed=seed,
            random_second=random_second,
            threads=threads,
            size=(size, size) if isinstance(size, int) else size,
            x_range=x_range,
            y_range=y_range,
            line_size=lines,
            directions=files,
        )
    chosen: list[int | None] = []
    if found.create_train if train is None else train:
        chosen += range(len(found.intervals))
    if found.create_result if result is None else result:
        chosen.append(None)
    evaluation = _Evaluation(
        loss_fn, executor, in_flight or 4 * (os.cpu_count() or 1), restart, progress
    )
    return [
        _generate_one(
            _landscape.make_plane(found, interval, options), found.run_directory, evaluation
        )
        for interval in chosen
    ]


@contextmanager
def _files_of(
    directions: Sequence[Mapping[str, Any] | str | os.PathLike[str]],
) -> Iterator[list[str]]:
    """The files of the directions. Files made of arrays exist only until they are opened, since they stay mapped."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for index, direction in enumerate(directions):
            if not isinstance(direction, Mapping):
                files.append(os.fspath(direction))
                continue
            files.append(os.path.join(folder, f"direction_{index + 1}.npz"))
            arrays: dict[str, Any] = {name: _floating(array) for name, array in direction.items()}
            np.savez(files[-1], **arrays)
        yield files


def _floating(numbers: Any) -> NDArray[Any]:
    array = np.asarray(numbers)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def changes_text(metadata: Mapping[str, Any] | None) -> str:
    """The changes of the metadata as JSON text, as _landscape.Metadata takes them."""
    return json.dumps(metadata) if metadata else ""


def _generate_one(plane: _landscape.Plane, directory: str, evaluation: _Evaluation) -> Landscape:
    job = _landscape.Job(plane, evaluation.restart)
    try:
        points = job.open_points()
        if points:
            worker = Worker(plane.vectors(), plane.slots, plane.checkpoint, evaluation.loss_fn)
            report = _reporter(plane, len(points), evaluation.progress)
            name = re.sub(r"[\W_]+", "_", plane.tag).strip("_")
            shared = os.path.join(
                os.path.abspath(directory), f".{name}_{plane.decomposition}.plane"
            )
            with worker.sharing(shared):
                for index, values in _computed(points, worker, evaluation):
                    job.add(index, values)
                    report()
        landscape = job.landscape()
        if not job.is_recorded:
            _core.record_landscape(directory, plane.tag, landscape)
            job.mark_recorded()
        return _made(plane, landscape, job.points())
    finally:
        job.close()


def _reporter(
    plane: _landscape.Plane, todo: int, progress: Callable[[Progress], None] | None
) -> Callable[[], None]:
    """Makes a function that reports progress; call it after each point."""
    points = plane.point_count
    start = time.monotonic()
    computed = 0

    def report() -> None:
        nonlocal computed
        computed += 1
        if progress is not None:
            left = todo - computed
            progress(
                Progress(
                    plane.tag, points - left, points, (time.monotonic() - start) / computed * left
                )
            )

    return report


def _computed(
    points: Sequence[_Point], worker: Worker, evaluation: _Evaluation
) -> Iterator[tuple[int, list[float]]]:
    """Yields (index, numbers) of each point as soon as it is known. After an error, waits for the points in flight, and
    then raises it.
    """
    executor = evaluation.executor
    if executor is None:
        for point in points:
            try:
                values = worker(*point[1])
            except Exception as raised:
                _name_point(raised, point)
                raise
            yield point[0], values
        return
    waiting = iter(points)
    running: dict[futures.Future[list[float]], _Point] = {}
    error: BaseException | None = None

    def hand_out(count: int) -> None:
        for point in islice(waiting, count):
            running[executor.submit(worker, *point[1])] = point

    try:
        hand_out(evaluation.in_flight)
        while running:
            done, _ = futures.wait(running, return_when=futures.FIRST_COMPLETED)
            for future in done:
                point = running.pop(future)
                if future.cancelled():
                    continue
                failed = future.exception()
                if failed is None:
                    yield point[0], future.result()
                elif error is None:
                    error = failed
                    _name_point(failed, point)
                    for other in running:
                        other.cancel()
            if error is None:
                hand_out(evaluation.in_flight - len(running))
    finally:
        for future in running:
            future.cancel()
    if error is not None:
        raise error


def _name_point(error: BaseException, point: _Point) -> None:
    """Adds a note with the point to the error; tracebacks show it from Python 3.11 on."""
    if hasattr(error, "add_note"):
        x, y, between = point[1]
        where = (
            f"{x:.6g} of the way from the first checkpoint to the last"
            if between
            else f"({x:.6g}, {y:.6g})"
        )
        error.add_note(f"The loss was asked for the point {where}.")


def _made(
    plane: _landscape.Plane, landscape: _core.LossLandscape, points: Mapping[int, Sequence[float]]
) -> Landscape:
    width, height = len(plane.x), len(plane.y)
    metrics = np.array([points[index] for index in range(width * height)]).reshape(
        height, width, -1
    )
    path = None
    if landscape.path_z:
        path = Path(
            plane.numbers,
            np.array(plane.path_x),
            np.array(plane.path_y),
            np.array(landscape.path_z),
            np.array(plane.distances),
        )
    explained = plane.explained_variance
    return Landscape(
        plane.tag,
        plane.decomposition,
        np.array(plane.x),
        np.array(plane.y),
        metrics[:, :, 0],
        metrics,
        path,
        (explained[0], explained[1]) if explained else None,
        [
            Line(along, np.array(at), np.array(z), np.array([z, *further]).T)
            for along, at, z, further in landscape.lines
        ],
    )


def of_module(
    model: Any, loss: Callable[[Any, Any], Any], batches: Any, *, train: bool = False, seed: int = 0
) -> Loss:
    """A loss_fn of a PyTorch module: the mean over `batches`, pairs of inputs and targets, weighted by their length.

    `loss(model(inputs), targets)` returns a number or several. The batches are fetched once and kept. Each point begins
    with the checkpoint's buffers (those of BatchNorm), and with buffers that the checkpoint lacks as they are now. It
    also begins with the same state of the random generators, so that dropout is the same everywhere. `train`: evaluate
    in training mode, as MindSpore does. This changes the module: afterwards its parameters are those of the last point.
    It computes one point at a time; use processes for more.
    """
    from sightline._landscape_torch import ModuleLoss

    return ModuleLoss(model, loss, batches, train, seed)


def save_module(model: Any, path: str | os.PathLike[str]) -> None:
    """Writes the state of a PyTorch module as a checkpoint for landscapes (NumPy's .npz, for any ending of the path).

    SummaryMonitor("./run", save_checkpoint=lambda path: landscape.save_module(model, path), ...)
    """
    from sightline._arrays import array

    with open(path, "wb") as file:
        np.savez(file, **{name: array(tensor) for name, tensor in model.state_dict().items()})

"""The extension module of sightline.landscape; use that instead."""

import os
from typing import Any

from numpy import float32
from numpy.typing import NDArray

from sightline._core import LossLandscape

class Metadata:
    """The train_metadata.json of a training."""

    run_directory: str
    def __init__(self, path: str | bytes | os.PathLike[str], changes: str = "") -> None: ...
    @property
    def intervals(self) -> list[list[int]]:
        """The epochs or steps of each landscape."""
    @property
    def num_samples(self) -> int:
        """The number of samples from which the loss is computed."""
    @property
    def create_train(self) -> bool:
        """Whether to compute the landscapes of the training."""
    @property
    def create_result(self) -> bool:
        """Whether to compute the landscape of its result."""

class PlaneOptions:
    """How to make a plane; sightline.landscape.generate explains the options."""

    def __init__(
        self,
        *,
        parameters: str | None,
        ignore_biases_and_norms: bool,
        normalisation: str,
        seed: int,
        random_second: bool,
        threads: int,
        size: tuple[int, int] | None,
        x_range: tuple[float, float] | None,
        y_range: tuple[float, float] | None,
        line_size: int,
        directions: list[str],
    ) -> None: ...

class Plane:
    """The plane of a landscape: two directions and a grid of points."""

    @property
    def tag(self) -> str:
        """The tag under which it is recorded."""
    @property
    def decomposition(self) -> str:
        """ "PCA", "Random" or "Given"."""
    @property
    def numbers(self) -> list[int]:
        """The epochs or steps of its checkpoints."""
    @property
    def x(self) -> list[float]:
        """The grid's places along the first direction."""
    @property
    def y(self) -> list[float]:
        """The grid's places along the second direction."""
    @property
    def path_x(self) -> list[float]:
        """The place of each checkpoint along the first direction."""
    @property
    def path_y(self) -> list[float]:
        """The place of each checkpoint along the second direction."""
    @property
    def distances(self) -> list[float]:
        """Each checkpoint's distance from the plane."""
    @property
    def explained_variance(self) -> list[float] | None:
        """Each direction's share of the checkpoints' variance; None without PCA."""
    @property
    def slots(self) -> list[tuple[str, tuple[int, ...]]]:
        """Name and shape of each parameter, in the order of the vectors."""
    @property
    def checkpoint(self) -> str:
        """The path of the last checkpoint."""
    @property
    def point_count(self) -> int:
        """The number of points to evaluate."""
    def vectors(self) -> list[NDArray[float32]]:
        """The last checkpoint and the two directions, each as one array."""

class Checkpoint:
    """A file of parameters."""

    def tensors(self) -> list[tuple[str, str, tuple[int, ...], NDArray[Any]]]:
        """The name, type, shape and elements of each tensor."""

class Job:
    """The points of a landscape that are known, kept in its journal."""

    def __init__(self, plane: Plane, restart: bool) -> None: ...
    def open_points(self) -> list[tuple[int, tuple[float, float, bool]]]:
        """The points that are not evaluated yet: index and place."""
    def points(self) -> dict[int, list[float]]:
        """The values of the known points."""
    def add(self, index: int, values: list[float]) -> None:
        """Keeps the values of a point."""
    def landscape(self) -> LossLandscape:
        """The landscape of the known points."""
    @property
    def is_recorded(self) -> bool:
        """Whether the landscape is in an event file."""
    def mark_recorded(self) -> None:
        """Notes that the landscape is in an event file."""
    def close(self) -> None:
        """Closes the journal."""

def make_plane(metadata: Metadata, interval: int | None, options: PlaneOptions) -> Plane:
    """Makes the plane of an interval; for None, that of the result."""

def open_checkpoint(path: str | bytes | os.PathLike[str]) -> Checkpoint:
    """Opens a checkpoint. Raises OSError if it cannot be read."""

def form_point(
    last: NDArray[float32],
    first: NDArray[float32],
    second: NDArray[float32],
    x: float,
    y: float,
    out: NDArray[float32],
) -> None:
    """out = last + x * first + y * second."""

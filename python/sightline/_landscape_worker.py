"""Computes the points of a landscape, on any thread, in any process."""

import multiprocessing
import os
import pickle
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.context import ForkProcess
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline import _landscape

Loss = Callable[[Mapping[str, NDArray[Any]]], Any]
_ALIGNMENT = 64
_UNFINISHED = ".unfinished"


def tensors_of(path: str) -> dict[str, NDArray[Any]]:
    """The tensors of a checkpoint, in place in its mapped file; they cannot be written to."""
    return {
        name: bytes_.view(np.bool_ if dtype == "bool" else dtype).reshape(shape)
        for name, dtype, shape, bytes_ in _landscape.open_checkpoint(path).tensors()
    }


def numbers_of(measured: Any) -> list[float]:
    """A list of numbers, from one number or several."""
    try:
        several = list(measured)
    except TypeError:  # One number, or an array without dimensions.
        several = [measured]
    try:
        return [float(value) for value in several]
    except (TypeError, ValueError):
        raise ValueError(
            f"the loss returned {measured!r}, but must return a number, or several"
        ) from None


class Worker:
    """worker(x, y, between) returns the result of the loss at this point. Each thread has its own buffer. `between`: the
    point is not on the plane, but between the first checkpoint, at x = 0, and the last, at 1.

    A pickled worker is the path of a file with the plane's vectors and the pickled loss. So a host maps the vectors
    only once for any number of processes, and a point costs its two numbers. `sharing` sets the path of the file.
    """

    def __init__(
        self,
        vectors: Sequence[NDArray[np.float32]],
        slots: list[tuple[str, tuple[int, ...]]],
        checkpoint: str,
        loss: Loss,
        loaded_from: tuple[str, int] | None = None,
    ) -> None:
        self._vectors = vectors
        self._slots = slots
        self._checkpoint = checkpoint
        self._loss = loss
        self._local = threading.local()
        self._lock = threading.Lock()
        self._file = ""
        self._is_written = False
        self._loaded_from = loaded_from
        # OpenMP, which PyTorch uses, has helper threads for each thread that calls it. In a forked process, those of the
        # main thread do not exist, and waiting for them would never end. Another thread gets new ones.
        self._thread = (
            ThreadPoolExecutor(1)
            if isinstance(multiprocessing.current_process(), ForkProcess)
            else None
        )

    def __call__(self, x: float, y: float, between: bool) -> list[float]:
        if self._thread is None:
            return self._at(x, y, between)
        return self._thread.submit(self._at, x, y, between).result()

    def _at(self, x: float, y: float, between: bool) -> list[float]:
        if not hasattr(self._local, "buffer"):
            self._prepare()
        if between:
            way = self._vectors[3]
            _landscape.form_point(self._vectors[0], way, way, 1 - x, 0, self._local.buffer)
        else:
            last, first, second = self._vectors[0], self._vectors[1], self._vectors[2]
            _landscape.form_point(last, first, second, x, y, self._local.buffer)
        return numbers_of(self._loss(self._local.parameters))

    def _prepare(self) -> None:
        """Makes this thread's buffer, and the parameters by name: those that move are views of the buffer."""
        buffer = np.empty(len(self._vectors[0]), np.float32)
        parameters = tensors_of(self._checkpoint)
        begin = 0
        for name, shape in self._slots:
            end = begin + int(np.prod(shape))
            parameters[name] = buffer[begin:end].reshape(shape)
            begin = end
        self._local.parameters = parameters
        self._local.buffer = buffer

    @contextmanager
    def sharing(self, path: str) -> Iterator[None]:
        """A `with` block in which this worker may be passed to other processes. The file is made for the first of them,
        and removed at the end. Only one process at a time uses a path, so an existing file was left by one that was
        killed.
        """
        for left in (path, path + _UNFINISHED):
            with suppress(FileNotFoundError):
                os.unlink(left)
        self._file = path
        try:
            yield
        finally:
            with self._lock:
                self._file = ""
                if self._is_written:
                    os.unlink(path)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._loaded_from is not None:  # Dask's scheduler passes it on.
            return load, self._loaded_from
        with self._lock:
            if not self._file:
                raise pickle.PicklingError(
                    "a landscape's worker can be pickled only while its points are computed"
                )
            if not self._is_written:
                self._write()
                self._is_written = True
            return load, (self._file, os.stat(self._file).st_mtime_ns)

    def _write(self) -> None:
        head = pickle.dumps(
            (self._slots, os.path.abspath(self._checkpoint), self._loss, len(self._vectors))
        )
        head = head + bytes(-(8 + len(head)) % _ALIGNMENT)
        unfinished = self._file + _UNFINISHED
        try:
            with open(unfinished, "wb") as file:
                file.write(len(head).to_bytes(8, "little"))
                file.write(head)
                for vector in self._vectors:
                    file.write(vector.data)
            os.replace(unfinished, self._file)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(unfinished)
            raise


_newest: tuple[tuple[str, int], Worker] | None = None
_newest_lock = threading.Lock()


def load(path: str, version: int) -> Worker:
    """Loads the worker that another process wrote; the newest one is kept. `version` distinguishes files with one name."""
    global _newest
    with _newest_lock:
        if _newest is None or _newest[0] != (path, version):
            _newest = ((path, version), _read(path, version))
        return _newest[1]


def _read(path: str, version: int) -> Worker:
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        slots, checkpoint, loss, count = pickle.loads(file.read(size))
    vectors = np.memmap(path, np.float32, "r", 8 + size).reshape(count, -1)
    return Worker(list(vectors), slots, checkpoint, loss, (path, version))

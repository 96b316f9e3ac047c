"""The loss of a PyTorch module at a point of a landscape."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sightline._landscape_worker import numbers_of


class ModuleLoss:
    """See sightline.landscape.of_module."""

    def __init__(
        self,
        model: torch.nn.Module,
        loss: Callable[[Any, Any], Any],
        batches: Any,
        train: bool,
        seed: int,
    ) -> None:
        self._model = model
        self._loss = loss
        self._batches = list(batches)
        self._train = train
        self._seed = seed
        self._buffers = {name: buffer.detach().clone() for name, buffer in model.named_buffers()}
        self._lock = threading.Lock()
        if not self._batches:
            raise ValueError("batches is empty, but a loss needs one at least")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def __call__(self, parameters: Mapping[str, NDArray[Any]]) -> list[float]:
        with self._lock, torch.no_grad(), torch.random.fork_rng():
            self._load(parameters)
            torch.manual_seed(self._seed)
            was_training = self._model.training
            self._model.train(self._train)
            try:
                return self._mean()
            finally:
                self._model.train(was_training)

    def _load(self, parameters: Mapping[str, NDArray[Any]]) -> None:
        own = dict(self._model.named_parameters()) | dict(self._model.named_buffers())
        known = own.keys() & parameters.keys()
        missing = dict(self._model.named_parameters()).keys() - known
        if missing:
            raise ValueError(
                f"the checkpoints have no parameter '{min(missing)}', which the module has"
            )
        for name, buffer in self._buffers.items():
            if name not in known:
                own[name].copy_(buffer)
        for name in known:
            # Copied if it is not writable, since PyTorch takes no other memory.
            value = torch.from_numpy(np.require(parameters[name], requirements=["W", "A"]))
            if value.shape != own[name].shape:
                raise ValueError(
                    f"parameter '{name}' is {tuple(value.shape)} in the checkpoints, but {tuple(own[name].shape)} in the module"
                )
            own[name].copy_(value)

    def _mean(self) -> list[float]:
        sums: NDArray[np.float64] | None = None
        count = 0
        for inputs, targets in self._batches:
            size = len(targets)
            measured = size * np.array(numbers_of(self._loss(self._model(inputs), targets)))
            sums = measured if sums is None else sums + measured
            count += size
        assert sums is not None  # There is a batch.
        return [float(value) for value in sums / count]

"""SummaryLandscape: the loss landscapes of a training of MindSpore's, computed by sightline.landscape."""

import multiprocessing
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import mindspore
import numpy as np
from mindspore import nn
from numpy.typing import NDArray

from sightline import _landscape, landscape
from sightline._trainings import warn
from sightline.mindspore.operators import OperatorSummaries

_FIELDS = ("landscape_size", "unit", "num_samples", "create_landscape", "intervals")
_MOST_DEVICES = 8
_SHORTEST_INTERVAL = 3

# (model, network, dataset, metrics), as MindSpore's SummaryLandscape requires.
Callback = Callable[[], tuple[Any, Any, Any, Any]]


class SummaryLandscape:
    """Replaces mindspore.SummaryLandscape, with the same checkpoints, planes, tags and evaluation.

    The differences: killed work continues where it was; random directions have a seed; devices take points as they
    come, not a fixed share; all samples are fetched once and are the same at every point; each point begins with the
    checkpoint's buffers; a model's optimizer does not step; the network's summary operators record nothing.
    """

    def __init__(self, summary_dir: str | os.PathLike[str]) -> None:
        self._summary_dir = os.path.realpath(os.fspath(summary_dir))

    def clean_ckpt(self) -> None:
        """Removes the checkpoints and their metadata."""
        shutil.rmtree(os.path.join(self._summary_dir, "ckpt_dir"), ignore_errors=True)

    def gen_landscapes_with_multi_process(
        self,
        callback_fn: Callback,
        collect_landscape: Mapping[str, Any] | None = None,
        device_ids: Sequence[int] | None = None,
        output: str | os.PathLike[str] | None = None,
        *,
        train: bool = True,
        **options: Any,
    ) -> list[landscape.Landscape]:
        """Computes and records the landscapes.

        `collect_landscape` replaces fields of the metadata for this call. With several `device_ids`, each has a
        process, which calls callback_fn once. `train`: the network is in training mode, as in MindSpore. `options` are
        those of sightline.landscape.generate, without executor and metadata. The numbers of a point are the metrics,
        "Loss" first.

        Raises ValueError with the option that is wrong, and what landscape.generate raises.
        """
        devices = _check_devices(device_ids)
        changes = _changes(collect_landscape or {})
        metadata = _landscape.Metadata(self._summary_dir, landscape.changes_text(changes))
        loss = CellLoss(callback_fn, metadata.num_samples, train)
        settings = {**options, "output": output, "metadata": changes}
        if len(devices) < 2:
            if device_ids is not None:
                _set_device(devices[0])
            return landscape.generate(self._summary_dir, loss, **settings)
        # Not forked, since MindSpore's threads would be missing in the children.
        context = multiprocessing.get_context("spawn")
        left = context.SimpleQueue()
        for device in devices:
            left.put(device)
        with ProcessPoolExecutor(len(devices), context, _take_device, (left,)) as executor:
            return landscape.generate(self._summary_dir, loss, executor=executor, **settings)


class CellLoss:
    """The metrics of a network over the first samples of its dataset, at a point."""

    def __init__(self, callback_fn: Callback, num_samples: int, train: bool) -> None:
        self._callback_fn = callback_fn
        self._num_samples = num_samples
        self._train = train
        self._made: _Evaluation | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None}

    def __call__(self, parameters: Mapping[str, NDArray[Any]]) -> list[float]:
        if self._made is None:
            self._made = _Evaluation(*self._callback_fn(), self._num_samples, self._train)
        return self._made.at(parameters)


class _Evaluation:
    def __init__(
        self, model: Any, network: Any, dataset: Any, metrics: Any, num_samples: int, train: bool
    ) -> None:
        if "Loss" not in metrics:
            raise ValueError(
                f"callback_fn returned the metrics {sorted(metrics)}, but the landscape is that of 'Loss'"
            )
        count = num_samples // dataset.get_batch_size()
        if count < 1:
            raise ValueError(
                f"num_samples is {num_samples}, less than a batch of {dataset.get_batch_size()}"
            )
        self._batches = [
            tuple(batch) for batch in dataset.take(count).create_tuple_iterator(num_epochs=1)
        ]
        self._cell = model.train_network
        while isinstance(
            self._cell, nn.TrainOneStepCell
        ):  # A model with an optimizer, which would step.
            self._cell = self._cell.network
        self._cell.set_train(train)
        others = [metric for name, metric in sorted(metrics.items()) if name != "Loss"]
        self._metrics = [metrics["Loss"], *others]
        self._parameters = dict(network.parameters_and_names())
        self._first = {
            name: parameter.asnumpy().copy() for name, parameter in self._parameters.items()
        }
        self._operators = OperatorSummaries(warn)

    def at(self, parameters: Mapping[str, NDArray[Any]]) -> list[float]:
        for name, parameter in self._parameters.items():
            value = parameters.get(parameter.name, self._first[name])
            if value.shape != parameter.shape:
                raise ValueError(
                    f"parameter '{parameter.name}' is {value.shape} in the checkpoints, but {parameter.shape} in the network"
                )
            parameter.set_data(mindspore.Tensor(np.array(value), parameter.dtype))
        for metric in self._metrics:
            metric.clear()
        for batch in self._batches:
            outputs = self._cell(*batch)
            for metric in self._metrics:
                metric.update(outputs[0] if isinstance(outputs, tuple) else outputs)
        self._operators.discard_all()
        return [float(metric.eval()) for metric in self._metrics]


def _changes(collect_landscape: Mapping[str, Any]) -> dict[str, Any]:
    """The changes as fields of train_metadata.json."""
    unknown = sorted(collect_landscape.keys() - set(_FIELDS))
    if unknown:
        raise ValueError(f"collect_landscape has '{unknown[0]}', but may have {', '.join(_FIELDS)}")
    changes = dict(collect_landscape)
    intervals = changes.pop("intervals", None)
    if intervals is not None:
        for interval in intervals:
            if len(interval) < _SHORTEST_INTERVAL:
                raise ValueError(
                    f"intervals has {interval}, but each needs {_SHORTEST_INTERVAL} numbers or more"
                )
        changes["epoch_group"] = {
            str(index): list(interval) for index, interval in enumerate(intervals)
        }
    return changes


def _check_devices(device_ids: Sequence[int] | None) -> list[int]:
    devices = [0] if device_ids is None else list(device_ids)
    for device in devices:
        if not isinstance(device, int) or not 0 <= device < _MOST_DEVICES:
            raise ValueError(
                f"device_ids has {device!r}, but must have numbers from 0 to {_MOST_DEVICES - 1}"
            )
    if not devices:
        raise ValueError("device_ids is empty")
    return devices


def _set_device(device: int) -> None:
    if mindspore.get_context("device_target") != "CPU":  # There is one.
        mindspore.set_context(device_id=device)


def _take_device(left: Any) -> None:
    """Takes the next device in each new process."""
    _set_device(left.get())

"""Converts what MindSpore tells callbacks about a training to its lineage. Every function may raise what MindSpore
raises for a network or a dataset of an unusual form; the caller then leaves the value out.
"""

import os
from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np

Parameters = dict[
    str, Any
]  # RunContext.original_args(); its keys are in MindSpore's documentation of RunContext.


def optimizer_of(parameters: Parameters) -> Any:
    """The optimizer that the model was given, else the first one inside its network, else None."""
    given = parameters.get("optimizer")
    if isinstance(given, mindspore.nn.Optimizer):
        return given
    for _, cell in parameters["train_network"].cells_and_names():
        for found in (cell, getattr(cell, "optimizer", None)):
            if isinstance(found, mindspore.nn.Optimizer):
                return found
    return None


def loss_function_of(parameters: Parameters) -> Any:
    """The loss function that the model was given, else the first one inside its network, else None."""
    if parameters.get("loss_fn") is not None:
        return parameters["loss_fn"]
    cells = (cell for _, cell in parameters["train_network"].cells_and_names())
    return next((cell for cell in cells if isinstance(cell, mindspore.nn.LossBase)), None)


def network_of(train_network: Any) -> Any:
    """The user's network inside what MindSpore wrapped around it for training."""
    cells = (cell for _, cell in train_network.cells_and_names())
    network = next((cell._backbone for cell in cells if hasattr(cell, "_backbone")), train_network)
    while "network" in network.name_cells():
        network = network.network
    return network


def first_of(thing: Any) -> Any:
    """The first of several objects, None if there are none; anything else as it is."""
    if isinstance(thing, (list, tuple)):
        return thing[0] if thing else None
    return thing


def mean_loss_of(parameters: Parameters) -> float | None:
    """The mean loss of the step: that of the network's output, or of the first of several outputs."""
    loss = first_of(parameters.get("net_outputs"))
    if isinstance(loss, mindspore.Tensor):
        loss = loss.asnumpy()
    return None if loss is None else float(np.mean(loss))


def learning_rate_of(optimizer: Any) -> mindspore.Parameter | None:
    """The learning rate; None if it is not a parameter but computed in every step."""
    rate = getattr(optimizer, "learning_rate", None)
    return rate if isinstance(rate, mindspore.Parameter) else None


def dataset_path_of(dataset: Any) -> str:
    """The folder of the files with which a pipeline begins; empty if it begins with none."""
    while dataset is not None:
        for name in ("dataset_dir", "dataset_file", "dataset_files"):
            path = getattr(dataset, name, None)
            if path:
                path = path if isinstance(path, str) else str(next(iter(path)))
                return os.path.dirname(path) if os.path.isfile(path) else path
        dataset = next(iter(getattr(dataset, "children", ())), None)
    return ""


def dataset_size_of(dataset: Any) -> int:
    """The number of samples."""
    return int(dataset.get_dataset_size() * dataset.get_batch_size())


def checkpoint_of(parameters: Parameters) -> str | None:
    """The newest file of a ModelCheckpoint among the callbacks."""
    for callback in parameters.get("list_callback") or ():
        if isinstance(callback, mindspore.ModelCheckpoint) and callback.latest_ckpt_file_name:
            return os.path.realpath(callback.latest_ckpt_file_name)
    return None


def train_info(
    parameters: Parameters, optimizer: Any, unknown: Callable[[str, Exception], None]
) -> dict[str, Any]:
    """The keywords of sightline.SummaryMonitor.begin. `unknown` gets the name of each value that cannot be found out,
    and why.
    """
    dataset = parameters["train_dataset"]

    def class_name(thing: Any) -> str | None:
        return None if thing is None else type(thing).__name__

    asked: dict[str, Callable[[], Any]] = {
        "epochs": lambda: parameters["epoch_num"],
        "steps_per_epoch": lambda: parameters["batch_num"],
        "sink_mode": lambda: bool(parameters.get("dataset_sink_mode")),
        "network": lambda: class_name(parameters["network"]),
        "loss_function": lambda: class_name(loss_function_of(parameters)),
        "optimizer": lambda: class_name(optimizer),
        "learning_rate": lambda: (
            None if (rate := learning_rate_of(optimizer)) is None else float(rate)
        ),
        "batch_size": lambda: dataset.get_batch_size(),
        "device_num": lambda: parameters["device_number"],
        "parallel_mode": lambda: str(parameters["parallel_mode"]),
        "dataset_path": lambda: dataset_path_of(dataset),
        "dataset_size": lambda: dataset_size_of(dataset),
    }
    info = {}
    for name, ask in asked.items():
        try:
            info[name] = ask()
        except Exception as error:
            unknown(name, error)
    return info

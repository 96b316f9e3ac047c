"""The checkpoints that MindSpore's SummaryLandscape computes a loss landscape from, and the file that lists them."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class LandscapeOptions:
    """`collect_landscape` as MindSpore's SummaryCollector has it."""

    intervals: list[list[int]]  # Of steps or epochs whose parameters are saved; each one landscape.
    unit: str = "step"
    landscape_size: int = 40  # Points on an axis.
    num_samples: int = 128  # Of the dataset, for the loss at a point.
    create_landscape: dict[str, bool] = field(default_factory=lambda: {"train": True, "result": True})

    @staticmethod
    def read(given: Any, faults: list[str]) -> "LandscapeOptions | None":
        """Adds every fault to `faults`: the parameter, its value and what is allowed."""
        if not isinstance(given, Mapping):
            faults.append(f"collect_landscape is {given!r}, but must be a dict")
            return None
        before = len(faults)
        for key in given.keys() - _ALLOWED.keys():
            faults.append(f"collect_landscape has no {key!r}; known are {', '.join(_ALLOWED)}")
        if "intervals" not in given:
            faults.append("collect_landscape has no intervals, which say when parameters are saved")
        for key, (allowed, is_right) in _ALLOWED.items():
            if key in given and not is_right(given[key]):
                faults.append(f"collect_landscape: {key} is {given[key]!r}, but must be {allowed}")
        if len(faults) > before:
            return None
        options = LandscapeOptions(**given)
        options.create_landscape = {"train": True, "result": True, **options.create_landscape}
        return options


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_intervals(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(interval, list) and len(interval) >= 3 and all(map(_is_integer, interval)) for interval in value
    )


_ALLOWED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "landscape_size": ("an integer from 3 to 256", lambda value: _is_integer(value) and 3 <= value <= 256),
    "unit": ("'step' or 'epoch'", lambda value: value in ("step", "epoch")),
    "num_samples": ("an integer of at least 1", lambda value: _is_integer(value) and value >= 1),
    "create_landscape": (
        "a dict of 'train' and 'result' to True or False",
        lambda value: isinstance(value, Mapping)
        and value.keys() <= {"train", "result"}
        and all(isinstance(item, bool) for item in value.values()),
    ),
    "intervals": ("a list of lists of at least three integers", _are_intervals),
}


class LandscapeCheckpoints:
    """Saves into `<summary_dir>/ckpt_dir`, which is created when there is something to save."""

    def __init__(self, options: LandscapeOptions, summary_dir: str) -> None:
        self._options = options
        self._folder = os.path.join(os.path.realpath(summary_dir), "ckpt_dir")
        self._numbers = frozenset(number for interval in options.intervals for number in interval)
        self._files: dict[str, str] = {}

    def save_if_asked(self, unit: str, number: int, train_network: Any) -> None:
        """After step or epoch `number`: the parameters of the network inside `train_network`."""
        if unit != self._options.unit or number not in self._numbers:
            return
        import mindspore

        network = network_of(train_network)
        os.makedirs(self._folder, exist_ok=True)
        path = os.path.join(self._folder, f"{type(network).__name__}_{number}_{unit}.ckpt")
        mindspore.save_checkpoint([{"name": each.name, "data": each} for each in network.get_parameters()], path)
        self._files[str(number)] = path

    def finish(self, steps_per_epoch: int) -> None:
        """Lists the checkpoints in train_metadata.json, which is there as a whole or not at all."""
        options = self._options
        metadata = {
            "epoch_group": dict(enumerate(options.intervals)),
            "model_params_file_map": self._files,
            "step_per_epoch": steps_per_epoch,
            "unit": options.unit,
            "num_samples": options.num_samples,
            "landscape_size": options.landscape_size,
            "create_landscape": options.create_landscape,
        }
        os.makedirs(self._folder, exist_ok=True)
        path = os.path.join(self._folder, "train_metadata.json")
        with open(path + ".part", "w") as file:
            json.dump(metadata, file)
        os.replace(path + ".part", path)


def network_of(train_network: Any) -> Any:
    """The user's network inside what MindSpore wrapped around it for training."""
    cells = (cell for _, cell in train_network.cells_and_names())
    network = next((cell._backbone for cell in cells if hasattr(cell, "_backbone")), train_network)
    while "network" in network.name_cells():
        network = network.network
    return network

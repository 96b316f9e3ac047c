"""A logger for PyTorch Lightning, in place of its TensorBoardLogger.

    from sightline.lightning import SummaryLogger

    Trainer(logger=SummaryLogger("runs", name="lenet")).fit(module, data)

Importing this module imports lightning, or pytorch_lightning where that is not there.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sightline import _tensorboard
from sightline.torch import SummaryWriter

try:
    from lightning.pytorch.loggers.logger import Logger, rank_zero_experiment
    from lightning.pytorch.utilities import rank_zero_only
except ImportError:
    from pytorch_lightning.loggers.logger import Logger, rank_zero_experiment
    from pytorch_lightning.utilities import rank_zero_only

__all__ = ["SummaryLogger"]


class SummaryLogger(Logger):
    """Records into save_dir/name/version_<version>; the process of rank 0 does.

    version: a number or a text (then the folder is called that); default: one more than the largest that is there.
    log_graph: record the module's graph, traced with its example_input_array. `experiment` is a
    sightline.torch.SummaryWriter, for values of your own.
    """

    def __init__(
        self,
        save_dir: str | os.PathLike[str],
        name: str = "lightning_logs",
        version: int | str | None = None,
        log_graph: bool = False,
    ) -> None:
        super().__init__()
        self._save_dir = os.fspath(save_dir)
        self._name = name
        self._version = version
        self._log_graph = log_graph
        self._writer: SummaryWriter | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def version(self) -> int | str:
        if self._version is None:
            directory = os.path.join(self._save_dir, self._name)
            there = os.listdir(directory) if os.path.isdir(directory) else []
            numbers = [name.removeprefix("version_") for name in there if name.startswith("version_")]
            self._version = max((int(number) for number in numbers if number.isdecimal()), default=-1) + 1
        return self._version

    @property
    def save_dir(self) -> str:
        return self._save_dir

    @property
    def log_dir(self) -> str:
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        return os.path.join(self._save_dir, self._name, version)

    @property
    @rank_zero_experiment
    def experiment(self) -> SummaryWriter:
        if self._writer is None:
            self._writer = SummaryWriter(self.log_dir)
        return self._writer

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, Any], step: int | None = None) -> None:
        """Numbers; a mapping of them is a chart of several lines (SummaryWriter.add_scalars)."""
        for name, value in metrics.items():
            if isinstance(value, Mapping):
                self.experiment.add_scalars(name, value, step)
            else:
                self.experiment.add_scalar(name, value, step)

    @rank_zero_only
    def log_hyperparams(
        self, params: Mapping[str, Any] | Namespace, metrics: Mapping[str, float] | None = None
    ) -> None:
        """A row of the HPARAMS page; nested names are joined by /, and what is no number becomes its text."""
        values = dict(_flat(vars(params) if isinstance(params, Namespace) else params))
        self.experiment._add("log_hyperparams", "", 0, None, _tensorboard.hparams, values, metrics or {}, {})
        if metrics:
            self.log_metrics(metrics, 0)

    @rank_zero_only
    def log_graph(self, model: Any, input_array: Any = None) -> None:
        inputs = model.example_input_array if input_array is None else input_array
        if self._log_graph and inputs is not None:
            _saying(lambda: self.experiment.add_graph(model, inputs))

    @rank_zero_only
    def save(self) -> None:
        _saying(self.experiment.flush)

    @rank_zero_only
    def finalize(self, status: str) -> None:
        if self._writer is not None:
            _saying(self._writer.close)


def _saying(call: Callable[[], None]) -> None:
    """Calls it; what it raises is said, since a training must not fail for it."""
    try:
        call()
    except Exception as error:
        print(f"sightline: {type(error).__name__}: {error}", file=sys.stderr)


def _flat(params: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in params.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", "None" if value is None else value

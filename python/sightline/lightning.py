"""A logger for PyTorch Lightning, in place of its TensorBoardLogger.

    from sightline.lightning import SummaryLogger

    Trainer(logger=SummaryLogger("runs", name="lenet")).fit(module, data)

Importing this module imports lightning, or pytorch_lightning if that is missing.
"""

import inspect
import os
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sightline import _tensorboard
from sightline._core import check_local_path
from sightline._trainings import warn
from sightline.torch import SummaryWriter, numbers_of

try:
    from lightning.fabric.utilities.apply_func import move_data_to_device
    from lightning.pytorch.core.saving import save_hparams_to_yaml
    from lightning.pytorch.loggers.logger import Logger, rank_zero_experiment
    from lightning.pytorch.utilities import rank_zero_only
except ImportError:
    from lightning_fabric.utilities.apply_func import move_data_to_device
    from pytorch_lightning.core.saving import save_hparams_to_yaml
    from pytorch_lightning.loggers.logger import Logger, rank_zero_experiment
    from pytorch_lightning.utilities import rank_zero_only

__all__ = ["SummaryLogger"]


class SummaryLogger(Logger):
    """Records into save_dir/name/version_<version>, in the process of rank 0 only. It can be pickled and copied; the
    copy opens its own files in the same directory.

    name: None or "": no such folder. version: a number, or a text that names the folder; default: one more than the
    largest version that is there. log_graph: record the module's graph, traced with its example_input_array.
    default_hp_metric: hyper-parameters without metrics get hp_metric = -1. prefix: stands before each metric's name,
    with a "-". sub_dir: a folder below the version's, for the event files. writer_options: options of SummaryWriter
    (flush_secs, purge_step, ...). Raises TypeError for unknown options, ValueError for an option that must be a number
    but is none, and for a save_dir that is a URL.

    `experiment` is a sightline.torch.SummaryWriter, for values of your own.
    """

    def __init__(
        self,
        save_dir: str | os.PathLike[str],
        name: str | None = "lightning_logs",
        version: int | str | None = None,
        log_graph: bool = False,
        default_hp_metric: bool = True,
        prefix: str = "",
        sub_dir: str | os.PathLike[str] | None = None,
        **writer_options: Any,
    ) -> None:
        super().__init__()
        given = inspect.signature(SummaryWriter).bind("", **writer_options).arguments
        numbers_of(
            **{option: given[option] for option in ("purge_step", "flush_secs") if option in given}
        )
        self._save_dir = os.fspath(save_dir)
        check_local_path("save_dir", self._save_dir)
        self._name = name or ""
        self._version = version
        self._log_graph = log_graph
        self._default_hp_metric = default_hp_metric
        self._prefix = f"{prefix}-" if prefix else ""
        self._sub_dir = os.fspath(sub_dir or "")
        self._writer_options = writer_options
        self._hparams: dict[str, Any] = {}  # For hparams.yaml.
        self._writer: SummaryWriter | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_writer": None}

    @property
    def name(self) -> str:
        return self._name

    @property
    def version(self) -> int | str:
        if self._version is None:
            there = os.listdir(self.root_dir) if os.path.isdir(self.root_dir) else []
            numbers = [
                name.removeprefix("version_") for name in there if name.startswith("version_")
            ]
            self._version = (
                max((int(number) for number in numbers if number.isdecimal()), default=-1) + 1
            )
        return self._version

    @property
    def save_dir(self) -> str:
        return self._save_dir

    @property
    def root_dir(self) -> str:
        """The folder of the versions."""
        return os.path.join(os.path.expanduser(os.path.expandvars(self._save_dir)), self._name)

    @property
    def log_dir(self) -> str:
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        return os.path.join(self.root_dir, version, *filter(None, [self._sub_dir]))

    @property
    @rank_zero_experiment
    def experiment(self) -> SummaryWriter:
        if self._writer is None:
            self._writer = SummaryWriter(self.log_dir, **self._writer_options)
        return self._writer

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, Any], step: int | None = None) -> None:
        """Records numbers; a mapping of numbers becomes a chart with several lines (SummaryWriter.add_scalars)."""
        for name, value in metrics.items():
            add = (
                self.experiment.add_scalars
                if isinstance(value, Mapping)
                else self.experiment.add_scalar
            )
            add(self._prefix + name, value, step)

    @rank_zero_only
    def log_hyperparams(
        self,
        params: Mapping[str, Any] | Namespace | None,
        metrics: Any = None,
        step: int | None = None,
    ) -> None:
        """Records a row of the HPARAMS page. Nested names are joined by /, and a value that is no number becomes its
        text.

        metrics: numbers by name, or one number, which is called hp_metric.
        """
        given = vars(params) if isinstance(params, Namespace) else dict(params or {})
        self._hparams.update(given)
        if metrics is None and self._default_hp_metric:
            metrics = -1
        if metrics is not None and not isinstance(metrics, Mapping):
            metrics = {"hp_metric": metrics}
        tags = [self._prefix + name for name in metrics or ()]
        self.experiment._add(
            "log_hyperparams", "", step, None, _tensorboard.hparams, dict(_flat(given)), tags, {}
        )
        self.log_metrics(metrics or {}, step)

    @rank_zero_only
    def log_graph(self, model: Any, input_array: Any = None) -> None:
        inputs = model.example_input_array if input_array is None else input_array
        if self._log_graph and inputs is not None:
            _saying(
                lambda: self.experiment.add_graph(model, move_data_to_device(inputs, model.device))
            )

    @rank_zero_only
    def save(self) -> None:
        """Writes everything to the files; the hyper-parameters go to hparams.yaml, which load_from_checkpoint reads."""
        _saying(self._save)

    def _save(self) -> None:
        self.experiment.flush()
        path = os.path.join(self.log_dir, "hparams.yaml")
        if not os.path.exists(path):
            save_hparams_to_yaml(path, self._hparams)

    def _finish(self) -> None:
        try:
            self._save()
        finally:
            self.experiment.close()

    @rank_zero_only
    def finalize(self, status: str) -> None:
        if self._writer is not None:
            _saying(self._finish)


def _saying(call: Callable[[], None]) -> None:
    """Calls a function, and warns if it raises, since a training must not fail because of it."""
    try:
        call()
    except Exception as error:
        warn(f"{type(error).__name__}: {error}")


def _flat(params: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in params.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", "None" if value is None else value

"""A callback of Hugging Face's Trainer that records a training with SummaryMonitor.

    from sightline.transformers import SummaryCallback

    Trainer(model, arguments, train_dataset=data, callbacks=[SummaryCallback("run")]).train()

Importing this module imports transformers.
"""

import os
from collections.abc import Mapping
from numbers import Real
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from sightline import _trainings
from sightline._core import SummaryMonitor

__all__ = ["SummaryCallback"]


class SummaryCallback(TrainerCallback):
    """Records calls of train and evaluate into `summary_dir`, with SummaryMonitor's rules and options; the files are
    TensorBoard's unless `formats` says otherwise. In a distributed training only the process of rank 0 records.

    Numbers that the trainer logs become train/<name>. An evaluation has its metrics; a recorded step has the histograms
    of parameters. `monitor` (None on other ranks) is for values of your own; after the end of a training there is a new
    one. Raises ValueError for wrong options, OSError for the directory. During a training nothing is raised, but
    reported and counted in monitor.stats.
    """

    def __init__(self, summary_dir: str | os.PathLike[str] | None = None, **options: Any) -> None:
        options = {"formats": ("tensorboard",), **options}
        self._say = options.get("say")
        self._ended = False
        self.monitor: SummaryMonitor | None = None
        if _trainings.rank() == 0:
            self.monitor = SummaryMonitor(summary_dir, **options)

    def on_train_begin(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        model: Any = None,
        **others: Any,
    ) -> None:
        if monitor := self._open():
            epochs = max(1, round(state.num_train_epochs))
            monitor.begin(
                epochs=epochs,
                steps_per_epoch=-(-state.max_steps // epochs),
                network=type(model).__name__,
                optimizer=str(getattr(args.optim, "value", args.optim)),
                learning_rate=args.learning_rate,
                batch_size=args.train_batch_size,
                device_num=args.world_size,
            )

    def on_step_end(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        model: Any = None,
        **others: Any,
    ) -> None:
        if self.monitor is not None:
            self.monitor.end_step(
                state.global_step, parameters=lambda: list(model.named_parameters())
            )

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> None:
        if monitor := self._open():
            numbers = {
                f"train/{name}": value
                for name, value in _numbers(logs).items()
                if not name.startswith("eval_")
            }
            monitor.log(numbers, state.global_step)

    def on_evaluate(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        metrics: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> None:
        if monitor := self._open():
            monitor.end_evaluation(
                {name.removeprefix("eval_"): value for name, value in _numbers(metrics).items()},
                state.global_step,
            )

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any
    ) -> None:
        if self.monitor is not None:
            _trainings.end(self.monitor)
            self._ended = True

    def _open(self) -> SummaryMonitor | None:
        if self.monitor is not None and self._ended:
            self.monitor = _trainings.next_of(self.monitor, self._say)
            self._ended = False
        return self.monitor


def _numbers(logs: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (logs or {}).items() if isinstance(value, Real)}

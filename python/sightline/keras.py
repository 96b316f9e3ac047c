"""A callback of Keras 3 that records a training with SummaryMonitor.

    from sightline.keras import SummaryCallback

    model.fit(x, y, callbacks=[SummaryCallback("run")])

Importing this module imports keras.
"""

import os
from collections.abc import Mapping
from typing import Any

import keras

from sightline import _trainings
from sightline._core import SummaryMonitor

__all__ = ["SummaryCallback"]


class SummaryCallback(keras.callbacks.Callback):
    """Records calls of fit and evaluate into `summary_dir`, with SummaryMonitor's rules and options; the files are
    TensorBoard's unless `formats` says otherwise.

    Steps are batches, counted from 1 over all calls of fit; with steps_per_execution only the last batch of each
    execution is seen. A recorded step has the loss, the other metrics of the batch, the learning rate and the
    histograms of trainable weights. An epoch has its metrics as epoch/<name>; a validation has its metrics. `monitor`
    is for values of your own; after the end of a fit there is a new one. Raises ValueError for wrong options, OSError
    for the directory. During a training nothing is raised, but reported and counted in monitor.stats.
    """

    def __init__(self, summary_dir: str | os.PathLike[str] | None = None, **options: Any) -> None:
        super().__init__()
        options = {"formats": ("tensorboard",), **options}
        self._say = options.get("say")
        self.monitor = SummaryMonitor(summary_dir, **options)
        self._ended = False
        self._step = 0
        self._last_batch = -1  # In the epoch.

    def on_train_begin(self, logs: Mapping[str, Any] | None = None) -> None:
        self._open()
        self.monitor.begin(
            epochs=self.params.get("epochs") or 0,
            steps_per_epoch=self.params.get("steps") or 0,
            network=self.model.name,
            **self._optimizer(),
        )

    def on_epoch_begin(self, epoch: int, logs: Mapping[str, Any] | None = None) -> None:
        self._last_batch = -1

    def on_train_batch_end(self, batch: int, logs: Mapping[str, Any] | None = None) -> None:
        # With steps_per_execution Keras calls once for several steps, and counts the last call of an epoch as a full one.
        if steps := self.params.get("steps"):
            batch = min(batch, steps - 1)
        self._step += max(1, batch - self._last_batch)
        self._last_batch = batch
        # With JAX, reading the model updates its weights; only a recorded step should pay for that.
        self.monitor.end_step(
            self._step,
            loss=(logs or {}).get("loss"),
            scalars=lambda: {name: value for name, value in (logs or {}).items() if name != "loss"},
            learning_rate=lambda: self._optimizer().get("learning_rate"),
            parameters=lambda: [
                (weight.path, keras.ops.convert_to_numpy(weight))
                for weight in self.model.trainable_weights
            ],
        )

    def on_epoch_end(self, epoch: int, logs: Mapping[str, Any] | None = None) -> None:
        metrics = {
            f"epoch/{name}": value
            for name, value in (logs or {}).items()
            if not name.startswith("val_")
        }
        self.monitor.log(metrics, self._step)

    def on_test_begin(self, logs: Mapping[str, Any] | None = None) -> None:
        self._open()
        self.monitor.begin_evaluation()

    def on_test_end(self, logs: Mapping[str, Any] | None = None) -> None:
        self.monitor.end_evaluation(logs or {}, self._step)

    def on_train_end(self, logs: Mapping[str, Any] | None = None) -> None:
        _trainings.end(self.monitor)
        self._ended = True

    def _optimizer(self) -> dict[str, Any]:
        """The optimizer as the lineage has it; nothing if the model has none or was not compiled."""
        optimizer = getattr(self.model, "optimizer", None)
        if optimizer is None:
            return {}
        return {
            "optimizer": type(optimizer).__name__,
            "learning_rate": float(optimizer.learning_rate),
        }

    def _open(self) -> None:
        if self._ended:
            self.monitor = _trainings.next_of(self.monitor, self._say)
            self._ended = False

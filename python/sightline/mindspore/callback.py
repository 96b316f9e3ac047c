"""The callbacks: what MindSpore tells them becomes calls of sightline.SummaryMonitor, which has the rules.

A step that is not recorded touches no tensor. Nothing is raised into a training: an error is reported once, through
`say`, and values that cannot be recorded are counted in `stats`.
"""

import functools
import os
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import mindspore

from sightline import _trainings
from sightline._core import MindSporeSteps, Recorder, RecorderStats
from sightline._core import SummaryMonitor as _Core
from sightline.mindspore import training
from sightline.mindspore.operators import TENSORS, OperatorSummaries


def _weakly(method: Callable[[str], None]) -> Callable[[str], None]:
    """The method, without a reference to its object: the object owns the core, which gets the method."""
    weak = weakref.WeakMethod(method)

    def call(path: str) -> None:
        strong = weak()
        if strong is not None:
            strong(path)

    return call


def _disturbs_nothing(hook: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Calls the hook with the callback's parameters while recording; reports what it raises, once."""

    @functools.wraps(hook)
    def guarded(self: Any, run_context: Any) -> None:
        if not self._core.enabled:
            return
        try:
            hook(self, run_context.original_args())
        except Exception as error:
            self._failed(hook.__name__, error)

    return guarded


class SummaryMonitor(mindspore.Callback):
    """Records a training with the signature of MindFormers' SummaryMonitor.

    docs/summary_monitor.md and docs/mindspore.md describe the parameters, and what is recorded when. collect_landscape
    saves checkpoints for SummaryLandscape, and is off unless given. `options` are the other keywords of
    sightline.SummaryMonitor. One training at a time; a later one is recorded after the first.

    Raises ValueError with every fault, and OSError for errors of the directory. During a training nothing is raised.
    """

    def __init__(
        self,
        summary_dir: str | os.PathLike[str] | None = None,
        collect_freq: int = 10,
        collect_specified_data: Mapping[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: Mapping[str, Any] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: Mapping[str, str | None] | None = None,
        **options: Any,
    ) -> None:
        self._begin_with(
            _Core,
            summary_dir,
            {
                "collect_freq": collect_freq,
                "collect_specified_data": collect_specified_data,
                "keep_default_action": keep_default_action,
                "custom_lineage_data": custom_lineage_data,
                "collect_tensor_freq": collect_tensor_freq,
                "max_file_size": max_file_size,
                "export_options": export_options,
                **options,
            },
        )

    @classmethod
    def from_yaml(cls, path_or_text: str | os.PathLike[str], **options: Any) -> "SummaryMonitor":
        """Makes a callback from a configuration in MindFormers' form, as sightline.SummaryMonitor.from_yaml reads it.
        Its parameters take precedence over the options. Raises like the constructor.
        """
        monitor = cls.__new__(cls)
        monitor._begin_with(_Core.from_yaml, path_or_text, options)
        return monitor

    def _begin_with(
        self, make: Callable[..., _Core], source: Any, options: Mapping[str, Any]
    ) -> None:
        mindspore.Callback.__init__(self)
        self._core = make(source, **{"save_checkpoint": _weakly(self._save_checkpoint), **options})
        self._resume_from = self._core.resume_from_step or 0
        self._ended = False
        self._entered = 0  # Model.fit enters for its training, and within that for each evaluation.
        self._say: Callable[[str], object] = options.get("say") or _trainings.say_on_standard_error
        self._said: set[str] = set()
        self._operators = OperatorSummaries(self._warn)
        self._forget_training()

    def _forget_training(self) -> None:
        self._training: training.Parameters | None = None  # The parameters during a training.
        self._steps: MindSporeSteps | None = None  # From the end of the first step on.
        self._each_step = self._core.enabled  # False in sink mode, where a step is an epoch.
        self._rate: Any = None  # A parameter, or None if it is computed in every step.

    @property
    def directory(self) -> str:
        return self._core.directory

    @property
    def stats(self) -> RecorderStats:
        """The stats of the current training, or of the last one."""
        return self._core.stats

    @property
    def thinned_steps(self) -> int:
        """How many steps of that training had histograms, images or tensors left out because of max_overhead."""
        return self._core.thinned_steps

    @property
    def recorder(self) -> Recorder | None:
        """The recorder, for values of your own; None if recording is switched off."""
        return self._core.recorder

    def log(self, scalars: Mapping[str, Any] | Iterable[tuple[str, Any]], step: int) -> None:
        """Records numbers under their names, at any step."""
        self._core.log(scalars, step)

    def __enter__(self) -> "SummaryMonitor":
        self._entered += 1
        self._open()
        return self

    def __exit__(self, *error: object) -> None:
        self._entered -= 1
        if self._entered == 0:
            self._end(failed=bool(error) and error[0] is not None)

    @_disturbs_nothing
    def on_train_begin(self, parameters: training.Parameters) -> None:
        self._open()
        self._forget_training()
        self._training = parameters
        callbacks = parameters.get("list_callback") or ()
        if next((each for each in callbacks if isinstance(each, SummaryMonitor)), self) is not self:
            self._warn(
                "another callback of Sightline's is in this training too: it alone records operators' values"
            )
        for callback in callbacks:
            if isinstance(callback, mindspore.SummaryCollector):
                self._warn("mindspore.SummaryCollector is in this training too: each takes operators' values away "
                           "from the other")  # fmt: skip
        self._operators.discard_all()
        optimizer = training.optimizer_of(parameters)
        if optimizer is None:
            self._warn(
                "the network has no optimizer of MindSpore's: histograms of parameters are not recorded"
            )
        info = training.train_info(parameters, optimizer, self._unknown)
        unit = 1 if info.get("sink_mode") else info.get("steps_per_epoch")
        if self._resume_from > 1 and unit and "epochs" in info:
            info["epochs"] += (
                self._resume_from - 1
            ) // unit  # MindSpore reports the remaining ones.
        self._core.begin(**info)
        self._rate = training.learning_rate_of(optimizer)
        trained = enumerate(getattr(optimizer, "parameters", ()))
        self._core.set_parameters(
            [(each.name, each) for i, each in trained if self._core.selects_parameter(i, each.name)]
        )

    def on_train_step_end(self, run_context: Any) -> None:
        """Makes one call of the core and nothing else: after a training's step none of this is in the processor's
        caches, and the time of a call depends on the code and data that it touches for the first time.
        """
        if not self._each_step:
            return
        try:
            parameters = run_context.original_args()
            steps = self._steps
            if steps is None:
                steps = self._begin_steps(parameters)
            if self._each_step:
                steps.end(parameters)
        except Exception as error:
            self._failed("on_train_step_end", error)

    @_disturbs_nothing
    def on_train_epoch_end(self, parameters: training.Parameters) -> None:
        if self._steps is not None and not self._each_step:
            self._steps.end(parameters)

    @_disturbs_nothing
    def on_train_end(self, parameters: training.Parameters) -> None:
        self._operators.discard_all()
        checkpoint = training.checkpoint_of(parameters)
        if checkpoint is not None:
            self._core.set_model(checkpoint, os.path.getsize(checkpoint))
        loss = training.mean_loss_of(parameters)
        if loss is not None:
            self._core.set_last_loss(loss)
        self._end()

    @_disturbs_nothing
    def on_eval_begin(self, parameters: training.Parameters) -> None:
        self._open()
        self._core.begin_evaluation()

    @_disturbs_nothing
    def on_eval_end(self, parameters: training.Parameters) -> None:
        self._operators.discard_all()
        dataset = parameters["valid_dataset"]
        self._core.end_evaluation(
            parameters.get("metrics") or {},
            self._steps.last if self._steps is not None else 0,
            dataset_path=training.dataset_path_of(dataset),
            dataset_size=training.dataset_size_of(dataset),
        )

    def _open(self) -> None:
        """After the end of a training, opens a monitor for the next one in the same directory."""
        if self._ended:
            self._core = _trainings.next_of(self._core, self._say)
            self._resume_from = 0
            self._ended = False

    def _end(self, failed: bool = False) -> None:
        self._ended = True
        self._training = None
        _trainings.end(self._core, failed)

    def _begin_steps(self, parameters: training.Parameters) -> MindSporeSteps:
        """Called at the end of the first step."""
        self._training = parameters
        self._each_step = not parameters.get("dataset_sink_mode")
        counter = "cur_step_num" if self._each_step else "cur_epoch_num"
        self._steps = MindSporeSteps(
            self._core,
            number=counter,
            # A resumed training begins at resume_from_step, even if MindSpore counts from 1 again, as with
            # initial_epoch.
            before=max(0, self._resume_from - parameters[counter]),
            loss=self._core.collects("collect_metric"),
            learning_rate=self._rate,
            input=self._input if self._core.collects("collect_input_data") else None,
            places=tuple((place, TENSORS) for place in self._operators.places),
            take=self._operators.take_if,
            tensor=mindspore.Tensor,
        )
        if self._core.collects("collect_graph"):
            self._try("graph", lambda: self._record_graph(parameters))
        if self._core.collects("collect_dataset_graph"):
            self._try("dataset graph", lambda: self._record_dataset_graph(parameters))
        return self._steps

    def _record_graph(self, parameters: training.Parameters) -> None:
        model = parameters["train_network"].get_func_graph_proto()
        if model is None:
            self._warn("the graph is not recorded, since there is none in PyNative mode")
        else:
            self._core.record_graph(model)

    def _record_dataset_graph(self, parameters: training.Parameters) -> None:
        from mindspore.train.callback._dataset_graph import DatasetGraph

        graph = DatasetGraph().package_dataset_graph(parameters["train_dataset"])
        if graph is not None:
            self._core.record_dataset_graph(graph.SerializeToString())

    def _input(self, parameters: training.Parameters) -> Any:
        """The input of a step that is recorded."""
        batch = training.first_of(parameters.get("train_dataset_element"))
        if isinstance(batch, mindspore.Tensor):
            return batch
        self._warn("input data is not recorded: MindSpore does not show it to callbacks here")
        return None

    def _try(self, what: str, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception as error:
            self._failed(what, error)

    def _failed(self, what: str, error: Exception) -> None:
        self._warn(f"{what}: {type(error).__name__}: {error}")

    def _save_checkpoint(self, path: str) -> None:
        """Saves a checkpoint for the loss landscape; the core calls this within end_step."""
        assert self._training is not None
        network = training.network_of(self._training["train_network"])
        mindspore.save_checkpoint(
            [{"name": each.name, "data": each} for each in network.get_parameters()], path
        )

    def _unknown(self, what: str, error: Exception) -> None:
        self._warn(f"the lineage has no {what}: {type(error).__name__}: {error}")

    def _warn(self, line: str) -> None:
        if line in self._said:
            return
        self._said.add(line)
        try:
            self._say(line)
        except Exception:
            pass  # There is nobody left to tell.


class SummaryCollector(SummaryMonitor):
    """SummaryMonitor with the signature of MindSpore's SummaryCollector; num_process has no effect, since no process is
    started."""

    def __init__(
        self,
        summary_dir: str | os.PathLike[str],
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: Mapping[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: Mapping[str, Any] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: Mapping[str, str | None] | None = None,
        **options: Any,
    ) -> None:
        try:
            super().__init__(
                summary_dir,
                collect_freq,
                collect_specified_data,
                keep_default_action,
                custom_lineage_data,
                collect_tensor_freq,
                max_file_size,
                export_options,
                **options,
            )
        except ValueError as error:  # Report it under the name that the user wrote.
            raise ValueError(
                str(error).replace("SummaryMonitor has the", "SummaryCollector has the")
            ) from None


# Model.fit runs an evaluation without callbacks whose class has the name of one of MindSpore's own.
SummaryCollector.__name__ = "SightlineSummaryCollector"

"""MindFormers' ProfileMonitor: profiles some steps of a training, as the keys profile_* of its configuration say.

`sightline.mindspore.register()` puts it in the place of MindFormers' class. It records exactly the steps start_step to
stop_step (MindFormers' records from one later to one later). docs/profiler.md has the keys. Nothing is raised into a
training: errors are reported.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import mindspore

from sightline import _trainings
from sightline.mindspore.profiler import Profiler

_DEFAULT_START, _DEFAULT_STOP = 1, 10


class ProfileMonitor(mindspore.Callback):
    """Profiles some steps of a training, with MindFormers' arguments. UserWarning for arguments that have no effect on
    the processor, and for values that are corrected.

    None stands for an argument's default; MindFormers' trainer passes it for a key that its configuration lacks.
    start_profile: starts at once, for any first step; it has no effect with a start_step other than 1.
    profile_rank_ids, profile_pipeline: only these ranks, and the first rank of each stage; without both, all ranks.
    output_path: profiles go to "<output_path>/profile/rank_<r>", by default below MindFormers' output folder or
    ./output.
    """

    def __init__(
        self,
        start_step: int | None = _DEFAULT_START,
        stop_step: int | None = _DEFAULT_STOP,
        output_path: str | None = None,
        start_profile: bool | None = True,
        profile_rank_ids: Sequence[int] | None = None,
        profile_pipeline: bool | None = False,
        profile_communication: bool | None = False,
        profile_memory: bool | None = False,
        config: Any = None,
        profiler_level: int | None = 0,
        with_stack: bool | None = False,
        data_simplification: bool | None = True,
        mstx: bool | None = False,
        *,
        say: Callable[[str], object] | None = None,
        **others: Any,
    ) -> None:
        super().__init__()
        self._say = say or _trainings.say_on_standard_error
        start_step = _DEFAULT_START if start_step is None else start_step
        stop_step = _DEFAULT_STOP if stop_step is None else stop_step
        self._start, self._stop = _checked_steps(start_step, stop_step)
        if start_profile and start_step != _DEFAULT_START:
            _warn(f"init_start_profile has no effect with profile_start_step {start_step}")
            start_profile = False
        if mstx:
            _warn("mstx has no effect on the processor")
        if others:
            _warn(f"unknown arguments are ignored: {', '.join(sorted(others))}")
        self._profiler: Profiler | None = None
        self._running = False
        self._last_step: int | None = None
        rank = _trainings.rank()
        if not _is_wanted(rank, profile_rank_ids, profile_pipeline):
            return
        self._profiler = Profiler(
            start_profile=False,
            output_path=os.path.join(output_path or _output_folder(), "profile", f"rank_{rank}"),
            profile_memory=bool(profile_memory),
            profile_communication=bool(profile_communication),
            profiler_level=profiler_level or None,
            with_stack=bool(with_stack),
            data_simplification=data_simplification is not False,
        )
        if config is not None:
            self._add_metadata(config)
        if start_profile:
            self._begin()

    @property
    def profiler(self) -> Profiler | None:
        """The profiler; None on a rank that is not profiled."""
        return self._profiler

    def on_train_step_begin(self, run_context: Any) -> None:
        step = run_context.original_args()["cur_step_num"]
        if self._profiler is None or self._running or step < self._start or self._is_over():
            return
        # In sink mode several steps come at once, and `step` is the last of them.
        first = step if self._last_step is None else self._last_step + 1
        if first != self._start and step != self._start:
            self._say(
                f"in sink mode steps come together: the profile begins with step {first}, not with {self._start}"
            )
        self._begin()

    def on_train_step_end(self, run_context: Any) -> None:
        self._last_step = step = run_context.original_args()["cur_step_num"]
        if not self._running or step < self._stop:
            return
        if step != self._stop:
            self._say(
                f"in sink mode steps come together: the profile ends with step {step}, not with {self._stop}"
            )
        self._end()

    def on_train_end(self, run_context: Any) -> None:
        del run_context
        if self._running:
            self._say(
                f"the training ends before step {self._stop}: the profile has the steps so far"
            )
            self._end()

    def _is_over(self) -> bool:
        return self._last_step is not None and self._last_step >= self._stop

    def _begin(self) -> None:
        assert self._profiler is not None
        try:
            self._profiler.start()
            self._running = True
        except Exception as error:
            self._say(f"steps {self._start} to {self._stop} are not profiled: {error}")
            self._profiler = None

    def _end(self) -> None:
        assert self._profiler is not None
        self._running = False
        try:
            self._profiler.stop()
            self._profiler.analyse()
            for finding in self._profiler.summary:
                self._say(f"{self._profiler.folder}: {finding['what']} {finding['evidence']}")
        except Exception as error:
            self._say(
                f"the profile of the steps {self._start} to {self._stop} is incomplete: {error}"
            )

    def _add_metadata(self, config: Any) -> None:
        """Adds how the training is distributed, in MindFormers' words."""
        try:
            parallel, sizes = config.parallel, config.parallel_config.to_dict()
            distributed = {
                "tensor_model_parallel_size": sizes.get("model_parallel", 1),
                "pipeline_model_parallel_size": sizes.get("pipeline_stage", 1),
                "data_parallel_size": sizes.get("data_parallel", 1),
                "expert_model_parallel_size": sizes.get("expert_parallel", 1),
                "sequence_parallel": sizes.get("use_seq_parallel", False),
                "parallel_mode": parallel.get("parallel_mode"),
                "world_size": parallel.get("device_num"),
            }
        except AttributeError:  # A configuration without these parts.
            return
        assert self._profiler is not None
        self._profiler.add_metadata_json("distributed_args", json.dumps(distributed))


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=3)


def _checked_steps(start: int, stop: int) -> tuple[int, int]:
    if start < 0:
        _warn(f"profile_start_step is {start}: {_DEFAULT_START} is used")
        start = _DEFAULT_START
    if stop < 0:
        _warn(f"profile_stop_step is {stop}: {_DEFAULT_STOP} is used")
        stop = _DEFAULT_STOP
    if start > stop:
        _warn(
            f"profile_start_step {start} is after profile_stop_step {stop}: "
            f"{_DEFAULT_START} to {_DEFAULT_STOP} are used"
        )
        return _DEFAULT_START, _DEFAULT_STOP
    return start, stop


def _is_wanted(rank: int, ranks: Sequence[int] | None, pipeline: bool | None) -> bool:
    if not ranks and not pipeline:
        return True
    wanted = set(ranks or ())
    if pipeline:
        stages = mindspore.get_auto_parallel_context("pipeline_stages")
        world = _trainings.world_size()
        if world % stages != 0:
            raise ValueError(f"{world} ranks cannot be divided into {stages} stages")
        wanted |= set(range(0, world, world // stages))
    return rank in wanted


def _output_folder() -> str:
    """The folder to which MindFormers writes, if it is imported."""
    if "mindformers" not in sys.modules:
        return "./output"
    from mindformers.tools.utils import get_output_root_path

    return str(get_output_root_path())

"""mindspore.profiler's newer entry: profile, schedule, tensorboard_trace_handler and _ExperimentalConfig.

    from sightline.mindspore import profile, schedule, tensorboard_trace_handler

    with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=2),
                 on_trace_ready=tensorboard_trace_handler("./data")) as profiler:
        for batch in batches:
            train(batch)
            profiler.step()

The arguments are those of MindSpore 2.10, on the recorder of sightline.mindspore.Profiler. docs/profiler.md says what
works on the processor. Nothing is raised into a training: a wrong call or an error gets a UserWarning, as MindSpore logs
it. Thread rule: one thread at a time.
"""

import itertools
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any

from sightline import profiler as _spans
from sightline.mindspore.profiler import Profiler


class ProfilerAction(Enum):
    """What a step does, as mindspore.profiler.schedule.ProfilerAction has it."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


_RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class schedule:
    """The action of each step: `skip_first` steps nothing, then cycles of `wait`, `warmup` and `active` steps.

    The last active step of a cycle saves it. repeat: the number of cycles; 0: without an end. A value that is no int, or
    is too small, becomes 0 (active: 1) with a UserWarning, as in MindSpore. A call with a step below 0 raises ValueError.
    """

    def __init__(
        self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0
    ) -> None:
        self.wait = _checked("wait", wait, 0)
        self.active = _checked("active", active, 1)
        self.warmup = _checked("warmup", warmup, 0)
        self.repeat = _checked("repeat", repeat, 0)
        self.skip_first = _checked("skip_first", skip_first, 0)

    def __call__(self, step: int) -> ProfilerAction:
        if step < 0:
            raise ValueError(f"step is {step}: it must be 0 or more")
        cycle, at = divmod(step - self.skip_first, self.wait + self.warmup + self.active)
        if cycle < 0 or 0 < self.repeat <= cycle or at < self.wait:
            return ProfilerAction.NONE
        if at < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        is_last = at == self.wait + self.warmup + self.active - 1
        return ProfilerAction.RECORD_AND_SAVE if is_last else ProfilerAction.RECORD

    def __repr__(self) -> str:
        return f"schedule({', '.join(f'{name}={value}' for name, value in self.to_dict().items())})"

    def to_dict(self) -> dict[str, int]:
        """The parameters and their values."""
        names = ("wait", "active", "warmup", "repeat", "skip_first")
        return {name: getattr(self, name) for name in names}


class _ExperimentalConfig:
    """The keywords of mindspore.profiler._ExperimentalConfig. All are for NPUs: none has an effect on the processor, and
    `profile` says which of them were given.
    """

    _DEFAULTS = {
        "profiler_level": "Level0",
        "aic_metrics": "AiCoreNone",
        "l2_cache": False,
        "mstx": False,
        "data_simplification": True,
        "export_type": None,
        "mstx_domain_include": None,
        "mstx_domain_exclude": None,
        "sys_io": False,
        "sys_interconnection": False,
        "host_sys": None,
    }

    def __init__(
        self,
        profiler_level: Any = "Level0",
        aic_metrics: Any = "AiCoreNone",
        l2_cache: bool = False,
        mstx: bool = False,
        data_simplification: bool = True,
        export_type: list[Any] | None = None,
        mstx_domain_include: list[str] | None = None,
        mstx_domain_exclude: list[str] | None = None,
        sys_io: bool = False,
        sys_interconnection: bool = False,
        host_sys: list[Any] | None = None,
    ) -> None:
        given = locals()
        for name in self._DEFAULTS:
            setattr(self, name, given[name])


class _TraceHandler:
    """What tensorboard_trace_handler returns. `profile` takes the folder and the worker's name from it."""

    def __init__(self, dir_name: str | None, worker_name: str | None, mode: str | None) -> None:
        self.dir_name, self.worker_name, self._mode = dir_name, worker_name, mode

    def __call__(self, profiler: Any) -> None:
        if self._mode is not None:
            profiler.analyse(async_mode=self._mode == "async")


def tensorboard_trace_handler(
    dir_name: str | None = None,
    worker_name: str | None = None,
    analyse_flag: bool = True,
    async_mode: bool = False,
) -> Callable[[Any], None]:
    """For `profile`'s on_trace_ready: writes to "<dir_name>/<worker_name>_<pid>_<time>_ascend_ms", and analyses it.

    dir_name: "./data" by default. worker_name: the host by default. async_mode: analyses in a process of its own.
    A value of another type becomes the default with a UserWarning, as in MindSpore.
    """
    for name, value in (("dir_name", dir_name), ("worker_name", worker_name)):
        if value is not None and not (isinstance(value, str) and value):
            warnings.warn(f"{name} is {value!r}: its default is used", stacklevel=2)
    for name, flag in (("analyse_flag", analyse_flag), ("async_mode", async_mode)):
        if not isinstance(flag, bool):
            warnings.warn(f"{name} is {flag!r}: its default is used", stacklevel=2)
    mode = None if analyse_flag is False else "async" if async_mode is True else "sync"
    return _TraceHandler(_text(dir_name), _text(worker_name), mode)


class profile:
    """Profiles the steps that `schedule` chooses, each cycle into a folder of its own.

    schedule: gives the action of each step, from 0 on (`schedule`, MindSpore's, or any function); None: records all
    steps until `stop`. on_trace_ready: is called with this object after each cycle; None: the profile is not analysed.
    profile_memory, data_process, start_profile: as those of Profiler. activities: without CPU, only spans are recorded.
    The other arguments have no effect on the processor: one UserWarning names those that were given.
    """

    def __init__(
        self,
        activities: Iterable[Any] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Callable[[int], Any] | None = None,
        on_trace_ready: Callable[[Any], object] | None = None,
        experimental_config: Any = None,
    ) -> None:
        elsewhere = {
            "with_stack": with_stack,
            "parallel_strategy": parallel_strategy,
            "hbm_ddr": hbm_ddr,
            "pcie": pcie,
            "sync_enable=False": not sync_enable,
            "record_shapes": record_shapes,
        }
        _say_without_effect(
            [name for name, given in elsewhere.items() if given], experimental_config
        )
        if schedule is not None and not callable(schedule):
            warnings.warn(
                f"schedule is {schedule!r}, no function: all steps are recorded", stacklevel=2
            )
            schedule = None
        names = (
            None if activities is None else {getattr(one, "name", str(one)) for one in activities}
        )
        operators = names is None or "CPU" in names
        self._schedule = schedule
        self._on_trace_ready = on_trace_ready
        self._profiler = Profiler(
            output_path=getattr(on_trace_ready, "dir_name", None) or "./data",
            start_profile=False,
            op_time=operators,
            profile_memory=bool(profile_memory) and operators,
            data_process=bool(data_process),
        )
        self._profiler.worker_name = getattr(on_trace_ready, "worker_name", None)
        self._started = False
        self._marks_step = False
        self.step_num = 0
        self.current_action = self._action()
        if start_profile:
            self.start()

    @property
    def folder(self) -> str | None:
        """The folder of the current cycle, or of the last one."""
        return self._profiler.folder

    @property
    def summary(self) -> list[dict[str, Any]]:
        """The findings of the last analysis, like Profiler.summary."""
        return self._profiler.summary

    def start(self) -> None:
        """Begins with the action of the current step."""
        if self._started:
            _warn("the profile has already started")
            return
        self._started = True
        self._enter(ProfilerAction.NONE, self.current_action)
        self._begin_step()

    def step(self) -> None:
        """Ends the current step, and takes the action of the next one."""
        if not self._started:
            _warn("the profile has not started: step() has no effect")
            return
        self._end_step()
        before, self.step_num = self.current_action, self.step_num + 1
        self.current_action = self._action()
        self._enter(before, self.current_action)
        self._begin_step()

    def stop(self) -> None:
        """Ends the profile; what was recorded of an unfinished cycle is kept."""
        if not self._started:
            _warn("the profile has not started: stop() has no effect")
            return
        self._started = False
        self._end_step()
        if self.current_action is ProfilerAction.WARM_UP:
            _warn("the profile stops while it warms up: this cycle has nothing")
        if self.current_action in _RECORDING:
            if self._schedule is not None:
                _warn(f"the profile stops within a cycle, after {self.step_num} steps")
            self._save(True)

    def analyse(
        self, async_mode: bool = False, pretty: bool = False, step_list: Sequence[int] | None = None
    ) -> None:
        """Analyses what was recorded since the last analysis, like Profiler.analyse."""
        self._profiler.analyse(
            pretty=pretty, step_list=step_list, mode="async" if async_mode else "sync"
        )

    def add_metadata(self, key: str, value: str) -> None:
        """Like Profiler.add_metadata, for this cycle and those after it."""
        self._profiler.add_metadata(key, value)

    def add_metadata_json(self, key: str, value: str) -> None:
        """Like Profiler.add_metadata_json, for this cycle and those after it."""
        self._profiler.add_metadata_json(key, value)

    def __enter__(self) -> "profile":
        if not self._started:
            self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._started:
            self.stop()

    def _action(self) -> ProfilerAction:
        if self._schedule is None:
            return ProfilerAction.RECORD
        try:
            action = self._schedule(self.step_num)
            # MindSpore's own actions have the same values.
            return ProfilerAction(getattr(action, "value", action))
        except Exception as error:
            _warn(f"the schedule of step {self.step_num}: {error}; the step is not recorded")
            return ProfilerAction.NONE

    def _enter(self, before: ProfilerAction, now: ProfilerAction) -> None:
        is_saved = before is ProfilerAction.RECORD_AND_SAVE
        if before in _RECORDING and (is_saved or now not in _RECORDING):
            if not is_saved:
                _warn("the schedule ends a cycle without RECORD_AND_SAVE: it is not analysed")
            self._save(is_saved)
        if now in _RECORDING and (before not in _RECORDING or is_saved):
            self._guarded(self._profiler.start)

    def _save(self, is_ready: bool) -> None:
        self._guarded(self._profiler.stop)
        if is_ready and self._on_trace_ready is not None:
            self._guarded(lambda: self._on_trace_ready(self))  # type: ignore[misc]

    def _begin_step(self) -> None:
        self._marks_step = self._schedule is not None and _spans.recording()
        if self._marks_step:
            _spans.begin_step(self.step_num)

    def _end_step(self) -> None:
        if self._marks_step:
            _spans.end_step()
        self._marks_step = False

    def _guarded(self, call: Callable[[], object]) -> None:
        try:
            call()
        except Exception as error:
            _warn(f"step {self.step_num}: {error}")


class mstx:
    """Marks and ranges of the user, with the arguments of mindspore.profiler.mstx: spans of sightline.profiler.

    Ranges of a thread nest: one that ends before a range within it ends that one, too. `stream` and `domain` have no
    effect on the processor.
    """

    _thread = threading.local()
    _numbers = itertools.count(1)

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Records a moment."""
        del stream, domain
        if isinstance(message, str) and message:
            _spans.instant(message)

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Begins a range and returns its number for range_end; 0, as in MindSpore, if nothing is recorded."""
        del stream, domain
        if not isinstance(message, str) or not message or not _spans.recording():
            return 0
        opened = _spans.span(message)
        opened.__enter__()
        number = next(mstx._numbers)
        mstx._ranges().append((number, opened))
        return number

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """Ends a range. One that is not open is left out."""
        del domain
        ranges = mstx._ranges()
        if all(number != range_id for number, _ in ranges):
            return
        number = None
        while number != range_id:
            number, opened = ranges.pop()
            opened.__exit__(None, None, None)

    @staticmethod
    def _ranges() -> list[tuple[int, Any]]:
        """The open ranges of this thread, the innermost last."""
        if not hasattr(mstx._thread, "ranges"):
            mstx._thread.ranges = []
        ranges: list[tuple[int, Any]] = mstx._thread.ranges
        return ranges


def _checked(name: str, value: int, least: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    warnings.warn(f"{name} is {value!r}, no int of {least} or more: it is {least}", stacklevel=3)
    return least


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _say_without_effect(names: list[str], config: Any) -> None:
    for name, default in _ExperimentalConfig._DEFAULTS.items():
        # MindSpore's own object has its values behind properties of these names, and enums in them.
        value = getattr(config, name, default)
        if value and not isinstance(value, (bool, str, list)):
            value = getattr(value, "name", value)
        if value != default and not (default is None and not value):
            names.append(name)
    if names:
        warnings.warn(f"no effect on the processor: {', '.join(names)}", stacklevel=3)


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=3)

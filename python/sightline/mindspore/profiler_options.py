"""The keywords of mindspore.Profiler: which of them work on the processor, and the values that the others accept."""

import warnings
from dataclasses import dataclass, fields
from typing import Any

# The devices for each option that has no effect on the processor; a value other than the default gets a warning.
_ELSEWHERE = {
    "profiler_level": "Ascend",
    "profile_communication": "Ascend",
    "parallel_strategy": "Ascend",
    "aicore_metrics": "Ascend",
    "l2_cache": "Ascend",
    "hbm_ddr": "Ascend",
    "pcie": "Ascend",
    "sync_enable": "GPU",
    "timeline_limit": "Ascend and GPU",
    "profile_framework": "Ascend and GPU",
    "with_stack": "Ascend",
    "data_simplification": "Ascend",
    "env_enable": "Ascend and GPU",
}

# Options that need op_time=True.
_NEED_OP_TIME = (
    "profile_memory",
    "profile_communication",
    "timeline_limit",
    "with_stack",
    "profile_framework",
)


@dataclass
class ProfilerOptions:
    """The checked options. Raises TypeError or ValueError for wrong ones; UserWarning for those that have no effect on
    the processor.
    """

    output_path: str = "./data"
    profiler_level: Any = None
    op_time: bool = True
    profile_communication: bool = False
    profile_memory: bool = False
    parallel_strategy: bool = False
    start_profile: bool = True
    aicore_metrics: int = 0
    l2_cache: bool = False
    hbm_ddr: bool = False
    pcie: bool = False
    sync_enable: bool = True
    data_process: bool = False
    timeline_limit: int = 500
    profile_framework: str | None = None
    with_stack: bool = False
    data_simplification: bool = True
    analyse_only: bool = False
    rank_id: int = 0
    env_enable: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            self._check_type(field.name, field.default)
        if self.aicore_metrics not in range(-1, 7):
            raise ValueError(f"aicore_metrics is {self.aicore_metrics}: it must be -1 to 6")
        if self.timeline_limit <= 0:
            raise ValueError(
                f"timeline_limit is {self.timeline_limit}: it must be more than 0, in MB"
            )
        if self.profile_framework not in ("all", "time", None):
            raise ValueError(
                f"profile_framework is {self.profile_framework!r}: it must be 'all', 'time' or None"
            )
        if self.rank_id < 0:
            raise ValueError(f"rank_id is {self.rank_id}: it must be 0 or more")
        given = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        for name in given:
            if not self.op_time and name in _NEED_OP_TIME:
                raise ValueError(f"{name} needs op_time=True")
            if name in _ELSEWHERE:
                warnings.warn(
                    f"{name} is for {_ELSEWHERE[name]}, and has no effect on the processor",
                    stacklevel=4,
                )

    def _check_type(self, name: str, default: Any) -> None:
        value = getattr(self, name)
        if name in ("profiler_level", "profile_framework"):
            return
        if name == "output_path":
            if not isinstance(value, str):
                raise TypeError(f"output_path must be a str, but it is a {type(value).__name__}")
            return
        expected = type(default)
        if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
            raise TypeError(
                f"{name} must be of type {expected.__name__}, but it is a {type(value).__name__}"
            )

"""profiler_config.json: what DynamicProfilerMonitor is to record, in the keys of MindSpore 2.4 and of 2.7.

Imports nothing of MindSpore's.
"""

import json
from dataclasses import dataclass, field
from typing import Any

FILE = "profiler_config.json"

# The text that MindSpore 2.7 writes if there is no file.
DEFAULTS: dict[str, Any] = {
    "start_step": -1,
    "stop_step": -1,
    "aic_metrics": "AiCoreNone",
    "profiler_level": "Level0",
    "analyse_mode": -1,
    "activities": ["CPU", "NPU"],
    "export_type": ["text"],
    "profile_memory": False,
    "mstx": False,
    "parallel_strategy": False,
    "with_stack": False,
    "data_simplification": True,
    "l2_cache": False,
    "analyse": False,
    "record_shapes": False,
    "prof_path": "./",
    "mstx_domain_include": [],
    "mstx_domain_exclude": [],
    "host_sys": [],
    "sys_io": False,
    "sys_interconnection": False,
}

# Keys of 2.4 that 2.7 no longer has.
_OLDER = {"aicore_metrics": -1, "profile_framework": -1, "profile_communication": False}

# Keys that work on the processor.
_WORKING = (
    "start_step",
    "stop_step",
    "analyse_mode",
    "activities",
    "profile_memory",
    "analyse",
    "prof_path",
)

# Other values of these keys that mean the default.
_ALSO_DEFAULT: dict[str, tuple[Any, ...]] = {"profiler_level": (-1, 0), "aic_metrics": (-1,)}


@dataclass
class Request:
    """What to record. start, stop: steps from 1, `stop` included; 0: record nothing."""

    start: int = 0
    stop: int = 0
    analyse: bool = False
    mode: str = "sync"
    memory: bool = False
    operators: bool = True
    path: str = "./"
    notices: list[str] = field(default_factory=list)


def parse(text: str) -> Request:
    """Reads a request. Raises ValueError, which names the mistake, if the text is not a valid request."""
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:  # RecursionError: nested too deeply.
        raise ValueError(f"it is not JSON: {error}") from None
    if not isinstance(config, dict):
        raise ValueError("it is not a JSON object")
    request = Request()
    request.start, request.stop = (_integer(config, name) for name in ("start_step", "stop_step"))
    if request.start <= 0 and request.stop <= 0:
        request.start = request.stop = 0
    elif request.start <= 0 or request.stop < request.start:
        raise ValueError(
            f"start_step is {request.start} and stop_step {request.stop}: it must be 1 <= start_step <= stop_step"
        )
    mode = _integer(config, "analyse_mode")
    if mode not in (-1, 0, 1):
        raise ValueError(f"analyse_mode is {mode}: it must be -1 (off), 0 (sync) or 1 (async)")
    request.analyse = _boolean(config, "analyse") or mode >= 0
    request.mode = "async" if mode == 1 else "sync"
    request.memory = _boolean(config, "profile_memory")
    request.operators = _has_processor(config.get("activities", DEFAULTS["activities"]))
    request.path = config.get("prof_path", "./")
    if not isinstance(request.path, str):
        raise ValueError(f"prof_path is {request.path!r}: it must be a string")
    request.notices = _notices(config)
    return request


def _integer(config: dict[str, Any], name: str) -> int:
    value = config.get(name, DEFAULTS[name])
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}: it must be an integer")
    return value


def _boolean(config: dict[str, Any], name: str) -> bool:
    value = config.get(name, DEFAULTS[name])
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}: it must be true or false")
    return value


def _has_processor(activities: Any) -> bool:
    """Whether the activities include the processor: given by names, or by 2.7's number: 0 both, 1 the processor, 2 the
    device.
    """
    if isinstance(activities, list) and all(one in ("CPU", "NPU", "GPU") for one in activities):
        return "CPU" in activities
    if isinstance(activities, int) and not isinstance(activities, bool) and 0 <= activities <= 2:
        return activities != 2
    raise ValueError(
        f'activities is {activities!r}: it must be a list of "CPU" and "NPU", or 0 to 2'
    )


def _notices(config: dict[str, Any]) -> list[str]:
    known = DEFAULTS | _OLDER
    unknown = [name for name in config if name not in known]
    unused = [
        name
        for name, value in config.items()
        if name in known
        and name not in _WORKING
        and value != known[name]
        and not any(value is other or value == other for other in _ALSO_DEFAULT.get(name, ()))
    ]
    notices = []
    if unknown:
        notices.append(f"unknown keys are ignored: {', '.join(unknown)}")
    if unused:
        notices.append(f"these keys have no effect on the processor: {', '.join(unused)}")
    return notices

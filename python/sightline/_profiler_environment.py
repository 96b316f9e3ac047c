"""MS_PROFILER_OPTIONS: MindSpore's environment variable that profiles a program as it is, read without MindSpore."""

import json
from dataclasses import dataclass, field

VARIABLE = "MS_PROFILER_OPTIONS"

# Keys that a recording of Sightline uses.
_USED = ("start", "output_path")

# Keys of MindSpore 2.4 and 2.7 for its own collectors.
_OTHERS = (
    "activities",
    "aic_metrics",
    "aicore_metrics",
    "data_process",
    "data_simplification",
    "export_type",
    "hbm_ddr",
    "host_sys",
    "l2_cache",
    "mstx",
    "mstx_domain_exclude",
    "mstx_domain_include",
    "op_time",
    "parallel_strategy",
    "pcie",
    "profile_communication",
    "profile_framework",
    "profile_memory",
    "profiler_level",
    "record_shapes",
    "start_profile",
    "sync_enable",
    "sys_interconnection",
    "sys_io",
    "timeline_limit",
    "with_stack",
)


@dataclass
class Options:
    start: bool = False
    output_path: str = "./data"
    notices: list[str] = field(default_factory=list)


def parse(text: str) -> Options:
    """Reads what the variable asks for. Every error in it becomes a notice, so that it never stops a program."""
    options = Options()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:  # RecursionError: nested too deeply.
        options.notices.append(f"{VARIABLE} is ignored: it is not JSON: {error}")
        return options
    if not isinstance(given, dict):
        options.notices.append(
            f'{VARIABLE} is ignored: it must be an object like {{"start": true}}'
        )
        return options
    start = given.get("start", False)
    if not isinstance(start, bool):
        options.notices.append(
            f"{VARIABLE}: start is {start!r}, but must be true or false: nothing is recorded"
        )
    else:
        options.start = start
    path = given.get("output_path", options.output_path)
    if isinstance(path, str) and path:
        options.output_path = path
    else:
        options.notices.append(
            f"{VARIABLE}: output_path is {path!r}, but must be a string: {options.output_path} is used"
        )
    unknown = sorted(key for key in given if key not in _USED and key not in _OTHERS)
    if unknown:
        options.notices.append(f"{VARIABLE}: unknown keys are ignored: {', '.join(unknown)}")
    return options

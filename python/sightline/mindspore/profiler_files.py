"""The files in the folders of MindSpore's profiles on the processor, and the analysis of Profiler.analyse.

Imports nothing of MindSpore's. The files are described on docs/profiles.md.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

SPANS = "sightline"  # The folder of Sightline's own trace.
SUMMARY = "summary.json"
_RAW = "FRAMEWORK"
_ANALYSED = "ASCEND_PROFILER_OUTPUT"
_TRACE = os.path.join(_ANALYSED, "trace_view.json")
_TIMES = os.path.join(_RAW, "cpu_op_execute_timestamp_0.txt")


def checked_steps(step_list: Sequence[int] | None) -> range | None:
    """Checks a list of steps. Raises TypeError if it is not a list of ints, ValueError if they are not consecutive."""
    if step_list is None:
        return None
    if not isinstance(step_list, (list, tuple, range)):
        raise TypeError(f"step_list must be a list of ints, but it is a {type(step_list).__name__}")
    if not step_list or not all(
        isinstance(step, int) and not isinstance(step, bool) for step in step_list
    ):
        raise TypeError(f"step_list must be a list of ints, but it is {list(step_list)!r}")
    steps = range(min(step_list), max(step_list) + 1)
    if sorted(step_list) != list(steps) or steps.start < 1:
        raise ValueError(
            f"step_list is {list(step_list)!r}: it must be consecutive numbers from 1 on"
        )
    return steps


def folders_below(path: str) -> list[str]:
    """The folders of profiles at or below a path. Raises RuntimeError if there is none."""
    path = os.path.realpath(path)
    found = [folder for folder, names, _ in os.walk(path) if _RAW in names or _ANALYSED in names]
    if not found:
        raise RuntimeError(
            f"{path}: no profile was found in or below it: no folder has {_RAW} or {_ANALYSED}"
        )
    return sorted(found)


def is_raw(folder: str) -> bool:
    """Whether MindSpore's collector wrote operators that its analysis has not seen yet."""
    return os.path.exists(os.path.join(folder, _TIMES)) and not os.path.exists(
        os.path.join(folder, _TRACE)
    )


def finish(folder: str, pretty: bool, steps: range | None) -> list[dict[str, Any]]:
    """Cuts the trace to the steps, writes SUMMARY, indents the JSON files, and returns the summary."""
    if steps is not None:
        _keep_steps(folder, steps)
    summary = [
        json.loads(line)
        for line in run_sightline("profile", "summary", "--json", folder).splitlines()
    ]
    with open(os.path.join(folder, SUMMARY), "w", encoding="utf-8") as file:
        json.dump(summary, file)
    if pretty:
        for path in [os.path.join(folder, SUMMARY), *_json_files(os.path.join(folder, _ANALYSED))]:
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(content, file, indent=4)
    return summary


def _json_files(folder: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    return [
        os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".json")
    ]


def _keep_steps(folder: str, steps: range) -> None:
    """Keeps the events of the trace that begin within the steps, and all events that describe its lanes."""
    path = os.path.join(folder, _TRACE)
    if not os.path.exists(path):
        raise RuntimeError(f"{folder}: no trace was found to take steps from")
    table = json.loads(run_sightline("profile", "steps", "--json", folder))["steps"]
    wanted = [step for step in table if step["step"] in steps]
    if len(wanted) != len(steps):
        raise RuntimeError(
            f"{folder}: steps {steps.start} to {steps.stop - 1} were not recorded; recorded are "
            + (f"{table[0]['step']} to {table[-1]['step']}" if table else "none")
        )
    begin, end = wanted[0]["start_ns"], wanted[-1]["end_ns"]
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    kept = [
        event
        for event in events
        if event.get("ph") == "M" or begin <= _nanoseconds(event.get("ts", 0)) < end
    ]
    unfinished = path + ".part"
    with open(unfinished, "w", encoding="utf-8") as file:
        json.dump(kept, file)
    os.replace(unfinished, path)


def _nanoseconds(microseconds: Any) -> int:
    """The exact number of nanoseconds of "1795189731943100.648"."""
    whole, _, fraction = str(microseconds).partition(".")
    return int(whole) * 1000 + int((fraction + "000")[:3])


def operators_by_shape(folder: str) -> dict[str, list[dict[str, Any]]]:
    """For each type, an entry for each distinct input shape, in the form of MindSpore's op_analyse. Raises RuntimeError
    without files.
    """
    details = os.path.join(folder, _RAW, "cpu_op_detail_info_0.csv")
    if not os.path.exists(details):
        raise RuntimeError(f"{folder}: it has no operators")
    shapes = _shapes(os.path.join(folder, _RAW, "cpu_framework_0.txt"))
    entries: dict[tuple[str, str], dict[str, Any]] = {}
    with open(details, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = (row["op_type"], shapes.get(row["op_name"], ""))
            entry = entries.setdefault(
                key, {"op_side": "cpu", "input_shape": key[1], "op_occurrences": 0, "total": 0.0}
            )
            entry["op_occurrences"] += int(row["op_occurrences"])
            entry["total"] += float(row["op_total_time(ms)"]) * 1000
    found: dict[str, list[dict[str, Any]]] = {}
    for (kind, _), entry in entries.items():
        total = entry.pop("total")
        entry["op_total_time(us)"] = round(total, 6)
        entry["op_avg_time(us)"] = round(total / max(entry["op_occurrences"], 1), 6)
        found.setdefault(kind, []).append(entry)
    return found


def _shapes(path: str) -> dict[str, str]:
    """Input shapes by the operator's name: "[32, 1, 32, 32];[6, 1, 5, 5]". The file has a line for each execution."""
    shapes: dict[str, str] = {}
    if not os.path.exists(path):
        return shapes
    with open(path, encoding="utf-8") as file:
        for line in file:
            parts = line.strip().rstrip(";").split(";")
            if len(parts) > 3 and parts[1]:
                shapes.setdefault(parts[1], ";".join(part.partition(":")[2] for part in parts[3:]))
    return shapes


def run_sightline(*arguments: str) -> str:
    """Runs the program, and returns its output; damage in a profile is not an error. Raises RuntimeError with its
    message.
    """
    beside = os.path.join(os.path.dirname(sys.executable), "sightline")
    program = beside if os.path.exists(beside) else shutil.which("sightline")
    if program is None:
        raise RuntimeError(
            "the program sightline, which comes with this package, is neither next to Python nor on PATH"
        )
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip())
    return done.stdout

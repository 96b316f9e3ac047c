"""The device time of operators, beside another reading of real traces of GPUs (../shared, not ours to commit)."""

import gzip
import json
import subprocess
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

REAL = Path(__file__).parent.parent.parent.parent / "shared/corpus/gpu_profiles/real"
TRACES = [
    "b200_eager.json.gz",
    "h100_bert_small.json.gz",
    "hta_sampled_rank-0.json.gz",
    "mi300_resnet_act.json.gz",
    "ns_resolution.pt.trace.json.gz",
]


def nanoseconds(microseconds: float | str) -> int:
    return int((Decimal(str(microseconds)) * 1000).to_integral_value())


def device_times(path: Path) -> tuple[Counter, Counter]:
    """By operator: the time of the tasks launched within it, and of those launched within no operator inside it.

    A task belongs to the operators of the launching thread that had begun and not ended when the call began that has
    the task's correlation.
    """
    operators, calls, tasks = defaultdict(list), {}, []
    for event in json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]:
        if event.get("ph") != "X":
            continue
        start, duration = nanoseconds(event["ts"]), nanoseconds(event["dur"])
        thread = event["pid"], event["tid"]
        correlation = (event.get("args") or {}).get("correlation")
        if event.get("cat") == "cpu_op":
            operators[thread].append((start, -duration, event["name"]))
        elif event.get("cat") in ("cuda_runtime", "cuda_driver") and correlation:
            calls.setdefault(correlation, (start, thread))
        elif event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            tasks.append((correlation, duration))
    for listed in operators.values():
        listed.sort(key=lambda one: one[:2])  # Of two equal ones, the first in the file is outside.
    within, own = Counter(), Counter()
    for correlation, duration in tasks:
        if correlation not in calls:
            continue
        when, thread = calls[correlation]
        around = [name for start, minus, name in operators[thread] if start <= when < start - minus]
        if around:
            own[around[-1]] += duration
        for name in set(around):
            within[name] += duration
    return within, own


@pytest.mark.parametrize("name", TRACES)
def test_operators_have_the_device_time_that_another_reading_finds(name: str, build: Path) -> None:
    path = REAL / name
    if not path.exists():
        pytest.skip(f"{path} is missing")
    program = build / "tools" / "sightline"
    table = subprocess.run(
        [program, "profile", "ops", "--json", "--each", path],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    within, own = Counter(), Counter()
    for row in map(json.loads, table.splitlines()):
        within[row["name"]] += round(1000 * row.get("device_us", 0))
        own[row["name"]] += round(1000 * row.get("device_self_us", 0))
    assert (+within, +own) == tuple(+times for times in device_times(path))
    assert within.total() > 0

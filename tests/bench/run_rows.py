"""Rows of the read side above single files: what `sightline ls` takes for whole directories, beside TensorBoard."""

import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

from ours import Ours
from table import Row

EVENTS = 1_000_000
KIBI = 1024 / 1e6  # In MB.


@dataclass
class Cost:
    milliseconds: float
    cpu_milliseconds: float
    megabytes: float  # The most that was resident.


def cost_of(command: list[str | Path], repetitions: int) -> Cost:
    """Of a program from its start to its end: medians."""
    costs = []
    for _ in range(repetitions):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"{command} ended with {process.returncode}")
        costs.append((1e3 * seconds, 1e3 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss * KIBI))
    return Cost(*(statistics.median(column) for column in zip(*costs)))


def run_rows(ours: Ours, peers: Any | None) -> Iterator[Row]:
    runs = ours.scratch / "runs"
    ours.environment["SIGHTLINE_RUNS"] = str(runs)
    ours.environment["SIGHTLINE_RUN_EVENTS"] = str(EVENTS // 100 if ours.smoke else EVENTS)
    ours.benchmark("run_bench", "LeaveRuns")
    yield from program_rows(ours, runs, peers)
    one, two = (ours.benchmark("run_bench", f"OpenFiles/{threads}")["real_time"] for threads in (1, 2))
    yield Row("opening four files of a run, 4 M events: on two cores, times as fast", "", one / two, 1.7)
    follow = ours.benchmark("run_bench", "GrowingRun/Follow")["cpu_time"]
    anew = ours.benchmark("run_bench", "GrowingRun/OpenAnew")["cpu_time"]
    yield Row("following a run of 1 M points that grew by 100, CPU time", "us", follow, anew / 20, True, anew, "opening anew")
    p99 = ours.benchmark("run_bench", "ColumnsOfTenMillion")["p99_ms"]
    yield Row("10 M points in 1,000 columns, random ranges, p99 of CPU time", "ms", p99, 2, at_most=True)


def program_rows(ours: Ours, runs: Path, peers: Any | None) -> Iterator[Row]:
    program = ours.build / "tools" / "sightline"
    repetitions = 1 if ours.smoke else 9
    theirs = peers.opening(runs / "one", EVENTS // 100 if ours.smoke else EVENTS) if peers else {}
    ls = cost_of([program, "ls", "--json", runs / "one"], repetitions)
    verify = cost_of([program, "verify", "--json", runs / "one"], repetitions)
    yield Row("ls --json, 1 M one-scalar events, 50 MB", "ms", ls.milliseconds, 100, at_most=True)
    if theirs:
        yield Row("", "ms", ls.milliseconds, peer=theirs["Rust"], peer_name="TensorBoard (Rust), no checksums")
        yield Row("", "ms", ls.milliseconds, peer=theirs["EventAccumulator"], peer_name="EventAccumulator")
    yield Row("  CPU time", "ms", ls.cpu_milliseconds, 2 * verify.cpu_milliseconds, True, verify.cpu_milliseconds, "verify")
    yield Row("  memory at most", "MB", ls.megabytes)
    many = cost_of([program, "ls", "--json", runs / "many"], repetitions)
    yield Row("ls --json, 1,000 runs x 20 tags x 200 points, 171 MB", "ms", many.milliseconds, 400, at_most=True)
    yield Row("  CPU time", "ms", many.cpu_milliseconds)
    yield Row("  memory at most", "MB", many.megabytes)

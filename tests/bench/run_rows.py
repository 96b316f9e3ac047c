"""Rows of the read side above single files: what `sightline ls` takes for whole directories, beside TensorBoard."""

import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ours import Ours
from table import Row

EVENTS = 1_000_000
KIBI = 1024 / 1e6  # In MB.


@dataclass
class Cost:
    milliseconds: float
    cpu_milliseconds: float
    megabytes: float  # The most that was resident.


# Runs a program and prints what it took. A process of its own does that: what counts as the most memory of a program
# begins with that of the process that starts it, and this one has the peers' values.
WATCH = """
import os, sys, time
start = time.perf_counter()
out = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=out), 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


def cost_of(
    command: list[str | Path], repetitions: int, before: Callable[[], None] = lambda: None
) -> Cost:
    """Of a program from its start to its end: medians."""
    costs = []
    for _ in range(repetitions):
        before()
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", WATCH, *command],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        seconds, cpu_seconds, kibibytes = map(float, done.stdout.split())
        costs.append((1e3 * seconds, 1e3 * cpu_seconds, kibibytes * KIBI))
    return Cost(*(statistics.median(column) for column in zip(*costs)))


def run_rows(ours: Ours, peers: Any | None) -> Iterator[Row]:
    runs = ours.scratch / "runs"
    ours.environment["SIGHTLINE_RUNS"] = str(runs)
    ours.environment["SIGHTLINE_RUN_EVENTS"] = str(EVENTS // 100 if ours.smoke else EVENTS)
    ours.benchmark("run_bench", "LeaveRuns")
    yield from program_rows(ours, runs, peers)
    times_as_fast = ours.benchmark("run_bench", "OpenTwoFiles")["times_as_fast"]
    yield Row(
        "opening two files of a run, 20 M events: on two cores, times as fast",
        "",
        times_as_fast,
        1.7,
    )
    follow = ours.benchmark("run_bench", "GrowingRun/Follow")["cpu_time"]
    anew = ours.benchmark("run_bench", "GrowingRun/OpenAnew")["cpu_time"]
    yield Row(
        "following a run of 1 M points that grew by 100, CPU time",
        "us",
        follow,
        anew / 20,
        True,
        anew,
        "opening anew",
    )
    yield from large_rows(ours, runs)
    p99 = ours.benchmark("run_bench", "ColumnsOfTenMillion")["p99_ms"]
    yield Row(
        "10 M points in 1,000 columns, random ranges, p99 of CPU time", "ms", p99, 2, at_most=True
    )


def large_rows(ours: Ours, runs: Path) -> Iterator[Row]:
    """Runs of large values, and with more points than memory may hold."""
    ours.benchmark("large_run_bench", "LeaveLargeRuns")
    pictures = cost_of(
        [ours.build / "tools" / "sightline", "ls", "--json", "--no-index", runs / "pictures"],
        1 if ours.smoke else 5,
    )
    yield Row("ls --json, 5 GB of events of 150 KB", "ms", pictures.milliseconds, 500, at_most=True)
    hundred = ours.benchmark("large_run_bench", "HundredMillionPoints")
    yield Row(
        "100 M points below 512 MB: until every range is known",
        "s",
        hundred["cold_s"],
        15,
        at_most=True,
    )
    yield Row("  1,000 columns of random ranges, p99", "ms", hundred["p99_ms"], 20, at_most=True)
    yield Row("  memory at most", "MB", hundred["resident_mb"], 512, at_most=True)
    seen = ours.benchmark("large_run_bench", "FlushedUntilSeen")["p99_ms"]
    yield Row(
        "from the flush of a value until a listener has it, p99", "ms", seen, 50, at_most=True
    )


def program_rows(ours: Ours, runs: Path, peers: Any | None) -> Iterator[Row]:
    program = ours.build / "tools" / "sightline"
    repetitions = 1 if ours.smoke else 9
    theirs = peers.opening(runs / "one", EVENTS // 100 if ours.smoke else EVENTS) if peers else {}
    ls = cost_of([program, "ls", "--json", "--no-index", runs / "one"], repetitions)
    verify = cost_of([program, "verify", "--json", runs / "one"], repetitions)
    yield Row("ls --json, 1 M one-scalar events, 50 MB", "ms", ls.milliseconds, 100, at_most=True)
    if theirs:
        yield Row(
            "",
            "ms",
            ls.milliseconds,
            peer=theirs["Rust"],
            peer_name="TensorBoard (Rust), no checksums",
        )
        yield Row(
            "", "ms", ls.milliseconds, peer=theirs["EventAccumulator"], peer_name="EventAccumulator"
        )
    yield Row(
        "  CPU time",
        "ms",
        ls.cpu_milliseconds,
        2 * verify.cpu_milliseconds,
        True,
        verify.cpu_milliseconds,
        "verify",
    )
    yield Row("  memory at most", "MB", ls.megabytes)
    yield from index_rows(ours, runs / "one", "  1 M events", repetitions, None, 20, None)
    many = cost_of([program, "ls", "--json", "--no-index", runs / "many"], repetitions)
    yield Row(
        "ls --json, 1,000 runs x 20 tags x 200 points, 171 MB",
        "ms",
        many.milliseconds,
        400,
        at_most=True,
    )
    yield Row("  CPU time", "ms", many.cpu_milliseconds)
    yield Row("  memory at most", "MB", many.megabytes)
    yield from index_rows(ours, runs / "many", "  1,000 runs", repetitions, None, 150, None)
    yield from index_rows(
        ours,
        runs / "lineage",
        "ls --json, 100,000 runs x 20 keys, 3 tags x 10 points",
        1,
        20_000,
        3_000,
        250,
    )


def index_rows(
    ours: Ours,
    root: Path,
    name: str,
    repetitions: int,
    cold: float | None,
    warm: float,
    memory: float | None,
) -> Iterator[Row]:
    """The first opening, with the writing of the index behind its answer, and the second one."""
    index = ours.scratch / "index"
    command: list[str | Path] = [
        ours.build / "tools" / "sightline",
        "ls",
        "--json",
        "--index-dir",
        index,
        root,
    ]
    first = cost_of(command, repetitions, before=lambda: shutil.rmtree(index, ignore_errors=True))
    second = cost_of(command, repetitions)
    yield Row(f"{name}: first, with its index", "ms", first.milliseconds, cold, at_most=True)
    yield Row("  its CPU time", "ms", first.cpu_milliseconds)
    yield Row("  its memory at most", "MB", first.megabytes, memory, at_most=True)
    yield Row(f"{name}: second", "ms", second.milliseconds, warm, at_most=True)
    yield Row("  its CPU time", "ms", second.cpu_milliseconds)
    yield Row("  its memory at most", "MB", second.megabytes, memory, at_most=True)
    megabytes = sum(file.stat().st_size for file in index.iterdir()) / 1e6
    yield Row("  the index", "MB", megabytes)

#!/usr/bin/env python3
"""Measures what sightline.mindspore.SummaryMonitor costs a training, and prints a table.

Trains LeNet (batch 32, graph mode, CPU) with every step recorded in alternating blocks of ten steps: the callback is
called in one block and left out in the next, since two processes with the same callback differ by more than it costs.
Run it on a quiet machine with a Python that has MindSpore and the package, as tests/python/run.sh makes one:

    build/python/environment-mindspore-2.7.0/bin/python tests/bench/mindspore_overhead.py

A block's mean step is divided by the geometric mean of those of the blocks before and behind it, which takes the
machine's drift out; a run's ratio is the mean of the middle half of its blocks, and "ratio" the mean of the runs, with
its standard error. Blocks of one training differ by a third, so that a run alone says nothing: a row is run until its
ratio is three errors away from what it must reach, or --runs times. The row "nothing", where the callback is left out of
both kinds of blocks, shows what the method makes of no cost at all. Exit code: 0 every figure reaches what it must, 1 one
misses it (--smoke: one short run each, and nothing can miss).
"""

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "mindspore_callback"))
BLOCK = 10
WARM_UP = 20  # Compilation and the first recordings.
STEPS_PER_EPOCH = 100
STEPS = 700  # Of seven epochs, three of the six later ones begin with the callback.

NOTHING = {"keep_default_action": False, "collect_freq": 1, "say": lambda line: None}
# What is recorded, and the ratio that it must stay below.
ROWS = {
    "nothing": ({}, math.inf),
    "loss": ({"collect_metric": True}, 1.01),
    "loss, five histograms": ({"collect_metric": True, "collect_histograms": True}, 1.05),
    "loss, five histograms, input images": (
        {"collect_metric": True, "collect_histograms": True, "collect_input_data": True},
        1.15,
    ),
}
MIN_RUNS = 5
MAX_CALL_MICROSECONDS = 200
MAX_START_SECONDS = 0.3

START = """
import time, sys
import mindspore
begin = time.perf_counter()
from sightline.mindspore import SummaryMonitor
imported = time.perf_counter()
SummaryMonitor(sys.argv[1], say=lambda line: None)
print(imported - begin, time.perf_counter() - imported)
"""


def start_seconds(directory: Path) -> tuple[float, float]:
    """Importing the callback where MindSpore is imported, and making one."""
    done = subprocess.run([sys.executable, "-c", START, directory], check=True, stdout=subprocess.PIPE, text=True)
    imported, made = map(float, done.stdout.split())
    return imported, made


def children() -> str:
    return Path("/proc/self/task", str(Path("/proc/self").resolve().name), "children").read_text()


def ratio_of(off: dict[int, list[float]], on: dict[int, list[float]]) -> float:
    """Of the steps' times in the blocks `on`, with the callback, to those in the blocks `off` beside them."""
    logs_off, logs_on = ({number: math.log(statistics.fmean(times)) for number, times in each.items()} for each in (off, on))
    differences = []
    for here, other, sign in (logs_on, logs_off, 1), (logs_off, logs_on, -1):
        for number, log in here.items():
            beside = (number - 1, number + 1)
            if all(each in other for each in beside):
                differences.append(sign * (log - statistics.fmean(other[each] for each in beside)))
    differences.sort()
    quarter = len(differences) // 4
    return math.exp(statistics.fmean(differences[quarter : len(differences) - quarter]))


def run(what: dict[str, bool], steps: int, directory: Path) -> tuple[float, float, float]:
    """(ratio, microseconds in the callback, microseconds of CPU time of the workers), the latter two a recorded step."""
    import mindspore as ms
    import networks

    from sightline.mindspore import SummaryMonitor

    class Alternate(ms.Callback):
        """Calls the monitor in every other block."""

        def __init__(self, monitor):
            super().__init__()
            self.monitor = monitor
            # Without and with the callback: the steps' times by block, and what the callback took of each.
            self.blocks: tuple[dict[int, list[float]], ...] = {}, {}
            self.calls: tuple[list[float], ...] = [], []
            self.last = 0.0

        def on_train_begin(self, run_context):
            self.monitor.on_train_begin(run_context)

        def on_train_step_end(self, run_context):
            step = run_context.original_args()["cur_step_num"]
            # An epoch begins slowly, since MindSpore starts the dataset's pipeline anew: with the callback in one epoch,
            # without it in the next.
            block = step // BLOCK
            on = (block + step // STEPS_PER_EPOCH) % 2 == 0
            begin = time.perf_counter()
            if on and what:
                self.monitor.on_train_step_end(run_context)
            end = time.perf_counter()
            # The first step of a block may still wait for what the workers do for the block before. What is noted is the
            # same in both kinds of blocks: it is part of the next step's time.
            if step > WARM_UP and step % BLOCK != 0:
                self.blocks[on].setdefault(block, []).append(end - self.last)
                self.calls[on].append(end - begin)
            self.last = end

        def on_train_end(self, run_context):
            self.monitor.on_train_end(run_context)

    monitor = SummaryMonitor(directory, collect_specified_data=what, **NOTHING)
    alternate = Alternate(monitor)
    ms.set_seed(1)
    model = networks.model(networks.LeNet5())
    before = children()
    epochs = max(1, steps // STEPS_PER_EPOCH)
    data = networks.patterns(min(steps, STEPS_PER_EPOCH))
    model.train(epochs, data, callbacks=[alternate], dataset_sink_mode=False)
    assert children() == before, "recording started a process"
    stats = monitor.stats
    assert stats.first_error is None, stats.first_error
    ratio = ratio_of(*alternate.blocks)
    workers = stats.worker_seconds / stats.accepted_events if stats.accepted_events else 0.0
    return ratio, np.mean(alternate.calls[True]) * 1e6, workers * 1e6


def ratios_of(results: list[tuple[float, float, float]]) -> list[float]:
    return [ratio for ratio, _, _ in results]


def mean_and_error(ratios: list[float]) -> tuple[float, float]:
    error = statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.nan
    return statistics.fmean(ratios), error


def is_decided(ratios: list[float], target: float) -> bool:
    """Never where there is no target: such a row is run as often as any other."""
    if len(ratios) < MIN_RUNS or math.isinf(target):
        return False
    ratio, error = mean_and_error(ratios)
    return abs(ratio - target) > 3 * error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="one short run each; no figure can miss")
    parser.add_argument("--runs", type=int, default=100, help="at most so many of each row")
    arguments = parser.parse_args()
    runs, steps = (1, 100) if arguments.smoke else (arguments.runs, STEPS)

    missed = []
    results: dict[str, list[tuple[float, float, float]]] = {name: [] for name in ROWS}
    with tempfile.TemporaryDirectory(prefix="sightline_bench_", dir="/dev/shm") as scratch:
        imported, made = start_seconds(Path(scratch) / "start")
        for index in range(runs):
            undecided = [name for name, (_, target) in ROWS.items() if not is_decided(ratios_of(results[name]), target)]
            if undecided == ["nothing"]:
                break
            for name in undecided:
                results[name].append(run(ROWS[name][0], steps, Path(scratch) / f"{index}-{name}"))
    print(f"{'every step recorded':<38}{'runs':>5}{'ratio':>8}{'error':>8}{'must reach':>12}{'callback us':>13}{'workers us':>12}")
    for name, (_, target) in ROWS.items():
        ratio, error = mean_and_error(ratios_of(results[name]))
        _, calls, workers = zip(*results[name])
        call = statistics.median(calls)
        if ratio > target or call > MAX_CALL_MICROSECONDS:
            missed.append(name)
        must = "" if math.isinf(target) else f"{target:.2f}"
        print(
            f"{name:<38}{len(calls):>5}{ratio:>8.4f}{error:>8.4f}{must:>12}{call:>13.0f}{statistics.median(workers):>12.0f}"
        )
    print(f"import beside MindSpore: {imported:.3f} s, construction: {made:.3f} s, at most {MAX_START_SECONDS} s together")
    if imported + made > MAX_START_SECONDS:
        missed.append("import and construction")
    if arguments.smoke:
        print("Everything ran. (Shortened: the figures say nothing.)")
        return 0
    for name in missed:
        print(f"missed: {name}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

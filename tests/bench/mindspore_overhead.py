#!/usr/bin/env python3
"""Measures what sightline.mindspore.SummaryMonitor and a profile with step marks cost a training, and prints a table.

Trains LeNet (batch 32, graph mode, CPU) with every step recorded in alternating blocks of ten steps: the callback is
called in one block and left out in the next, since two processes with the same callback differ by more than it costs.
Run it on a quiet machine with a Python that has MindSpore and the package, as tests/python/run.sh makes one:

    build/python/environment-mindspore-2.7.0/bin/python tests/bench/mindspore_overhead.py

A block's mean step is divided by the geometric mean of those of the blocks before and behind it, which takes the
machine's drift out; a run's ratio is the mean of the middle half of its blocks, and "ratio" the mean of the runs, with
its standard error. Blocks of one training differ by a third, so that a run alone says nothing: a row is run until its
ratio is three errors away from what it must reach, or --runs times. The row "nothing", where the callback is left out of
both kinds of blocks, shows what the method makes of no cost at all. A profile is started and stopped at the borders of
its blocks, ours with a mark for each step and samples of the system every 100 ms. MindSpore's own Profiler and its
SummaryCollector are there for comparison, once each; the collector writes in processes of its own while the training goes
on, so its ratio is that of a training with it to one without. Exit code: 0 every figure reaches what it must, 1 one misses
it (--smoke: one short run each, and nothing can miss).
"""

import argparse
import math
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
PROFILE, THEIRS, COLLECTOR = (
    "a profile with step marks",
    "MindSpore's Profiler",
    "MindSpore's SummaryCollector",
)
COLLECTOR_STEPS = 300
# Of every kind of row: what it must stay below.
TARGETS = {name: target for name, (_, target) in ROWS.items()} | {PROFILE: 1.01, THEIRS: math.inf}
MIN_RUNS = 12  # Fewer may lie close together by chance, and so decide too early.
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
    done = subprocess.run(
        [sys.executable, "-c", START, directory], check=True, stdout=subprocess.PIPE, text=True
    )
    imported, made = map(float, done.stdout.split())
    return imported, made


def children() -> str:
    return Path("/proc/self/task", str(Path("/proc/self").resolve().name), "children").read_text()


def ratio_of(off: dict[int, list[float]], on: dict[int, list[float]]) -> float:
    """Of the steps' times in the blocks `on`, with the callback, to those in the blocks `off` beside them."""
    logs_off, logs_on = (
        {number: math.log(statistics.fmean(times)) for number, times in each.items()}
        for each in (off, on)
    )
    differences = []
    for here, other, sign in (logs_on, logs_off, 1), (logs_off, logs_on, -1):
        for number, log in here.items():
            beside = (number - 1, number + 1)
            if all(each in other for each in beside):
                differences.append(sign * (log - statistics.fmean(other[each] for each in beside)))
    differences.sort()
    quarter = len(differences) // 4
    return math.exp(statistics.fmean(differences[quarter : len(differences) - quarter]))


def train(make: Callable[[Any], Any], steps: int, left_out: bool) -> tuple[Any, Any]:
    """A training with the callback that `make` makes in every other block, or in none where it is left out: that
    callback, and what was measured."""
    import mindspore as ms
    import networks

    class Alternate(ms.Callback):
        def __init__(self, callback):
            super().__init__()
            self.callback = callback
            # Without and with the callback: the steps' times by block, and what the callback took of each.
            self.blocks: tuple[dict[int, list[float]], ...] = {}, {}
            self.calls: tuple[list[float], ...] = [], []
            self.last = 0.0

        def on_train_begin(self, run_context):
            self.callback.on_train_begin(run_context)

        def on_train_step_begin(self, run_context):
            if isinstance(self.callback, Profiling):
                self.callback.on_train_step_begin(run_context)

        def on_train_step_end(self, run_context):
            step = run_context.original_args()["cur_step_num"]
            # An epoch begins slowly, since MindSpore starts the dataset's pipeline anew: with the callback in one epoch,
            # without it in the next.
            block = step // BLOCK
            on = (block + step // STEPS_PER_EPOCH) % 2 == 0
            begin = time.perf_counter()
            if isinstance(self.callback, Profiling):
                self.callback.on_step_end(on)
            elif on and not left_out:
                self.callback.on_train_step_end(run_context)
            end = time.perf_counter()
            # The first step of a block may still wait for what the workers do for the block before. What is noted is the
            # same in both kinds of blocks: it is part of the next step's time.
            if step > WARM_UP and step % BLOCK != 0:
                self.blocks[on].setdefault(block, []).append(end - self.last)
                self.calls[on].append(end - begin)
            self.last = end

        def on_train_end(self, run_context):
            self.callback.on_train_end(run_context)

    class Profiling(ms.Callback):
        """Records within the blocks that are on, and starts and stops with a block's first step, which is not counted."""

        def __init__(self, start, stop, mark, unmark):
            super().__init__()
            self.start, self.stop, self.mark, self.unmark = start, stop, mark, unmark
            self.runs = False

        def on_train_step_begin(self, run_context):
            if self.runs:
                self.mark(run_context.original_args()["cur_step_num"])

        def on_step_end(self, on):
            if self.runs:
                self.unmark()
            if self.runs != on:
                self.runs = on
                (self.start if on else self.stop)()

        def on_train_end(self, run_context):
            if self.runs:
                self.runs = False
                self.stop()

    callback = make(Profiling)
    alternate = Alternate(callback)
    ms.set_seed(1)
    model = networks.model(networks.LeNet5())
    before = children()
    epochs = max(1, steps // STEPS_PER_EPOCH)
    data = networks.patterns(min(steps, STEPS_PER_EPOCH))
    model.train(epochs, data, callbacks=[alternate], dataset_sink_mode=False)
    assert children() == before, "recording started a process"
    return callback, alternate


def run(name: str, steps: int, directory: Path) -> tuple[float, float, float]:
    """(ratio, microseconds in the callback, microseconds of CPU time of the workers), the latter two a recorded step."""
    from sightline import profiler
    from sightline.mindspore import SummaryMonitor

    directory.mkdir()
    recorded = profiler.profile(str(directory))

    def theirs(profiling):
        from mindspore import Profiler

        # A second one in a process fails in MindSpore 2.7; a second session of one writes over the first.
        one = Profiler(start_profile=False, output_path=str(directory))
        return profiling(one.start, one.stop, lambda step: None, lambda: None)

    def make(profiling):
        if name == PROFILE:
            return profiling(recorded.start, recorded.stop, profiler.begin_step, profiler.end_step)
        if name == THEIRS:
            return theirs(profiling)
        return SummaryMonitor(directory, collect_specified_data=ROWS[name][0], **NOTHING)

    callback, alternate = train(make, steps, name == "nothing")
    workers = 0.0
    if name in ROWS:
        stats = callback.stats
        assert stats.first_error is None, stats.first_error
        workers = stats.worker_seconds / stats.accepted_events if stats.accepted_events else 0.0
    return ratio_of(*alternate.blocks), np.mean(alternate.calls[True]) * 1e6, workers * 1e6


def collector_ratio(steps: int, directory: Path) -> float:
    """Of the mean step with MindSpore's SummaryCollector, every step recorded, to the mean step of a training without."""
    import mindspore as ms
    import networks

    class Steps(ms.Callback):
        def __init__(self):
            super().__init__()
            self.ends: list[float] = []

        def on_train_step_end(self, run_context):
            self.ends.append(time.perf_counter())

    def mean_step(callbacks: list[Any]) -> float:
        clock = Steps()
        ms.set_seed(1)
        data = networks.patterns(steps + WARM_UP)
        networks.model(networks.LeNet5()).train(
            1, data, callbacks=[*callbacks, clock], dataset_sink_mode=False
        )
        return (clock.ends[-1] - clock.ends[WARM_UP - 1]) / steps

    without = mean_step([])
    return mean_step([ms.SummaryCollector(str(directory), collect_freq=1)]) / without


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--smoke", action="store_true", help="one short run each; no figure can miss"
    )
    parser.add_argument("--runs", type=int, default=100, help="at most so many of each row")
    arguments = parser.parse_args()
    runs, steps = (1, 100) if arguments.smoke else (arguments.runs, STEPS)

    missed = []
    results: dict[str, list[tuple[float, float, float]]] = {name: [] for name in TARGETS}
    with tempfile.TemporaryDirectory(prefix="sightline_bench_", dir="/dev/shm") as scratch:
        imported, made = start_seconds(Path(scratch) / "start")
        for index in range(runs):
            undecided = [
                name
                for name, target in TARGETS.items()
                if not is_decided(ratios_of(results[name]), target)
            ]
            if all(math.isinf(TARGETS[name]) for name in undecided):
                break
            for name in undecided:
                if name != THEIRS or index == 0:
                    # MindSpore's Profiler refuses a path with a space or an apostrophe.
                    folder = Path(scratch) / f"{index}-{re.sub(r'[^A-Za-z0-9]+', '-', name)}"
                    results[name].append(run(name, steps, folder))
        collected = collector_ratio(
            COLLECTOR_STEPS if not arguments.smoke else BLOCK, Path(scratch) / "collector"
        )
    print(
        f"{'every step recorded':<38}{'runs':>5}{'ratio':>8}{'error':>8}{'must reach':>12}{'callback us':>13}{'workers us':>12}"
    )
    for name, target in TARGETS.items():
        ratio, error = mean_and_error(ratios_of(results[name]))
        _, calls, workers = zip(*results[name])
        call = statistics.median(calls)
        if ratio > target or (name != THEIRS and call > MAX_CALL_MICROSECONDS):
            missed.append(name)
        must = "" if math.isinf(target) else f"{target:.2f}"
        print(
            f"{name:<38}{len(calls):>5}{ratio:>8.4f}{error:>8.4f}{must:>12}{call:>13.0f}{statistics.median(workers):>12.0f}"
        )
    print(f"{COLLECTOR:<38}{1:>5}{collected:>8.1f}")
    print(
        f"import beside MindSpore: {imported:.3f} s, construction: {made:.3f} s, at most {MAX_START_SECONDS} s together"
    )
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

#!/usr/bin/env python3
"""Measures what recording costs a Python program, beside tensorboardX and PyTorch's SummaryWriter where they can be
imported, and prints a table; and what a span costs, beside PyTorch's record_function, which must be there.

Run it with a Python that has the package installed, on a quiet machine:  python tests/bench/python_bench.py
"wall" is what a loop of nothing but such calls takes, the recorder's own threads beside it; "caller" is the CPU time of
the calling thread, which is what a training loop pays. Exit code: 0 every figure reaches what it must, 1 one misses it
(--smoke: few calls, and nothing can miss).
"""

import argparse
import importlib
import importlib.util
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import sightline
from sightline import profiler

# Pages of stacks and of allocators come and go; a byte a step would be 98 KiB.
MAX_GROWN_KIB = 96
# What a call that copies an array may take, in plain copies of it.
MAX_COPIES = 1.2
# What a recorded span may take, in microseconds.
MAX_SPAN = 0.5
# Millions a second.
MIN_PARQUET_POINTS = 3.0


def rates(call: Callable[[int], object], calls: int) -> tuple[float, float]:
    """Calls a second: by the clock, and by the CPU time of this thread; the best of five."""
    wall, caller = [], []
    for _ in range(5):
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        call(calls)
        caller.append(time.thread_time() - begin_cpu)
        wall.append(time.perf_counter() - begin)
    return calls / min(wall), calls / min(caller)


def scalars(
    recorder: sightline.Recorder, tag: "str | sightline.Tag", value: object
) -> Callable[[int], None]:
    def run(calls: int) -> None:
        for step in range(calls):
            recorder.add_scalar(tag, step, value)
        recorder.flush()

    return run


def measure(directory: Path, smoke: bool) -> bool:
    calls = 10_000 if smoke else 1_000_000
    good = True
    print(f"{'call':<44}{'wall M/s':>10}{'caller M/s':>12}{'must reach':>12}")
    with sightline.Recorder(
        directory / "ours", formats="tensorboard", buffer_bytes=1 << 28
    ) as recorder:
        tag = recorder.intern("loss")
        for name, argument, value, target in (
            ("add_scalar(Tag, step, float)", tag, 0.5, 5.0),
            ("add_scalar(Tag, step, np.float32)", tag, np.float32(0.5), 3.0),
            ("add_scalar(Tag, step, np.float64)", tag, np.float64(0.5), 3.0),
            ("add_scalar(str, step, float)", "loss", 0.5, None),
        ):
            wall, caller = (rate / 1e6 for rate in rates(scalars(recorder, argument, value), calls))
            reached = target is None or wall >= target
            good = good and reached
            print(
                f"{name:<44}{wall:>10.2f}{caller:>12.2f}{target or '':>12}{'' if reached else '  MISSED'}"
            )
        assert recorder.stats.first_error is None, recorder.stats.first_error

    peers = {"tensorboardX": "tensorboardX", "torch": "torch.utils.tensorboard"}
    for peer in [peer for peer in peers if not importlib.util.find_spec(peer)]:
        print(f"{peer} is not installed here: not measured")
        del peers[peer]
    good = (
        captured(
            directory, {peer: importlib.import_module(peers[peer]) for peer in peers}, calls // 50
        )
        and good
    )

    kib = resident_growth(directory / "long", 2_000 if smoke else 100_000)
    reached = smoke or kib <= MAX_GROWN_KIB
    good = good and reached
    print(
        f"\n{'resident memory, growth over 100,000 recorded steps':<56}{kib:>7.0f} KiB, at most {MAX_GROWN_KIB}{'' if reached else '  MISSED'}"
    )

    good = spans(directory / "profile", smoke) and good
    good = arrays(directory / "arrays", smoke) and good
    return parquet(directory / "parquet", smoke) and good


def captured(directory: Path, peers: dict[str, Any], calls: int) -> bool:
    """The peers' add_scalar, as it is and with its events captured, which must not cost the caller more."""

    def measured(name: str, module: Any, must_reach: float) -> float:
        with module.SummaryWriter(str(directory / name)) as writer:
            wall, caller = (rate / 1e6 for rate in rates(peer_scalars(writer), calls))
        missed = "  MISSED" if caller < must_reach else ""
        target = f"{must_reach:.4f}" if must_reach else ""
        print(
            f"{name + ': add_scalar(str, float, step)':<44}{wall:>10.4f}{caller:>12.4f}{target:>12}{missed}"
        )
        return caller

    theirs = {peer: measured(peer, module, 0) for peer, module in peers.items()}
    sightline.capture()
    ours = {
        peer: measured(peer + " captured", module, theirs[peer]) for peer, module in peers.items()
    }
    return all(ours[peer] >= theirs[peer] for peer in peers)


def span_microseconds(
    make: Callable[[str], AbstractContextManager[object]], calls: int = 20_000
) -> float:
    """CPU time of one `with make("span")` without the loop around it: the best of ten bursts that a ring holds."""
    best_loop, best = float("inf"), float("inf")
    for _ in range(10):
        begin = time.thread_time()
        for _ in range(calls):
            pass
        between = time.thread_time()
        for _ in range(calls):
            with make("span"):
                pass
        best = min(best, time.thread_time() - between)
        best_loop = min(best_loop, between - begin)
        time.sleep(0.03)  # The writer's thread empties the ring.
    return (best - best_loop) / calls * 1e6


def spans(directory: Path, smoke: bool) -> bool:
    off = span_microseconds(profiler.span)
    with profiler.profile(str(directory)) as recording:
        on = span_microseconds(profiler.span)
    assert recording.stats.dropped == 0, recording.stats.dropped
    reached = smoke or on <= MAX_SPAN
    print(
        f"\n{'with span(name), CPU time':<44}{on:>10.3f} us, at most {MAX_SPAN}{'' if reached else '  MISSED'}; {off:.3f} us while no profile is recorded"
    )
    if not importlib.util.find_spec("torch"):
        print("PyTorch's record_function cannot run here: torch is not installed")
        return False
    torch = importlib.import_module("torch.profiler")
    with torch.profile(activities=[torch.ProfilerActivity.CPU]):
        peer = span_microseconds(torch.record_function, 2_000)
    print(
        f"{'PyTorch: with record_function(name)':<44}{peer:>10.3f} us, {peer / on:.1f} times as much"
    )
    return reached


def arrays(directory: Path, smoke: bool) -> bool:
    """Calls with a large array beside a plain copy of it into memory that is mapped already, which is what a call makes
    of it: np.copyto. The copies alternate with the calls, since the speed of memory changes while others use it."""
    array = np.ones((1 if smoke else 16) << 20, np.float32)
    copied = np.empty_like(array)
    good = True
    print(
        f"\n{'call, with ' + str(array.nbytes >> 20) + ' MiB of float32':<44}{'wall ms':>10}{'CPU ms':>10}{'GB/s':>10}{'of a copy':>12}{'at most':>12}"
    )
    with sightline.Recorder(directory, formats="tensorboard", buffer_bytes=1 << 30) as recorder:

        def row(what: str, call: Callable[[int], object], most: float | None = None) -> bool:
            (ms, cpu_ms), (copy_ms, _) = best_ms(
                [call, lambda step: np.copyto(copied, array)], recorder.flush
            )
            reached = smoke or most is None or ms <= most * copy_ms
            print(
                f"{what:<44}{ms:>10.3f}{cpu_ms:>10.3f}{array.nbytes / ms / 1e6:>10.1f}{ms / copy_ms:>12.2f}{most or '':>12}"
                f"{'' if reached else '  MISSED'}"
            )
            return reached

        row("array.copy(), into fresh memory", lambda step: array.copy())
        for name, call in (
            ("add_tensor", recorder.add_tensor),
            ("add_histogram", recorder.add_histogram),
        ):
            good = (
                row(f"{name}(str, step, array)", lambda step: call("t", step, array), MAX_COPIES)
                and good
            )
        assert recorder.stats.first_error is None, recorder.stats.first_error
    return good


def parquet(directory: Path, smoke: bool) -> bool:
    """sightline.export of 1,000 runs with 20 tags of 200 points each, start of Python included; the best of three."""
    if not importlib.util.find_spec("pyarrow"):
        print("\npyarrow is not installed here: Parquet is not measured")
        return True
    runs, tags, steps = (10 if smoke else 1000), 20, 200
    for number in range(runs):
        with sightline.Recorder(
            directory / "runs" / f"{number:04}", buffer_bytes=1 << 20
        ) as recorder:
            for step in range(steps):
                for tag in range(tags):
                    recorder.add_scalar(f"metric/{tag}", step, step / (tag + 1))
    command = [
        sys.executable,
        "-m",
        "sightline.export",
        directory / "runs",
        "--format",
        "parquet",
        "-o",
        directory / "out",
        "--force",
    ]
    wall, cpu = [], []
    for _ in range(1 if smoke else 3):
        begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wall.append(time.perf_counter() - begin)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    points = runs * tags * steps / 1e6
    reached = smoke or points / min(wall) >= MIN_PARQUET_POINTS
    print(
        f"\n{'Parquet of ' + str(runs) + ' runs':<44}{points / min(wall):>10.2f} M points/s, {points / min(cpu):.2f} by CPU time; "
        f"must reach {MIN_PARQUET_POINTS}{'' if reached else '  MISSED'}"
    )
    return reached


def resident_kib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024


def resident_growth(directory: Path, steps: int) -> float:
    """KiB after so many steps of every kind, against what it was after a warm-up."""
    weights = np.ones((16, 16), np.float32)
    with sightline.SummaryMonitor(
        directory, collect_freq=1, collect_tensor_freq=1, say=lambda line: None
    ) as monitor:
        warm_up = steps // 5
        for step in range(1, warm_up + steps + 1):
            monitor.end_step(
                step,
                loss=1 / step,
                learning_rate=0.1,
                input=weights.reshape(1, 1, 16, 16),
                parameters={"weight": weights},
                tensors=lambda: {"activation": weights},
            )
            if step == warm_up:
                before = resident_kib()
        assert monitor.stats.first_error is None, monitor.stats.first_error
        return resident_kib() - before


def peer_scalars(writer: Any) -> Callable[[int], None]:
    def run(calls: int) -> None:
        for step in range(calls):
            writer.add_scalar("loss", 0.5, step)

    return run


def best_ms(
    calls: list[Callable[[int], object]], between: Callable[[], object]
) -> list[tuple[float, float]]:
    """Of each call the best of fifteen, taken in turns: by the clock, and of this thread's CPU time."""
    best = [(float("inf"), float("inf"))] * len(calls)
    for step in range(15):
        for i, call in enumerate(calls):
            begin, begin_cpu = time.perf_counter(), time.thread_time()
            call(step)
            cpu_ms, ms = (time.thread_time() - begin_cpu) * 1e3, (time.perf_counter() - begin) * 1e3
            best[i] = (min(best[i][0], ms), min(best[i][1], cpu_ms))
            between()
    return best


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--smoke", action="store_true", help="few calls; no figure can miss")
    parser.add_argument(
        "--packages",
        action="append",
        default=[],
        help="a folder of packages behind this Python's own",
    )
    arguments = parser.parse_args()
    smoke = arguments.smoke
    sys.path += arguments.packages
    directory = Path(tempfile.mkdtemp(dir="/dev/shm"))
    try:
        return 0 if measure(directory, smoke) or smoke else 1
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    sys.exit(main())

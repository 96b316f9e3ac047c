#!/usr/bin/env python3
"""Measures what recording costs a Python program, beside tensorboardX where that can be imported, and prints a table.

Run it with a Python that has the package installed, on a quiet machine:  python tests/bench/python_bench.py
"wall" is what a loop of nothing but such calls takes, the recorder's own threads beside it; "caller" is the CPU time of
the calling thread, which is what a training loop pays. Exit code: 0 every figure reaches what it must, 1 one misses it
(--smoke: few calls, and nothing can miss).
"""

import argparse
import importlib.util
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sightline


def rates(call: Callable[[int], object], calls: int) -> tuple[float, float]:
    """Calls a second: by the clock, and by the CPU time of this thread; the best of five."""
    wall, caller = [], []
    for _ in range(5):
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        call(calls)
        caller.append(time.thread_time() - begin_cpu)
        wall.append(time.perf_counter() - begin)
    return calls / min(wall), calls / min(caller)


def scalars(recorder: sightline.Recorder, tag: "str | sightline.Tag", value: object) -> Callable[[int], None]:
    def run(calls: int) -> None:
        for step in range(calls):
            recorder.add_scalar(tag, step, value)
        recorder.flush()

    return run


def measure(directory: Path, smoke: bool) -> bool:
    calls = 10_000 if smoke else 1_000_000
    good = True
    print(f"{'call':<44}{'wall M/s':>10}{'caller M/s':>12}{'must reach':>12}")
    with sightline.Recorder(directory / "ours", formats="tensorboard", buffer_bytes=1 << 28) as recorder:
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
            print(f"{name:<44}{wall:>10.2f}{caller:>12.2f}{target or '':>12}{'' if reached else '  MISSED'}")
        assert recorder.stats.first_error is None, recorder.stats.first_error

    if importlib.util.find_spec("tensorboardX"):
        from tensorboardX import SummaryWriter

        with SummaryWriter(str(directory / "peer")) as writer:

            def peer(calls: int) -> None:
                for step in range(calls):
                    writer.add_scalar("loss", 0.5, step)

            wall, caller = (rate / 1e6 for rate in rates(peer, calls // 50))
            print(f"{'tensorboardX: add_scalar(str, float, step)':<44}{wall:>10.4f}{caller:>12.4f}")
    else:
        print("tensorboardX is not installed here: not measured")

    array = np.ones((1 if smoke else 16) << 20, np.float32)
    with sightline.Recorder(directory / "tensors", formats="tensorboard", buffer_bytes=1 << 30) as recorder:
        for copy in (True, False):
            seconds = []
            for step in range(5):
                begin = time.perf_counter()
                recorder.add_tensor("t", step, array, copy=copy)
                seconds.append(time.perf_counter() - begin)
                recorder.flush()
            print(f"add_tensor of {array.nbytes >> 20} MiB, copy={copy}: {min(seconds) * 1e3:.3f} ms")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="few calls; no figure can miss")
    smoke = parser.parse_args().smoke
    directory = Path(tempfile.mkdtemp(dir="/dev/shm"))
    try:
        return 0 if measure(directory, smoke) or smoke else 1
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    sys.exit(main())

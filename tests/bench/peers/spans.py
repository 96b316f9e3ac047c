"""What a recorded span costs its thread with the peers, in nanoseconds of CPU time."""

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


class CannotRun(Exception):
    """The reason, in words."""


def record_function(scratch: Path) -> float:
    """In the system's Python, whose package python3-torch tools/setup.sh --all installs."""
    done = subprocess.run(["/usr/bin/python3", __file__], capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotRun(last_line(done.stderr))
    return float(done.stdout)


def perfetto(scratch: Path) -> float:
    return native(scratch)["perfetto"]


def tracy(scratch: Path) -> float:
    return native(scratch)["tracy"]


@functools.cache
def native(scratch: Path) -> dict[str, float]:
    """Builds for minutes. Their crates need Rust 1.82, which Debian 12 does not have, so nothing installs it."""
    if not shutil.which("cargo"):
        raise CannotRun("cargo, of Rust 1.82 or later, is not installed")
    manifest = HERE / "spans" / "Cargo.toml"
    command = [
        "cargo",
        "run",
        "--release",
        "--quiet",
        "--locked",
        "--manifest-path",
        manifest,
        "--target-dir",
        scratch / "spans",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotRun(last_line(done.stderr))
    return json.loads(done.stdout)


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it failed without a word"])[-1]


def measure_record_function() -> float:
    import time

    from torch.profiler import ProfilerActivity, profile, record_function

    calls = 2000
    best = float("inf")
    with profile(activities=[ProfilerActivity.CPU]):
        for _ in range(10):
            begin = time.thread_time_ns()
            for _ in range(calls):
                with record_function("span"):
                    pass
            best = min(best, (time.thread_time_ns() - begin) / calls)
    return best


if __name__ == "__main__":
    sys.path.pop(0)  # This folder, whose names are not those of packages.
    print(measure_record_function())

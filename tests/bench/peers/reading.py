"""How fast the readers of the `tensorboard` package read a directory of one-scalar events."""

import re
import subprocess
import time
from pathlib import Path

import tensorboard_data_server
from tensorboard.backend.event_processing.event_accumulator import SCALARS, EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader


def python_events_per_second(file: Path, count: int) -> float:
    """TensorBoard's Python loader: frames only, no event is parsed."""
    start = time.perf_counter()
    read = sum(1 for _ in RawEventFileLoader(str(file)).Load()) - 1  # The version record.
    seconds = time.perf_counter() - start
    if read != count:
        raise RuntimeError(f"TensorBoard read {read} of {count} events")
    return count / seconds


def accumulator_seconds(directory: Path, count: int) -> float:
    """TensorBoard's EventAccumulator, which is told to keep every point."""
    start = time.perf_counter()
    accumulator = EventAccumulator(str(directory), size_guidance={SCALARS: 0}).Reload()
    seconds = time.perf_counter() - start
    (tag,) = accumulator.Tags()["scalars"] or accumulator.Tags()["tensors"]
    if len(accumulator.Scalars(tag)) != count:
        raise RuntimeError(
            f"EventAccumulator has {len(accumulator.Scalars(tag))} of {count} points"
        )
    return seconds


def server_events_per_second(directory: Path, count: int, checksums: bool) -> float:
    """TensorBoard's data server (Rust) loading `count` events, of which it keeps a sample; by its own clock."""
    flag = "--checksum" if checksums else "--no-checksum"
    command = [
        tensorboard_data_server.server_binary(),
        "--logdir",
        directory,
        "--port",
        "0",
        "--reload",
        "once",
        "-v",
        flag,
    ]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as server:
        for line in server.stderr:
            if match := re.search(r"Finished load cycle \(([0-9.]+)(ms|s)\)", line):
                server.kill()
                return count / (float(match[1]) * (1e-3 if match[2] == "ms" else 1))
    raise RuntimeError(f"the data server ended without loading {directory}")

"""What the writers' scripts share: values that are easy to recognise, and `main`."""

import inspect
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

# What was written: kind -> tag -> step -> value. The forms of the values are those of readings.py.
Written = dict[str, dict[str, dict[int, Any]]]

LOSSES = {1: 0.75, 2: float("nan"), 5: float("inf"), 2**33: -0.125}  # Exact as float32.
RED = np.full((2, 3, 3), (255, 0, 0), np.uint8)
SHADES = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)
SAMPLES = np.array([0, 0.5, -0.5, 0.25], np.float32)
LABELS = np.array([True, False, True, True])
PREDICTIONS = np.array([0.9, 0.8, 0.5, 0.1], np.float32)
# Of these, for the thresholds 0, 0.5 and 1: what is positive and right (tp), positive and wrong, ...
CURVE = {
    "true positives": [3, 2, 0],
    "false positives": [1, 1, 0],
    "true negatives": [0, 0, 1],
    "false negatives": [0, 1, 3],
    "precision": [3 / 4, 2 / 3, 0],
    "recall": [1, 2 / 3, 0],
}
VERTICES = np.arange(12, dtype=np.float32).reshape(1, 4, 3)
FACES = np.array([[[0, 1, 2], [1, 2, 3]]], np.int32)
COLORS = np.arange(12, dtype=np.uint8).reshape(1, 4, 3)
LAYOUT = {"Losses": {"both": ["train/loss", "valid/loss"]}}  # Category, chart, tags.


class Containing:
    """Equals what contains a part: a text, or a list of texts of which one contains it."""

    def __init__(self, part: Any):
        self._part = part

    def __eq__(self, other: Any) -> bool:
        parts = other if isinstance(other, list) else [other]
        return any(isinstance(text, type(self._part)) and self._part in text for text in parts)

    def __repr__(self) -> str:
        return f"... {self._part} ..."


def main() -> None:
    """Each public function of the script writes into the folder of its name below the first argument, and returns
    what must be read there, with "runs" for the runs below the folder. All that goes into the file that is the second
    argument."""
    out, answer = Path(sys.argv[1]), Path(sys.argv[2])
    written = {}
    for name, writer in vars(sys.modules["__main__"]).items():
        if inspect.isfunction(writer) and writer.__module__ == "__main__" and name[0] != "_":
            values = writer(out / name)
            written |= {f"{name}/{run}": values for run, values in values.pop("runs", {}).items()}
            written[name] = values
    answer.write_bytes(pickle.dumps({name: run for name, run in written.items() if run}))

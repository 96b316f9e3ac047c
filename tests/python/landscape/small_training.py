"""A training of six parameters: its checkpoints and the metadata of its landscape."""

import json
from pathlib import Path

import numpy as np

CHECKPOINTS = {
    1: {"w.weight": [[1, 2], [3, 4]], "b.bias": [5, 6], "steps": [1]},
    2: {"w.weight": [[2, 2], [1, 4]], "b.bias": [4, 6], "steps": [2]},
    3: {"w.weight": [[0.5, 1], [1, 3]], "b.bias": [2, 7], "steps": [3]},
}


def write_training(run: Path) -> Path:
    """Writes them into the run's directory, and returns that."""
    folder = run / "ckpt_dir"
    folder.mkdir(parents=True)
    files = {}
    for number, tensors in CHECKPOINTS.items():
        files[str(number)] = str(folder / f"net_{number}_epoch.ckpt")
        with open(files[str(number)], "wb") as file:  # np.savez would append .npz to a path.
            np.savez(file, **{name: np.array(value, np.float32) for name, value in tensors.items()})
    metadata = {
        "epoch_group": {"0": [1, 2, 3]},
        "model_params_file_map": files,
        "step_per_epoch": 7,
        "unit": "epoch",
        "num_samples": 4,
        "landscape_size": 5,
        "create_landscape": {"train": True, "result": False},
    }
    (folder / "train_metadata.json").write_text(json.dumps(metadata))
    return run

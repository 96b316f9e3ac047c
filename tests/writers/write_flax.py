"""flax.metrics.tensorboard."""

from contextlib import closing

import numpy as np
from flax.metrics.tensorboard import SummaryWriter
from writing import LOSSES, RED, SAMPLES, SHADES, main


def scalars(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        for step, loss in LOSSES.items():
            writer.scalar("train/loss", loss, step)
    return {"scalar": {"train/loss": LOSSES}}


def images(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.image("one", RED, 1)
        writer.image("both", np.stack([RED, SHADES]), 2)
    return {"image": {"one": {1: [RED]}, "both": {2: [RED, SHADES]}}}


def sounds(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.audio("beep", SAMPLES[None, :, None], 1, sample_rate=8000)
    return {"audio": {"beep": {1: [(8000, [[0], [16384], [-16384], [8192]])]}}}


def histograms(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.histogram("weights", np.array([0.0, 1, 1, 2, 3, 4]), 1, bins=4)
    return {"histogram": {"weights": {1: [[0, 1, 1], [1, 2, 2], [2, 3, 1], [3, 4, 2]]}}}


def texts(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.text("note", "# Größe\n- one", 1)
    return {"text": {"note": {1: "# Größe\n- one"}}}


def tensors(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.write("weights", np.array([[1.0, 2.0]], np.float32), 1)
    return {"tensor": {"weights": {1: np.array([[1, 2]], np.float32)}}}


def hyper_parameters(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.hparams({"lr": 0.1, "net": "lenet", "bias": True})
        writer.scalar("accuracy", 0.5, 1)
    return {
        "scalar": {"accuracy": {1: 0.5}},
        "hparams": {"": {0: {"lr": 0.1, "net": "lenet", "bias": True}}},
    }


main()

"""clu.metric_writers, which JAX's trainings use."""

from contextlib import closing

import numpy as np
from clu.metric_writers import SummaryWriter
from writing import LOSSES, RED, SAMPLES, SHADES, main


def scalars(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        for step, loss in LOSSES.items():
            writer.write_scalars(step, {"train/loss": loss, "double": np.float64(loss)})
    return {"scalar": {"train/loss": LOSSES, "double": LOSSES}}


def images(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.write_images(1, {"both": np.stack([RED, SHADES])})
    return {"image": {"both": {1: [RED, SHADES]}}}


def sounds(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.write_audios(1, {"beep": SAMPLES[None, :, None]}, sample_rate=8000)
    return {"audio": {"beep": {1: [(8000, [[0], [16384], [-16384], [8192]])]}}}


def histograms(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.write_histograms(
            1, {"weights": np.array([0.0, 1, 1, 2, 3, 4])}, num_buckets={"weights": 4}
        )
    return {"histogram": {"weights": {1: [[0, 1, 1], [1, 2, 2], [2, 3, 1], [3, 4, 2]]}}}


def texts(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.write_texts(1, {"note": "# Größe\n- one"})
    return {"text": {"note": {1: "# Größe\n- one"}}}


def hyper_parameters(folder):
    with closing(SummaryWriter(str(folder))) as writer:
        writer.write_hparams({"lr": 0.1, "net": "lenet", "bias": True})
        writer.write_scalars(1, {"accuracy": 0.5})
    return {
        "scalar": {"accuracy": {1: 0.5}},
        "hparams": {"": {0: {"lr": 0.1, "net": "lenet", "bias": True}}},
    }


main()

"""torch.utils.tensorboard."""

import numpy as np
import torch
import without_tensorflow  # noqa: F401
from torch.utils.tensorboard import SummaryWriter
from writing import (
    COLORS,
    CURVE,
    FACES,
    LABELS,
    LAYOUT,
    LOSSES,
    PREDICTIONS,
    RED,
    SAMPLES,
    SHADES,
    VERTICES,
    Containing,
    main,
)


def scalars(folder):
    with SummaryWriter(folder) as writer:
        for step, loss in LOSSES.items():
            writer.add_scalar("train/loss", loss, step)
            writer.add_scalar("new style", loss, step, new_style=True)
            writer.add_scalar(
                "double",
                torch.tensor(0.1, dtype=torch.float64),
                step,
                new_style=True,
                double_precision=True,
            )
    return {
        "scalar": {
            "train/loss": LOSSES,
            "new style": LOSSES,
            "double": dict.fromkeys(LOSSES, 0.1),
        }
    }


def scalars_of_sub_runs(folder):
    with SummaryWriter(folder) as writer:
        writer.add_scalars("loss", {"train": 0.5, "valid": 0.25}, 3)
    return {
        "runs": {
            "loss_train": {"scalar": {"loss": {3: 0.5}}},
            "loss_valid": {"scalar": {"loss": {3: 0.25}}},
        }
    }


def images(folder):
    with SummaryWriter(folder) as writer:
        writer.add_image("red", RED, 1, dataformats="HWC")
        writer.add_image("shades", torch.tensor(SHADES).permute(2, 0, 1), 1)
        writer.add_image("gray", SHADES[:, :, 0], 2, dataformats="HW")
        writer.add_images("grid", np.stack([RED, SHADES]), 3, dataformats="NHWC")
        writer.add_image_with_boxes(
            "boxes", RED, np.array([[0.0, 0.0, 1.0, 1.0]]), 4, dataformats="HWC"
        )
    return {
        "image": {
            "red": {1: [RED]},
            "shades": {1: [SHADES]},
            "gray": {2: [np.repeat(SHADES[:, :, :1], 3, 2)]},
            "grid": {3: [np.concatenate([RED, SHADES], 1)]},
            "boxes": {4: [RED]},
        }
    }


def sounds(folder):
    with SummaryWriter(folder) as writer:
        writer.add_audio("beep", torch.tensor(SAMPLES), 1, sample_rate=8000)
    return {"audio": {"beep": {1: [(8000, [[0], [16383], [-16383], [8191]])]}}}


def histograms(folder):
    with SummaryWriter(folder) as writer:
        writer.add_histogram("weights", np.array([0.0, 1, 1, 2, 3]), 1, bins=[0.0, 1, 2, 3])
        writer.add_histogram_raw(
            "raw",
            min=0,
            max=2,
            num=5,
            sum=4,
            sum_squares=6,
            bucket_limits=[1, 2],
            bucket_counts=[2, 3],
            global_step=2,
        )
    return {
        "histogram": {
            "weights": {1: [[0, 1, 1], [1, 2, 2], [2, 3, 2]]},
            "raw": {2: [[0, 1, 2], [1, 2, 3]]},
        }
    }


def texts(folder):
    with SummaryWriter(folder) as writer:
        writer.add_text("notes", "# Größe\n- one", 1)
    return {"text": {"notes/text_summary": {1: ["# Größe\n- one"]}}}


def curves(folder):
    with SummaryWriter(folder) as writer:
        writer.add_pr_curve("classes", LABELS, PREDICTIONS, 1, num_thresholds=3)
        writer.add_pr_curve_raw("raw", *CURVE.values(), 2, num_thresholds=3)
    curve = np.array(list(CURVE.values()), np.float32)
    return {"pr_curves": {"classes": {1: curve}, "raw": {2: curve}}}


def meshes(folder):
    with SummaryWriter(folder) as writer:
        writer.add_mesh(
            "cube", torch.tensor(VERTICES), torch.tensor(COLORS), torch.tensor(FACES), global_step=1
        )
    return {
        "mesh": {
            "cube_VERTEX": {1: VERTICES},
            "cube_FACE": {1: FACES},
            "cube_COLOR": {1: COLORS},
        }
    }


def tensors(folder):
    values = {
        "float32": torch.tensor([[1.0, -2.5], [0.0, 3.0]]),
        "float64": torch.tensor([0.1], dtype=torch.float64),
        "float16": torch.tensor([1.0, -2.5, 0.1], dtype=torch.float16),
        "bfloat16": torch.tensor([1.0, -2.5, 0.1], dtype=torch.bfloat16),
        "int64": torch.tensor([2**40, -1]),
        "uint8": torch.tensor([0, 255], dtype=torch.uint8),
        "bool": torch.tensor([True, False]),
        "one": torch.tensor(7.0),
    }
    with SummaryWriter(folder) as writer:
        for tag, value in values.items():
            writer.add_tensor(tag, value, 1)
    arrays = {
        tag: (value.float() if tag == "bfloat16" else value).numpy()
        for tag, value in values.items()
    }
    return {"tensor": {tag: {1: array} for tag, array in arrays.items()}}


def hyper_parameters(folder):
    with SummaryWriter(folder) as writer:
        writer.add_hparams(
            {"lr": 0.1, "net": "lenet", "bias": True}, {"accuracy": 0.5}, run_name="trial"
        )
    trial = {
        "scalar": {"accuracy": {0: 0.5}},
        "hparams": {"": {0: {"lr": 0.1, "net": "lenet", "bias": True}}},
        "hparams_experiment": {"": {0: (["bias", "lr", "net"], ["accuracy"])}},
        "hparams_end": {"": {0: "STATUS_SUCCESS"}},
    }
    return {"runs": {"trial": trial}}


def graphs(folder):
    with SummaryWriter(folder) as writer:
        writer.add_graph(
            torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU()), torch.zeros(1, 2)
        )
    return {
        "graph": {"": {0: Containing("Linear[0]")}},
        "graph_tagged_run_metadata": {"step1": {0: Containing(b"device:CPU:0")}},
    }


def layouts(folder):
    with SummaryWriter(folder) as writer:
        writer.add_custom_scalars({"Losses": {"both": ["Multiline", ["train/loss", "valid/loss"]]}})
        writer.add_scalar("train/loss", 0.5, 1)
    return {
        "scalar": {"train/loss": {1: 0.5}},
        "custom_scalars": {"custom_scalars__config__": {0: LAYOUT}},
    }


def embeddings(folder):
    with SummaryWriter(folder) as writer:
        writer.add_embedding(torch.eye(3), ["a", "b", "c"], torch.zeros(3, 3, 2, 2), 1, tag="words")
        writer.add_scalar("train/loss", 0.5, 1)
    return {"scalar": {"train/loss": {1: 0.5}}}


def restarts(folder):
    # TensorBoard's Python reader takes no notice of a run's first START, which purge_step writes.
    with SummaryWriter(folder, purge_step=1) as writer:
        for step in range(1, 5):
            writer.add_scalar("train/loss", step, step)
    with SummaryWriter(folder, purge_step=3) as writer:
        writer.add_scalar("train/loss", 0.5, 3)
    return {"scalar": {"train/loss": {1: 1.0, 2: 2.0, 3: 0.5}}}


main()

"""tensorboardX."""

import numpy as np
from tensorboardX import SummaryWriter
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
    main,
)


def scalars(folder):
    with SummaryWriter(str(folder)) as writer:
        for step, loss in LOSSES.items():
            writer.add_scalar("train/loss", loss, step)
            writer.add_scalar(
                "named", loss, step, display_name="Loss", summary_description="the *loss*"
            )
    return {"scalar": {"train/loss": LOSSES, "named": LOSSES}}


def scalars_of_sub_runs(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_scalars("loss", {"train": 0.5, "valid": 0.25}, 3)
    return {
        "runs": {
            "loss/train": {"scalar": {"loss": {3: 0.5}}},
            "loss/valid": {"scalar": {"loss": {3: 0.25}}},
        }
    }


def images(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_image("red", RED, 1, dataformats="HWC")
        writer.add_image("gray", SHADES[:, :, 0], 2, dataformats="HW")
        writer.add_images("grid", np.stack([RED, SHADES]), 3, dataformats="NHWC")
        writer.add_image_with_boxes("boxes", RED, np.array([[0, 0, 1, 1]]), 4, dataformats="HWC")
    return {
        "image": {
            "red": {1: [RED]},
            "gray": {2: [SHADES[:, :, :1].repeat(3, 2)]},
            "grid": {3: [np.concatenate([RED, SHADES], 1)]},
            "boxes": {4: [RED]},
        }
    }


def videos(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_video("red", np.stack([RED] * 3).transpose(0, 3, 1, 2)[None], 1, fps=4)
    return {"image": {"red": {1: [RED]}}}


def sounds(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_audio("beep", SAMPLES[:, None], 1, sample_rate=8000)
    return {"audio": {"beep": {1: [(8000, [[0], [16384], [-16384], [8192]])]}}}


def histograms(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_histogram("weights", np.array([0.0, 1, 1, 2, 3]), 1, bins=[0.0, 1, 2, 3])
        writer.add_histogram_raw("raw", 0, 2, 5, 4, 6, [1, 2], [2, 3], 2)
    return {
        "histogram": {
            "weights": {1: [[0, 1, 1], [1, 2, 2], [2, 3, 2]]},
            "raw": {2: [[0, 1, 2], [1, 2, 3]]},
        }
    }


def texts(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_text("notes", "# Größe\n- one", 1)
    return {"text": {"notes/text_summary": {1: ["# Größe\n- one"]}}}


def curves(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_pr_curve("classes", LABELS, PREDICTIONS, 1, num_thresholds=3)
        writer.add_pr_curve_raw("raw", *CURVE.values(), 2, num_thresholds=3)
    curve = np.array(list(CURVE.values()), np.float32)
    return {"pr_curves": {"classes": {1: curve}, "raw": {2: curve}}}


def meshes(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_mesh("cube", VERTICES, COLORS, FACES, global_step=1)
    return {
        "mesh": {
            "cube_1": {1: VERTICES},
            "cube_2": {1: FACES},
            "cube_3": {1: COLORS},
        }
    }


def hyper_parameters(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_hparams(
            {"lr": 0.1, "net": "lenet", "bias": True}, {"accuracy": 0.5}, name="trial"
        )
    trial = {
        "scalar": {"accuracy": {0: 0.5}},
        "hparams": {"": {0: {"lr": 0.1, "net": "lenet", "bias": True}}},
        "hparams_experiment": {"": {0: (["bias", "lr", "net"], ["accuracy"])}},
        "hparams_end": {"": {0: "STATUS_SUCCESS"}},
    }
    return {"runs": {"trial": trial}}


def layouts(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_custom_scalars({"Losses": {"both": ["Multiline", ["train/loss", "valid/loss"]]}})
        writer.add_scalar("train/loss", 0.5, 1)
    return {
        "scalar": {"train/loss": {1: 0.5}},
        "custom_scalars": {"custom_scalars__config__": {0: LAYOUT}},
    }


def embeddings(folder):
    with SummaryWriter(str(folder)) as writer:
        writer.add_embedding(np.eye(3), ["a", "b", "c"], global_step=1, tag="words")
        writer.add_scalar("train/loss", 0.5, 1)
    return {"scalar": {"train/loss": {1: 0.5}}}


def restarts(folder):
    # TensorBoard's Python reader takes no notice of a run's first START, which purge_step writes.
    with SummaryWriter(str(folder), purge_step=1) as writer:
        for step in range(1, 5):
            writer.add_scalar("train/loss", step, step)
    with SummaryWriter(str(folder), purge_step=3, filename_suffix=".2") as writer:
        writer.add_scalar("train/loss", 0.5, 3)
    return {"scalar": {"train/loss": {1: 1.0, 2: 2.0, 3: 0.5}}}


main()

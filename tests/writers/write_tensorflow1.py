"""TensorFlow 1's summaries and FileWriter, which TensorFlow 2 has as tf.compat.v1."""

import numpy as np
import tensorflow.compat.v1 as tf
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.custom_scalar import summary as custom_scalar
from tensorboard.plugins.mesh import summary as mesh
from tensorboard.plugins.pr_curve import summary as pr_curve
from tensorboard.summary import v1 as plugins
from writing import (
    COLORS,
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

tf.disable_eager_execution()


def _write(folder, make, steps=(1,), graph=None):
    """make(step) -> summaries, in a graph of its own."""
    with tf.summary.FileWriter(str(folder), graph) as writer:
        for step in steps:
            with tf.Graph().as_default(), tf.Session() as session:
                for summary in make(step):
                    writer.add_summary(session.run(summary), step)


def scalars(folder):
    def make(step):
        return [
            tf.summary.scalar("train/loss", LOSSES[step]),
            plugins.scalar("valid", LOSSES[step], description="of the plugin"),
        ]

    _write(folder, make, LOSSES)
    return {"scalar": {"train/loss": LOSSES, "valid/scalar_summary": LOSSES}}


def images(folder):
    def make(step):
        return [
            tf.summary.image("one", RED[None], max_outputs=1),
            tf.summary.image("several", np.stack([RED, SHADES])),
            plugins.image("plugin", np.stack([RED, SHADES])),
        ]

    _write(folder, make)
    return {
        "image": {
            "one/image": {1: [RED]},
            "several/image/0": {1: [RED]},
            "several/image/1": {1: [SHADES]},
            "plugin/image_summary": {1: [RED, SHADES]},
        }
    }


def sounds(folder):
    def make(step):
        return [
            tf.summary.audio("one", SAMPLES[None, :, None], 8000, max_outputs=1),
            plugins.audio("plugin", np.stack([SAMPLES, -SAMPLES])[:, :, None], 8000),
        ]

    _write(folder, make)
    sound, other = [[0], [16384], [-16384], [8192]], [[0], [-16384], [16384], [-8192]]
    return {
        "audio": {
            "one/audio": {1: [(8000, sound)]},
            "plugin/audio_summary": {1: [(8000, sound), (8000, other)]},
        }
    }


def histograms(folder):
    def make(step):
        return [
            tf.summary.histogram("weights", [0.0, 0.0, 0.0]),
            plugins.histogram("plugin", tf.constant([0.0, 1, 1, 2, 3, 4]), bucket_count=4),
        ]

    _write(folder, make)
    return {
        "histogram": {
            "weights": {1: [[0, 0, 3]]},
            "plugin/histogram_summary": {1: [[0, 1, 1], [1, 2, 2], [2, 3, 1], [3, 4, 2]]},
        }
    }


def texts(folder):
    def make(step):
        return [
            tf.summary.text("note", tf.constant("# Größe\n- one")),
            plugins.text("plugin", tf.constant([["name", "value"], ["lr", "0.1"]])),
        ]

    _write(folder, make)
    return {
        "text": {
            "note": {1: "# Größe\n- one"},
            "plugin/text_summary": {1: [["name", "value"], ["lr", "0.1"]]},
        }
    }


def curves(folder):
    def make(step):
        return [
            pr_curve.op("classes", tf.constant(LABELS), tf.constant(PREDICTIONS), num_thresholds=3)
        ]

    _write(folder, make, (1, 2))
    curve = [[3, 2, 0], [1, 1, 0], [0, 0, 1], [0, 1, 3], [0.75, 2 / 3, 0], [1, 2 / 3, 0]]
    return {"pr_curves": {"classes/pr_curves": dict.fromkeys((1, 2), np.array(curve, np.float32))}}


def meshes(folder):
    def make(step):
        return [mesh.op("cube", tf.constant(VERTICES), tf.constant(FACES), tf.constant(COLORS))]

    _write(folder, make)
    return {
        "mesh": {
            "cube_VERTEX": {1: VERTICES},
            "cube_COLOR": {1: COLORS},
            "cube_FACE": {1: FACES},
        }
    }


def tensors(folder):
    def make(step):
        return [tf.summary.tensor_summary("weights", tf.constant([[1.0, step]]))]

    _write(folder, make, (1, 2))
    return {"tensor": {"weights": {step: np.array([[1, step]], np.float32) for step in (1, 2)}}}


def graphs(folder):
    with tf.Graph().as_default() as graph:
        tf.multiply(tf.constant(1.0), 2.0, name="doubled")
    _write(folder, lambda step: [tf.summary.scalar("train/loss", 0.5)], graph=graph)
    return {"scalar": {"train/loss": {1: 0.5}}, "graph": {"": {0: Containing("doubled")}}}


def steps_with_their_times(folder):
    with (
        tf.summary.FileWriter(str(folder)) as writer,
        tf.Graph().as_default(),
        tf.Session() as session,
    ):
        metadata = tf.RunMetadata()
        doubled = tf.multiply(tf.constant(1.0), 2.0, name="doubled")
        session.run(
            doubled,
            options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
            run_metadata=metadata,
        )
        writer.add_run_metadata(metadata, "step1", 1)
    return {"graph_tagged_run_metadata": {"step1": {1: Containing(b"device:CPU:0")}}}


def restarts(folder):
    # TensorBoard's Python reader takes no notice of a run's first START.
    for number, values in enumerate([{1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0}, {3: 0.5}]):
        with tf.summary.FileWriter(str(folder), filename_suffix=f".{number}") as writer:
            writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), min(values))
            for step, value in values.items():
                loss = tf.Summary.Value(tag="train/loss", simple_value=value)
                writer.add_summary(tf.Summary(value=[loss]), step)
    return {"scalar": {"train/loss": {1: 1.0, 2: 2.0, 3: 0.5}}}


def layouts(folder):
    chart = layout_pb2.Chart(title="both", multiline={"tag": ["train/loss", "valid/loss"]})
    layout = layout_pb2.Layout(category=[layout_pb2.Category(title="Losses", chart=[chart])])
    _write(folder, lambda step: [custom_scalar.op(layout)])
    return {"custom_scalars": {"custom_scalars__config__": {1: LAYOUT}}}


main()

"""TensorFlow 2: tf.summary, the summaries of TensorBoard's plugins, and Keras."""

import keras
import numpy as np
import tensorflow as tf
from tensorboard.plugins import projector
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.custom_scalar import summary as custom_scalar
from tensorboard.plugins.hparams import api as hp
from tensorboard.plugins.mesh import summary_v2 as mesh
from tensorboard.plugins.pr_curve import summary as pr_curve
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


def scalars(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        for step, loss in LOSSES.items():
            tf.summary.scalar("train/loss", loss, step, description="the *loss*")
            with tf.name_scope("eval"):
                tf.summary.scalar("loss", tf.constant(loss, tf.float64), step)
    return {"scalar": {"train/loss": LOSSES, "eval/loss": LOSSES}}


def images(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.image("one", RED[None], 1)
        tf.summary.image("several", np.stack([RED, SHADES, RED]), 2, max_outputs=2)
        tf.summary.image("gray", SHADES[None, :, :, :1] / np.float32(255), 3)
    gray = SHADES[:, :, :1].repeat(3, 2)
    return {"image": {"one": {1: [RED]}, "several": {2: [RED, SHADES]}, "gray": {3: [gray]}}}


def sounds(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.audio("one", SAMPLES[None, :, None], 8000, 1)
        tf.summary.audio("several", np.stack([SAMPLES, -SAMPLES])[:, :, None], 8000, 2)
        tf.summary.audio("stereo", np.stack([SAMPLES, -SAMPLES], 1)[None], 8000, 3)
    left, right = [0, 16384, -16384, 8192], [0, -16384, 16384, -8192]
    mono = (8000, [[sample] for sample in left])
    return {
        "audio": {
            "one": {1: [mono]},
            "several": {2: [mono, (8000, [[sample] for sample in right])]},
            "stereo": {3: [(8000, [list(pair) for pair in zip(left, right)])]},
        }
    }


def histograms(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.histogram("weights", [0.0, 1, 1, 2, 3, 4], 1, buckets=4)
        tf.summary.histogram("equal", [2.0, 2.0], 2, buckets=2)
        tf.summary.histogram("nothing", [], 3, buckets=2)
    return {
        "histogram": {
            "weights": {1: [[0, 1, 1], [1, 2, 2], [2, 3, 1], [3, 4, 2]]},
            "equal": {2: [[2, 2, 2]]},
            "nothing": {3: [[0, 0, 0]]},
        }
    }


def texts(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.text("note", "# Größe\n- one", 1)
        tf.summary.text("list", ["a", ""], 2)
        tf.summary.text("table", [["name", "value"], ["lr", "0.1"]], 3)
    table = [["name", "value"], ["lr", "0.1"]]
    return {"text": {"note": {1: "# Größe\n- one"}, "list": {2: ["a", ""]}, "table": {3: table}}}


def curves(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        curve = pr_curve.pb("classes", LABELS, PREDICTIONS, num_thresholds=3)
        tf.summary.experimental.write_raw_pb(curve.SerializeToString(), 1)
    # For the thresholds 0, 0.5 and 1: what is positive and right, positive and wrong, negative and right, negative and
    # wrong; precision; recall.
    curve = [[3, 2, 0], [1, 1, 0], [0, 0, 1], [0, 1, 3], [0.75, 2 / 3, 0], [1, 2 / 3, 0]]
    return {"pr_curves": {"classes/pr_curves": {1: np.array(curve, np.float32)}}}


def meshes(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        mesh.mesh("cube", VERTICES, FACES, COLORS, step=1)
    return {
        "mesh": {
            "cube_VERTEX": {1: VERTICES},
            "cube_COLOR": {1: COLORS},
            "cube_FACE": {1: FACES},
        }
    }


def tensors(folder):
    values = {
        "float32": tf.constant([[1.0, -2.5], [0.0, 3.0]]),
        "float64": tf.constant([0.1], tf.float64),
        "float16": tf.constant([1.0, -2.5, 0.1], tf.float16),
        "bfloat16": tf.constant([1.0, -2.5, 0.1], tf.bfloat16),
        "int64": tf.constant([2**40, -1], tf.int64),
        "uint8": tf.constant([0, 255], tf.uint8),
        "bool": tf.constant([True, False]),
        "complex64": tf.constant([1 + 2j], tf.complex64),
        "one": tf.constant(7.0),
        "none": tf.zeros([0, 3]),
    }
    with tf.summary.create_file_writer(str(folder)).as_default():
        for tag, value in values.items():
            tf.summary.write(tag, value, 1)
        tf.summary.write("texts", tf.constant(["a", "b"]), 1)
    arrays = {
        tag: (tf.cast(value, tf.float32) if tag == "bfloat16" else value).numpy()
        for tag, value in values.items()
    }
    return {
        "tensor": {tag: {1: array} for tag, array in arrays.items()},
        "text": {"texts": {1: ["a", "b"]}},
    }


def hyper_parameters(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        hp.hparams_config(
            [hp.HParam("lr", hp.RealInterval(0.01, 1.0)), hp.HParam("net", hp.Discrete(["lenet"]))],
            [hp.Metric("accuracy", display_name="Accuracy")],
        )
    for trial, lr in enumerate([0.25, 0.5]):
        with tf.summary.create_file_writer(str(folder / f"trial{trial}")).as_default():
            hp.hparams({"lr": lr, "net": "lenet", "bias": True}, trial_id=f"trial{trial}")
            tf.summary.scalar("accuracy", lr, 1)
    return {
        "hparams_experiment": {"": {0: (["lr", "net"], ["accuracy"])}},
        "runs": {
            f"trial{trial}": {
                "scalar": {"accuracy": {1: lr}},
                "hparams": {"": {0: {"lr": lr, "net": "lenet", "bias": True}}},
            }
            for trial, lr in enumerate([0.25, 0.5])
        },
    }


def graphs(folder):
    @tf.function
    def double(x):
        return tf.multiply(x, 2.0, name="doubled")

    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.graph(double.get_concrete_function(tf.TensorSpec([], tf.float32)).graph)
    return {"graph": {"": {0: Containing("doubled")}}}


def traces(folder):
    @tf.function
    def double(x):
        return tf.multiply(x, 2.0, name="doubled")

    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.trace_on(graph=True)
        double(tf.constant(1.0))
        tf.summary.trace_export("double", 1)
    return {"graph_run_metadata_graph": {"double": {1: Containing(b"doubled")}}}


def layouts(folder):
    chart = layout_pb2.Chart(title="both", multiline={"tag": ["train/loss", "valid/loss"]})
    layout = layout_pb2.Layout(category=[layout_pb2.Category(title="Losses", chart=[chart])])
    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.experimental.write_raw_pb(custom_scalar.pb(layout).SerializeToString(), 0)
        tf.summary.scalar("train/loss", 0.5, 1)
    return {
        "scalar": {"train/loss": {1: 0.5}},
        "custom_scalars": {"custom_scalars__config__": {0: LAYOUT}},
    }


def embeddings(folder):
    with tf.summary.create_file_writer(str(folder)).as_default():
        tf.summary.scalar("train/loss", 0.5, 1)
    tf.train.Checkpoint(words=tf.Variable(tf.eye(3))).save(str(folder / "embedding.ckpt"))
    config = projector.ProjectorConfig()
    config.embeddings.add(tensor_name="words/.ATTRIBUTES/VARIABLE_VALUE")
    projector.visualize_embeddings(str(folder), config)
    return {"scalar": {"train/loss": {1: 0.5}}}


def training_of_keras(folder):
    """Without noise: the weights are 0, so the loss is the mean of the squared targets."""
    dense = keras.layers.Dense(1, kernel_initializer="zeros", name="dense")
    zeros = keras.Sequential([keras.layers.Input([2]), dense], name="zeros")
    zeros.compile("sgd", "mse")
    zeros.optimizer.learning_rate = 0
    inputs, targets = np.ones([4, 2], np.float32), np.full([4, 1], 0.5, np.float32)
    board = keras.callbacks.TensorBoard(str(folder), histogram_freq=1, write_images=True)
    zeros.fit(
        inputs, targets, epochs=2, validation_data=(inputs, targets), callbacks=[board], verbose=0
    )
    train = {
        "scalar": {"epoch_loss": {0: 0.25, 1: 0.25}, "epoch_learning_rate": {0: 0, 1: 0}},
        "histogram": {
            "zeros/dense/kernel/histogram": dict.fromkeys((0, 1), [[0, 0, 2]]),
            "zeros/dense/bias/histogram": dict.fromkeys((0, 1), [[0, 0, 1]]),
        },
        "image": {"zeros/dense/kernel/image": dict.fromkeys((0, 1), [np.zeros([2, 1, 3])])},
        "graph_keras_model": {"keras": {0: Containing(b'"class_name": "Dense"')}},
    }
    validation = {
        "scalar": {
            "epoch_loss": {0: 0.25, 1: 0.25},
            "evaluation_loss_vs_iterations": {1: 0.25, 2: 0.25},
        }
    }
    return {"runs": {"train": train, "validation": validation}}


main()

"""What the real tensorboard package reads back, and that it can live in one process with us."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
import sightline
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.plugins.hparams.api_pb2 import Status
from tensorboard.util import tensor_util


def read(directory: Path) -> EventAccumulator:
    accumulator = EventAccumulator(
        str(directory), size_guidance={"scalars": 0, "histograms": 0, "images": 0, "tensors": 0}
    )
    return accumulator.Reload()


def test_tensorboard_reads_the_scalars(tmp_path):
    with sightline.Recorder(tmp_path, formats="tensorboard") as recorder:
        for step in range(100):
            recorder.add_scalar("loss", step, 1 / (step + 1))
    events = read(tmp_path).Scalars("loss")
    assert [event.step for event in events] == list(range(100))
    np.testing.assert_allclose([event.value for event in events], 1 / np.arange(1, 101), rtol=1e-7)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "int32", "int64", "uint8", "uint16", "float16", "float32", "float64"]
)
def test_tensorboard_reads_the_tensors(tmp_path, dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    with sightline.Recorder(tmp_path, formats=["tensorboard"]) as recorder:
        recorder.add_tensor("weights", 3, array)
    (event,) = read(tmp_path).Tensors("weights")
    assert event.step == 3
    restored = tensor_util.make_ndarray(event.tensor_proto)
    assert restored.dtype == array.dtype
    np.testing.assert_array_equal(restored, array)


def test_tensorboard_reads_the_histogram(tmp_path):
    with sightline.Recorder(tmp_path, formats=["tensorboard"]) as recorder:
        recorder.add_histogram("weights", 3, np.linspace(-1, 1, 1001))
    histogram = read(tmp_path).Histograms("weights")[0].histogram_value
    assert (histogram.min, histogram.max, histogram.num, sum(histogram.bucket)) == (
        -1,
        1,
        1001,
        1001,
    )


def test_tensorboard_reads_the_picture(tmp_path):
    import io

    from PIL import Image

    pixels = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(1, 3, 4, 5)
    with sightline.Recorder(tmp_path, formats=["tensorboard"]) as recorder:
        recorder.add_image("input", 1, pixels)
    (image,) = read(tmp_path).Images("input")
    np.testing.assert_array_equal(
        np.asarray(Image.open(io.BytesIO(image.encoded_image_string))), pixels[0].transpose(1, 2, 0)
    )


def status(directory: Path) -> int | None:
    """How the run ended, for the HPARAMS page; None where its files do not say."""
    tags = read(directory).PluginTagToContent("hparams")
    content = tags.get(hparams.SESSION_END_INFO_TAG)
    return content and hparams.parse_session_end_info_plugin_data(content).status


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (None, Status.Value("STATUS_SUCCESS")),
        (ValueError, Status.Value("STATUS_FAILURE")),
        (KeyboardInterrupt, None),
    ],
)
def test_the_hparams_page_says_how_a_with_block_ended(tmp_path, raised, expected):
    def train():
        with sightline.SummaryMonitor(
            tmp_path, formats="tensorboard", custom_lineage_data={"seed": 1}
        ) as monitor:
            monitor.end_step(1, loss=0.5)
            if raised:
                raise raised

    with pytest.raises(raised) if raised else contextlib.nullcontext():
        train()
    assert status(tmp_path) == expected


def test_a_loop_without_a_with_block_says_that_it_failed(tmp_path):
    monitor = sightline.SummaryMonitor(
        tmp_path, formats="tensorboard", custom_lineage_data={"seed": 1}
    )
    monitor.end(failed=True)
    assert status(tmp_path) == Status.Value("STATUS_FAILURE")


READ_BACK = """
sightline.Recorder(sys.argv[1], formats=["mindspore", "tensorboard"]).add_scalar("loss", 1, 0.5)
again = sightline.Recorder(sys.argv[1] + "/again", formats=["tensorboard"])
again.add_scalar("loss", 1, 0.5)
again.close()
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1] + "/again").Reload().Scalars("loss")
assert [(event.step, event.value) for event in events] == [(1, 0.5)]
"""


@pytest.mark.parametrize("order", ["sightline, tensorboard", "tensorboard, sightline"])
def test_sightline_and_tensorboard_live_in_one_process(run_script, tmp_path, order):
    """Both hold Protocol Buffers and schemas with the same message names, in packages of their own."""
    imports = {
        "sightline": "import sightline\n",
        "tensorboard": "from tensorboard.compat.proto import event_pb2\nevent_pb2.Event()\n"
        "from google.protobuf.internal import api_implementation\n"
        "assert api_implementation.Type() == 'upb'  # Its own C code.\n",
    }
    script = "import sys\n" + "".join(imports[name] for name in order.split(", ")) + READ_BACK
    assert run_script(script, tmp_path / "run").stderr.count("Traceback") == 0

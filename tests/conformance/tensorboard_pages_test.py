"""What the Recorder's methods for TensorBoard's pages write, as TensorBoard's own plugins read it."""

import io
import wave

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.plugins.mesh import metadata as mesh
from tensorboard.plugins.pr_curve import metadata as pr_curve
from tensorboard.plugins.text import text_plugin
from tensorboard.util.tensor_util import make_ndarray

SAMPLES = np.array([0.0, 0.5, -0.5, 2.0, -2.0])
POINTS = np.arange(12, dtype=np.float32).reshape(1, 4, 3)
LABELS_AND_PREDICTIONS = np.array([[1, 0, 1, 1, 0], [0.9, 0.8, 0.5, 0.1, 0.0]])


@pytest.fixture(scope="module")
def events(record_values, tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays")
    manifest = []
    values = {
        "audio": SAMPLES,
        "mesh": POINTS,
        "pr_curve": LABELS_AND_PREDICTIONS,
        "text": SAMPLES,
        "hparams": np.array([0.1]),
    }
    for step, (kind, array) in enumerate(values.items(), 1):
        np.save(folder / f"{kind}.npy", array)
        manifest.append((step, kind, f"a_{kind}", folder / f"{kind}.npy"))
    directory = record_values(manifest, "--tensorboard").directory
    return EventAccumulator(str(directory), size_guidance={"tensors": 0, "audio": 0}).Reload()


def test_a_sound_is_a_wav_file(events):
    (event,) = events.Audio("a_audio")
    assert (event.step, event.sample_rate, event.length_frames, event.content_type) == (
        1,
        8000,
        5,
        "audio/wav",
    )
    with wave.open(io.BytesIO(event.encoded_audio_string)) as wav:
        assert (wav.getframerate(), wav.getnchannels(), wav.getsampwidth()) == (8000, 1, 2)
        assert np.frombuffer(wav.readframes(5), "<i2").tolist() == [0, 16383, -16383, 32767, -32767]


def test_a_mesh_has_its_points(events):
    (event,) = events.Tensors("a_mesh_VERTEX")
    np.testing.assert_array_equal(make_ndarray(event.tensor_proto), POINTS)
    about = mesh.parse_plugin_metadata(events.SummaryMetadata("a_mesh_VERTEX").plugin_data.content)
    assert (about.name, list(about.shape), about.json_config, about.components) == (
        "a_mesh",
        [1, 4, 3],
        "{}",
        2,
    )


def test_a_curve_has_its_thresholds(events):
    (event,) = events.Tensors("a_pr_curve")
    about = pr_curve.parse_plugin_metadata(events.SummaryMetadata("a_pr_curve").plugin_data.content)
    assert about.num_thresholds == 127
    tp, fp, tn, fn, precision, recall = make_ndarray(event.tensor_proto)
    assert (tp[0], fp[0], tn[0], fn[0], recall[0]) == (3, 2, 0, 0, 1)
    assert precision[0] == pytest.approx(0.6)
    assert (tp[64], fp[64]) == (1, 1)  # From a threshold above 0.5 on.


def test_a_text_is_markdown(events):
    (event,) = events.Tensors("a_text/text_summary")
    assert "<strong>a_text</strong>" in text_plugin.text_array_to_html(
        make_ndarray(event.tensor_proto), True
    )


def test_a_row_of_hyper_parameters_ended_well(events):
    content = events.PluginTagToContent("hparams")
    start = hparams.parse_session_start_info_plugin_data(content[hparams.SESSION_START_INFO_TAG])
    assert {name: value.number_value for name, value in start.hparams.items()} == {"a_hparams": 0.1}
    experiment = hparams.parse_experiment_plugin_data(content[hparams.EXPERIMENT_TAG])
    assert [info.name.tag for info in experiment.metric_infos] == ["accuracy"]
    assert (
        hparams.parse_session_end_info_plugin_data(content[hparams.SESSION_END_INFO_TAG]).status
        == 1
    )

"""Files that max_file_size rotated, and several recordings in one directory: the peers read them as one run."""

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
from tensorboard_server import TensorBoardServer

STEPS = 300
VALUES = np.linspace(-1, 1, STEPS, dtype=np.float32)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    for step, value in enumerate(VALUES):
        np.save(folder / f"{step}.npy", value)
    return folder


@pytest.fixture(scope="module")
def rotated(record_values, inputs):
    manifest = [(step, "scalar", "loss", inputs / f"{step}.npy") for step in range(STEPS)]
    return record_values(manifest, "--tensorboard", "--max-file-size", "2000")


def test_no_file_is_larger_than_its_limit(rotated):
    files = rotated.mindspore_files + rotated.tensorboard_files
    assert len(rotated.mindspore_files) > 5 and len(rotated.tensorboard_files) > 5
    assert max(file.stat().st_size for file in files) <= 2000


def test_every_mindspore_file_begins_with_the_version_and_their_order_is_the_steps(rotated):
    values = rotated.mindspore_values("scalar_value")
    assert list(values.items()) == [(("loss", step), value) for step, value in enumerate(VALUES)]


def test_tensorboards_accumulator_reads_the_files_as_one_series(rotated):
    accumulator = EventAccumulator(str(rotated.directory), size_guidance={"scalars": 0}).Reload()
    read = [(event.step, event.value) for event in accumulator.Scalars("loss")]
    assert read == list(enumerate(VALUES))


@pytest.mark.parametrize("load_fast", ["true", "false"], ids=["data_server", "python"])
def test_tensorboards_server_shows_the_files_as_one_run(rotated, load_fast, tmp_path):
    server = TensorBoardServer(rotated.directory, load_fast, tmp_path / "log")
    try:
        server.wait_until_loaded("loss", STEPS)
        assert [
            (step, value) for _, step, value in server.get("scalars/scalars", run=".", tag="loss")
        ] == list(enumerate(VALUES))
    finally:
        server.close()


def test_a_second_recording_in_the_directory_goes_on_where_the_first_ended(
    record_values, inputs, tmp_path
):
    run = tmp_path / "run"
    first = [(step, "scalar", "loss", inputs / f"{step}.npy") for step in range(100)]
    second = [(step, "scalar", "loss", inputs / f"{step}.npy") for step in range(100, 200)]
    record_values(first, "--tensorboard", directory=run)
    both = record_values(second, "--tensorboard", directory=run)
    assert len(both.tensorboard_files) == 2
    assert len({int(file.name.split(".")[4]) for file in both.mindspore_files}) == 2
    multiplexer = EventMultiplexer(size_guidance={"tensors": 0}).AddRun(str(run), "run").Reload()
    assert [event.step for event in multiplexer.Tensors("run", "loss")] == list(range(200))

"""sightline.keras.SummaryCallback in trainings of the real Keras, on JAX, read back by the real tensorboard."""

import re

import pytest
from docs_test import scripts
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

BATCHES = 6 * 3  # 192 of 256 samples in batches of 32; 3 epochs.


@pytest.fixture
def trained(run_script, tmp_path, monkeypatch):
    """trained(script, **replaced) -> (what it printed, its run); the page's script where `replaced` changes it."""
    monkeypatch.chdir(tmp_path)

    def train(**replaced: str) -> tuple[str, EventAccumulator]:
        (script,) = scripts("run with keras")
        for before, after in replaced.items():
            assert before in script
            script = script.replace(before, after)
        printed = run_script(script, KERAS_BACKEND="jax").stdout
        return printed, EventAccumulator(
            str(tmp_path / "run_keras"), size_guidance={"scalars": 0, "histograms": 0}
        ).Reload()

    return train


def steps(run: EventAccumulator, tag: str) -> list[int]:
    return [event.step for event in run.Scalars(tag)]


def test_a_training_with_keras_is_recorded(trained):
    printed, run = trained()
    assert printed == "None\n"
    assert (
        steps(run, "loss/auto")
        == steps(run, "learning_rate/auto")
        == steps(run, "mae")
        == [1, 5, 10, 15]
    )
    assert steps(run, "epoch/loss") == steps(run, "eval/mae") == [6, 12, BATCHES]
    assert not any("val_" in tag for tag in run.Tags()["scalars"])
    losses = [event.value for event in run.Scalars("epoch/loss")]
    assert losses[0] > losses[-1]
    histograms = [tag for tag in run.Tags()["histograms"] if re.search("kernel|bias", tag)]
    assert len(histograms) == 4
    kernel = next(tag for tag in histograms if tag.endswith("dense/kernel/auto"))
    first, *_, last = (event.histogram_value for event in run.Histograms(kernel))
    assert (
        first.num == 32 and first.sum != last.sum
    )  # The weights of the step, not those of the epoch's beginning.
    assert {"train_lineage", "eval_lineage"} <= set(run.Tags()["tensors"])


def test_of_several_steps_per_execution_each_counts_and_the_last_is_seen(trained):
    """Keras calls once for four batches; an epoch has six."""
    _, run = trained(
        **{
            'metrics=["mae"]': 'metrics=["mae"], steps_per_execution=4',
            "collect_freq=5": "collect_freq=2",
        }
    )
    assert steps(run, "loss/auto") == [4, 6, 10, 12, 16, BATCHES]
    assert steps(run, "epoch/loss") == [6, 12, BATCHES]


def test_a_training_loop_of_ones_own_has_no_optimizer_and_no_learning_rate(run_script, tmp_path):
    script = """
    import sys
    import keras
    from sightline.keras import SummaryCallback
    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(1)], name="net")
    recorded = SummaryCallback(sys.argv[1], collect_freq=1)
    callbacks = keras.callbacks.CallbackList([recorded], model=model, epochs=1, steps=3)
    callbacks.on_train_begin()
    callbacks.on_epoch_begin(0)
    for batch in range(3):
        callbacks.on_train_batch_end(batch, {"loss": 0.5})
    callbacks.on_train_end()
    print(recorded.monitor.stats.first_error)
    """
    assert run_script(script, tmp_path / "run", KERAS_BACKEND="numpy").stdout == "None\n"
    run = EventAccumulator(str(tmp_path / "run"), size_guidance={"scalars": 0}).Reload()
    assert steps(run, "loss/auto") == [1, 2, 3]
    assert "learning_rate/auto" not in run.Tags()["scalars"]


def test_a_second_fit_and_what_is_evaluated_after_it_are_recorded_behind_the_first(trained):
    again = """recorded.monitor.stats.first_error)
model.fit(x, y, batch_size=32, epochs=1, callbacks=[recorded], verbose=0)
model.evaluate(x, y, callbacks=[recorded], verbose=0)
recorded.monitor.end()
print(recorded.monitor.stats.first_error)"""
    printed, run = trained(**{"recorded.monitor.stats.first_error)": again})
    assert printed == "None\nNone\n"
    assert steps(run, "loss/auto") == [1, 5, 10, 15, 20, 25]
    assert steps(run, "epoch/loss") == [6, 12, BATCHES, BATCHES + 8]
    assert steps(run, "eval/loss") == [6, 12, BATCHES, BATCHES + 8]


def test_a_directory_that_cannot_be_opened_again_does_not_end_a_second_fit(
    run_script, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (script,) = scripts("run with keras")
    script += """
import pathlib, shutil
shutil.rmtree("run_keras")
pathlib.Path("run_keras").touch()
model.fit(x, y, epochs=1, callbacks=[recorded], verbose=0)
print("trained")"""
    done = run_script(script, KERAS_BACKEND="jax")
    assert done.stdout == "None\ntrained\n"
    assert "sightline: what follows is not recorded: NotADirectoryError: " in done.stderr


def test_the_options_of_the_callback_are_summary_monitors(run_script):
    script = """
    from sightline.keras import SummaryCallback
    try:
        SummaryCallback("run", collect_freq=0, colour="red")
    except ValueError as error:
        assert "collect_freq" in str(error) and "colour" in str(error), error
    else:
        raise AssertionError("no error")
    """
    run_script(script, KERAS_BACKEND="numpy")


def test_a_directory_that_is_gone_does_not_end_a_training(run_script, tmp_path, monkeypatch):
    """So is the journal, which is removed at the end."""
    monkeypatch.chdir(tmp_path)
    gone = """
import shutil

class Removing(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        shutil.rmtree("run_keras", ignore_errors=True)

model.fit("""
    (script,) = scripts("run with keras")
    for before, after in {
        "collect_freq=5": 'formats="mindspore"',
        "model.fit(": gone,
        "[recorded]": "[recorded, Removing()]",
    }.items():
        assert before in script
        script = script.replace(before, after)
    assert "cannot remove" in run_script(script, KERAS_BACKEND="jax").stdout

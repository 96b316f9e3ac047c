"""sightline.transformers.SummaryCallback in trainings of the real Trainer, by a Python that has it (--torch-python), read
back by the real tensorboard. Without --torch-python conftest.py leaves this file out."""

import pytest
from docs_test import scripts
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


@pytest.fixture
def run_transformers(torch_python, run_script, tmp_path, monkeypatch):
    """Runs the page's script with something replaced."""
    monkeypatch.chdir(tmp_path)

    def run(before: str = "", after: str = "", **environment: str) -> str:
        (script,) = scripts("run with transformers")
        assert before in script
        return run_script(script.replace(before, after), python=torch_python, **environment).stdout

    return run


def test_a_training_with_transformers_is_recorded(run_transformers, tmp_path):
    assert (
        run_transformers("trainer.train()", "trainer.train()\ntrainer.evaluate()").splitlines()[-1]
        == "None"
    )
    run = EventAccumulator(
        str(tmp_path / "run_transformers"), size_guidance={"scalars": 0, "histograms": 0}
    ).Reload()
    losses = [(event.step, event.value) for event in run.Scalars("train/loss")]
    assert [step for step, _ in losses] == list(range(4, 65, 4))
    assert losses[-1][1] < losses[0][1]
    assert [event.step for event in run.Scalars("train/learning_rate")] == list(range(4, 65, 4))
    assert [event.step for event in run.Histograms("layer.weight/auto")] == [1] + list(
        range(8, 65, 8)
    )
    assert "train_lineage" in run.Tags()["tensors"]


def test_evaluations_of_a_training_are_recorded(run_transformers, tmp_path):
    # Its name changed with Transformers 4.41.
    strategy = 'next(name for name in TrainingArguments.__dataclass_fields__ if name in ("eval_strategy", "evaluation_strategy"))'
    run_transformers("report_to=[]", f'report_to=[], **{{{strategy}: "epoch"}}')
    run = EventAccumulator(
        str(tmp_path / "run_transformers"), size_guidance={"scalars": 0}
    ).Reload()
    losses = [(event.step, event.value) for event in run.Scalars("eval/loss")]
    assert [step for step, _ in losses] == [32, 64]
    assert losses[1][1] < losses[0][1]
    assert not any(tag.startswith("train/eval") for tag in run.Tags()["scalars"])


def test_what_follows_a_training_is_recorded_behind_it(run_transformers, tmp_path):
    run_transformers("trainer.train()", "trainer.train()\ntrainer.evaluate()\ntrainer.train()")
    run = EventAccumulator(
        str(tmp_path / "run_transformers"), size_guidance={"scalars": 0}, purge_orphaned_data=False
    ).Reload()
    assert [event.step for event in run.Scalars("eval/loss")] == [64]
    assert [event.step for event in run.Scalars("train/loss")] == 2 * list(range(4, 65, 4))


def test_a_directory_that_is_gone_does_not_end_a_training(run_transformers):
    """So is the journal, which is removed at the end."""
    gone = """
import shutil
from transformers import TrainerCallback

class Removing(TrainerCallback):
    def on_epoch_end(self, args, state, control, **others):
        shutil.rmtree("run_transformers", ignore_errors=True)

trainer.add_callback(Removing())
recorded.monitor = type(recorded.monitor)("run_transformers", formats="mindspore")
trainer.train()"""
    assert "No such file or directory" in run_transformers("trainer.train()", gone)


@pytest.mark.parametrize(
    "variable", ["RANK", "RANK_ID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"]
)
def test_ranks_but_the_first_record_nothing(torch_python, run_script, tmp_path, variable):
    script = """
    import sys
    from sightline.transformers import SummaryCallback
    callback = SummaryCallback(sys.argv[1])
    assert callback.monitor is None
    for event in (callback.on_train_begin, callback.on_step_end, callback.on_log, callback.on_evaluate, callback.on_train_end):
        event(None, None, None)
    """
    run_script(script, tmp_path / "run", python=torch_python, **{variable: "1"})
    assert not (tmp_path / "run").exists()

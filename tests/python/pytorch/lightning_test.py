"""sightline.lightning.SummaryLogger in trainings of the real PyTorch Lightning, by a Python that has it (--torch-python),
read back by the real tensorboard. Without --torch-python conftest.py leaves this file out."""

import pytest
from docs_test import scripts
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import metadata as hparams

# Debian's PyTorch 1.13.0a0 calls itself older than 1.13, and its sharded tensors cannot be imported with Python 3.11.
DEBIAN = """
import torch
if not hasattr(torch, "_UntypedStorage"):
    torch._UntypedStorage = torch.UntypedStorage
import pytorch_lightning
pytorch_lightning.LightningModule._register_sharded_tensor_state_dict_hooks_if_available = lambda self: None
"""


@pytest.fixture
def run_lightning(torch_python, run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda script: run_script(DEBIAN + script, python=torch_python).stdout


def test_a_training_with_lightning_is_recorded(run_lightning, tmp_path):
    printed = run_lightning(scripts("run with lightning")[0])
    assert printed.splitlines()[-1] == "run_lightning/net/version_0"
    run = EventAccumulator(
        str(tmp_path / "run_lightning/net/version_0"), size_guidance={"scalars": 0}
    ).Reload()
    losses = [(event.step, event.value) for event in run.Scalars("loss")]
    assert [step for step, _ in losses] == list(range(40))
    assert losses[-1][1] < losses[0][1]
    assert [event.value for event in run.Scalars("epoch")] == [step // 8 for step in range(40)]
    assert run.Tags()["histograms"] == ["weight"]
    content = run.SummaryMetadata("_hparams_/session_start_info").plugin_data.content
    assert hparams.parse_session_start_info_plugin_data(content).hparams["rate"].number_value == 0.1
    assert any(node.op == "aten::linear" for node in run.Graph().node)


def test_each_training_has_a_version_of_its_own(run_lightning, tmp_path):
    script = """
from sightline.lightning import SummaryLogger
for version in (None, None, 7, None, "named"):
    logger = SummaryLogger("runs", version=version)
    logger.log_metrics({"loss": 1.0}, 3)
    logger.finalize("success")
    print(logger.version, logger.name, logger.save_dir)
"""
    printed = run_lightning(script).splitlines()
    assert printed == [f"{version} lightning_logs runs" for version in (0, 1, 7, 8, "named")]
    run = EventAccumulator(str(tmp_path / "runs/lightning_logs/named")).Reload()
    assert [event.step for event in run.Scalars("loss")] == [3]


def test_nested_hyper_parameters_are_flat_and_what_is_no_number_is_text(run_lightning, tmp_path):
    run_lightning("""
from argparse import Namespace
from sightline.lightning import SummaryLogger
logger = SummaryLogger("runs", version="a")
logger.log_hyperparams({"optimizer": {"rate": 0.5, "betas": [1, 2]}, "none": None}, {"accuracy": 0.75})
logger.finalize("success")
logger = SummaryLogger("runs", version="b")
logger.log_hyperparams(Namespace(layers=3))
logger.save()
""")
    found = {}
    for version in "ab":
        run = EventAccumulator(str(tmp_path / "runs/lightning_logs" / version)).Reload()
        content = run.SummaryMetadata("_hparams_/session_start_info").plugin_data.content
        start = hparams.parse_session_start_info_plugin_data(content).hparams
        found |= {name: getattr(value, value.WhichOneof("kind")) for name, value in start.items()}
        if version == "a":
            assert run.Scalars("accuracy")[0].value == 0.75
    assert found == {
        "optimizer/rate": 0.5,
        "optimizer/betas": "[1, 2]",
        "none": "None",
        "layers": 3,
    }


def test_the_parameters_are_those_of_tensorboard_logger(run_lightning):
    run_lightning("""
import inspect
from pytorch_lightning.loggers import TensorBoardLogger
from sightline.lightning import SummaryLogger

def parameters(logger):
    *named, (_, others) = inspect.signature(logger).parameters.items()
    assert others.kind is inspect.Parameter.VAR_KEYWORD
    return [(name, parameter.default) for name, parameter in named]

assert parameters(SummaryLogger) == parameters(TensorBoardLogger), parameters(SummaryLogger)
try:
    SummaryLogger("runs", colour="red")
    raise AssertionError("no error")
except TypeError as error:
    assert "colour" in str(error), error
""")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('"s3://bucket/runs"', "save_dir is s3://bucket/runs, but must be a path of this machine"),
        ('"runs", flush_secs="soon"', "flush_secs is 'soon', but must be a number"),
        ('"runs", purge_step="x"', "purge_step is 'x', but must be a number"),
    ],
)
def test_wrong_options_are_refused_where_they_are_given(run_lightning, tmp_path, arguments, said):
    run_lightning(f"""
from sightline.lightning import SummaryLogger
try:
    SummaryLogger({arguments})
    raise AssertionError("no error")
except ValueError as error:
    assert {said!r} in str(error), error
""")
    assert not (tmp_path / "runs").exists()


def test_directories_and_names_are_tensorboard_loggers(run_lightning, tmp_path):
    printed = run_lightning("""
import os
from sightline.lightning import SummaryLogger
os.environ["WHERE"] = "runs"
logger = SummaryLogger("$WHERE", name=None, version=2, prefix="fold1", sub_dir="events", purge_step=1)
logger.log_metrics({"loss": 1.0, "both": {"train": 1.0, "test": 2.0}, "one": __import__("torch").ones(1)}, 3.5)
logger.log_hyperparams(None, 0.5)
logger.finalize("success")
print(logger.root_dir, logger.log_dir, repr(logger.name))
""")
    assert printed.splitlines()[-1] == "runs/ runs/version_2/events ''"
    run = EventAccumulator(str(tmp_path / "runs/version_2/events")).Reload()
    assert {tag: event.step for tag in run.Tags()["scalars"] for event in run.Scalars(tag)} == {
        "fold1-loss": 3, "fold1-one": 3, "fold1-hp_metric": 0,
    }  # fmt: skip
    content = run.SummaryMetadata("_hparams_/experiment").plugin_data.content
    assert [
        info.name.tag for info in hparams.parse_experiment_plugin_data(content).metric_infos
    ] == ["fold1-hp_metric"]
    assert (tmp_path / "runs/version_2/events/fold1-both_test").is_dir()


def test_hyper_parameters_are_in_a_file_too_and_have_a_metric_unless_that_is_switched_off(
    run_lightning, tmp_path
):
    run_lightning("""
from sightline.lightning import SummaryLogger
for version, on in (("on", True), ("off", False)):
    logger = SummaryLogger("runs", version=version, default_hp_metric=on)
    logger.log_hyperparams({"optimizer": {"rate": 0.5}})
    logger.save()
""")
    for version, metrics in (("on", ["hp_metric"]), ("off", [])):
        directory = tmp_path / "runs/lightning_logs" / version
        assert (directory / "hparams.yaml").read_text() == "optimizer:\n  rate: 0.5\n"
        assert EventAccumulator(str(directory)).Reload().Tags()["scalars"] == metrics


def test_a_logger_may_be_pickled_and_copied(run_lightning, tmp_path):
    run_lightning("""
import copy, pickle
from sightline.lightning import SummaryLogger
logger = SummaryLogger("runs", version="a")
logger.log_metrics({"loss": 1.0}, 1)
for step, other in enumerate([copy.deepcopy(logger), pickle.loads(pickle.dumps(logger))], 2):
    other.log_metrics({"loss": 1.0}, step)
    other.finalize("success")
logger.finalize("success")
""")
    run = EventAccumulator(str(tmp_path / "runs/lightning_logs/a")).Reload()
    assert sorted(event.step for event in run.Scalars("loss")) == [1, 2, 3]


def test_a_trained_module_is_tested_with_the_same_logger(run_lightning, tmp_path):
    (script,) = scripts("run with lightning")
    run_lightning(
        script
        + """
class Tested(Net):
    def test_step(self, batch, index):
        self.log("tested", 1.0)

trainer.test(Tested(rate=0.1), data, verbose=False)
"""
    )
    run = EventAccumulator(
        str(tmp_path / "run_lightning/net/version_0"), size_guidance={"scalars": 0}
    ).Reload()
    assert [event.step for event in run.Scalars("tested")] == [40]
    assert len(run.Scalars("loss")) == 40


def test_ranks_but_the_first_record_nothing(run_lightning, tmp_path):
    run_lightning("""
from pytorch_lightning.utilities import rank_zero_only
from sightline.lightning import SummaryLogger
rank_zero_only.rank = 1
logger = SummaryLogger("runs")
logger.log_metrics({"loss": 1.0}, 3)
logger.log_hyperparams({"a": 1})
logger.experiment.add_scalar("loss", 1.0)
logger.save()
logger.finalize("success")
""")
    assert not (tmp_path / "runs").exists()


def test_what_goes_wrong_with_the_files_is_said_and_not_raised(torch_python, run_script, tmp_path):
    script = (
        DEBIAN
        + """
import resource, signal, sys
from sightline.lightning import SummaryLogger
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
logger = SummaryLogger(sys.argv[1], version="full", log_graph=True)
logger.log_graph("no model", [1])
logger.log_metrics({"loss": 1.0}, 1)
logger.save()
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))  # As a full disk.
logger.log_metrics({"loss": 2.0}, 2)
logger.save()
logger.finalize("success")
print("trained")
"""
    )
    done = run_script(script, tmp_path, python=torch_python)
    assert done.stdout.splitlines()[-1] == "trained"
    # Lightning prints them as warnings, with the place in front; equal ones once.
    said = [line for line in done.stderr.splitlines() if "sightline: " in line]
    assert len(said) >= 2 and all("OSError" in line for line in said[1:]), done.stderr

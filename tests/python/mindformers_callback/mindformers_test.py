"""MindFormers itself, from the Python package index, beside MindSpore 2.7.0: configurations in its form, built by its own
registry, give our SummaryMonitor, which records a training."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
PAGE = TESTS.parents[1] / "docs" / "mindspore.md"

CONFIG = """
seed: 0
callbacks:
  - type: MFLossMonitor
  - type: SummaryMonitor
    summary_dir: {directory}
    collect_freq: 2
    collect_tensor_freq: {none}
    max_file_size: null
    collect_specified_data:
      histogram_regular: "fc.*"
      collect_input_data: False
    keep_default_action: True
    custom_lineage_data: {{note: first}}
    export_options: {{tensor_format: npy}}
"""

BUILD = """
import sys
{imports}
from mindformers.core.callback import build_callback
from mindformers.tools import MindFormerConfig

built = build_callback(MindFormerConfig(sys.argv[1]).callbacks)
ours = built[-1]
import mindspore
assert type(ours).__module__ == "sightline.mindspore.callback" and isinstance(ours, mindspore.Callback), type(ours)
"""

TRAIN = """
import networks
model = networks.model(networks.Dense())
model.train(1, networks.rows(4), [ours], dataset_sink_mode=False)
assert ours.stats.first_error is None, ours.stats.first_error
"""


@pytest.fixture
def run_config(run_script, tmp_path, monkeypatch):
    """run_config(script, more="", none="None", **environment): the script is given the configuration, with `more` lines."""
    monkeypatch.chdir(tmp_path)  # MindFormers writes logs where it is imported,

    def run(script, more="", none="None", **environment):
        config = tmp_path / "run.yaml"
        config.write_text(CONFIG.format(directory=tmp_path / "run", none=none) + more)
        # and caches into the home directory.
        return run_script(
            script,
            config,
            PYTHONPATH=str(TESTS / "mindspore_callback"),
            HOME=str(tmp_path),
            **environment,
        )

    return run


REGISTER = "import sightline.mindspore\nsightline.mindspore.register()"


def test_its_configuration_builds_ours_once_it_is_registered(run_config, recording, tmp_path):
    run_config(BUILD.format(imports=REGISTER) + TRAIN)
    run = recording(tmp_path / "run")
    assert [step for tag, step in run.scalars() if tag == "loss/auto"] == [1, 2, 4]
    assert {tag for tag, _ in run.of("histogram")} >= {"fc.weight/auto", "fc.bias/auto"}
    assert [event for event in run.events if '"first"' in str(event).replace("'", '"')]


DOCUMENTED = """
callbacks:
  - type: SummaryMonitor
    summary_dir: None
    collect_freq: 10
    collect_specified_data: None
    keep_default_action: True
    custom_lineage_data: None
    collect_tensor_freq: None
    max_file_size: None
    export_options: None
"""


def test_the_example_of_its_documentation_records_all_by_default(
    run_script, recording, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.yaml").write_text(DOCUMENTED)
    run_script(
        BUILD.format(imports=REGISTER) + TRAIN,
        "run.yaml",
        PYTHONPATH=str(TESTS / "mindspore_callback"),
        HOME=str(tmp_path),
    )
    run = recording(tmp_path / "output" / "summary" / "rank_0")
    assert ("loss/auto", 1) in run.scalars() and ("fc.weight/auto", 1) in run.of("histogram")


def test_without_ours_it_builds_its_own(run_config):
    theirs = BUILD.format(imports="import mindformers").replace(
        "sightline.mindspore.callback", "mindspore.train.callback._summary_collector"
    )
    run_config(theirs, none="null")  # The word None is a text to it.


def test_a_file_of_register_path_brings_ours(run_config, tmp_path):
    (tmp_path / "register").mkdir()
    (tmp_path / "register" / "sightline_callback.py").write_text(
        PAGE.read_text()
        .partition("<!-- sightline_callback.py -->\n```python\n")[2]
        .partition("```")[0]
    )
    register = "    auto_register: sightline_callback.SummaryMonitor\n"
    run_config(
        BUILD.format(imports="import mindformers"),
        register,
        REGISTER_PATH=str(tmp_path / "register"),
    )


def test_its_registry_and_its_trainer_take_our_profile_monitor(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = (
        REGISTER
        + """
from mindformers.tools.register import MindFormerModuleType, MindFormerRegister
from sightline.mindspore import ProfileMonitor
assert MindFormerRegister.get_cls(MindFormerModuleType.CALLBACK, "ProfileMonitor") is ProfileMonitor
import mindformers.trainer.trainer as trainer
assert trainer.ProfileMonitor is ProfileMonitor
"""
    )
    run_script(script, PYTHONPATH=str(TESTS / "mindspore_callback"), HOME=str(tmp_path))


RECORD = (
    REGISTER
    + """
import os, signal, sys
from mindformers.tools import MindFormerConfig
from mindformers.utils import tensorboard

tensorboard._set_tensorboard_writer(MindFormerConfig(tensorboard_dir=sys.argv[1], tensorboard_queue_size=10))
tensorboard.write_args_to_tensorboard(MindFormerConfig(seed=7))
writer = tensorboard.get_tensorboard_writer()
for step in range(1, 101):
    writer.add_scalar("loss", 1 / step, step)
    writer.add_scalars("expert_load/0", {"ep_0": step, "ep_1": 2 * step}, step)
os.kill(os.getpid(), signal.SIGKILL)
"""
)


def test_what_it_records_through_tensorboardx_survives_sigkill(
    run_script, recording, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    run_script(RECORD, tmp_path / "run", check=False, HOME=str(tmp_path))
    run = recording(tmp_path / "run")
    scalars = run.scalars()
    assert len(scalars) == 300 and scalars["expert_load/0/ep_1", 100] == 200
    assert "seed/text_summary" in {value["tag"] for _, value in run.values}

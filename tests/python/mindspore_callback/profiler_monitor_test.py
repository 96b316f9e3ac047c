"""sightline.mindspore.DynamicProfilerMonitor in one training: switched on, changed, broken and off."""

import json
from pathlib import Path

import mindspore as ms
import networks
import pytest
from mindspore.train.callback import RunContext
from sightline.mindspore import DynamicProfilerMonitor
from sightline.mindspore.dynamic_config import DEFAULTS

STEPS = 14


class Edits(ms.Callback):
    """Writes these texts into the file at the end of these steps."""

    def __init__(self, file, texts):
        super().__init__()
        self.file, self.texts = file, texts

    def on_train_step_end(self, run_context):
        text = self.texts.get(run_context.original_args().cur_step_num)
        if text is not None:
            unfinished = self.file.with_suffix(
                ".new"
            )  # Another file, so that the same size and time are seen too.
            unfinished.write_text(text)
            unfinished.replace(self.file)


def steps_of(folder):
    """How many steps a session has, by the operator that runs once in each."""
    for line in (folder / "FRAMEWORK/cpu_op_type_info_0.csv").read_text().splitlines():
        if line.startswith("SparseSoftmaxCrossEntropyWithLogits,") or line.startswith("BiasAdd,"):
            return int(line.split(",")[1])
    return 0


def test_a_training_is_profiled_as_its_file_says(tmp_path):
    lines = []
    file = tmp_path / "cfg/profiler_config.json"
    monitor = DynamicProfilerMonitor(str(tmp_path / "cfg"), str(tmp_path / "out"), say=lines.append)
    assert json.loads(file.read_text()) == DEFAULTS
    assert file.read_text().startswith('{\n    "start_step": -1')
    edits = {
        2: json.dumps(
            {"start_step": 4, "stop_step": 6, "analyse": True, "with_stack": True, "colour": 1}
        ),
        7: '{"start_step": 9, "stop_st',  # Broken: what was said before holds, and that is done.
        8: json.dumps({"start_step": 2, "stop_step": 12}),  # Passed.
        9: json.dumps({"start_step": 11, "stop_step": 11, "activities": ["NPU"]}),
        11: json.dumps({"start_step": 13, "stop_step": 90, "profile_memory": True}),
    }
    model = networks.model(networks.Dense())
    model.train(
        1, networks.rows(STEPS), callbacks=[monitor, Edits(file, edits)], dataset_sink_mode=False
    )

    folders = {path.parent.name: path for path in (tmp_path / "out").glob("*/*_ascend_ms")}
    assert sorted(folders) == ["rank0_start11_stop11", "rank0_start13_stop90", "rank0_start4_stop6"]
    first, last = folders["rank0_start4_stop6"], folders["rank0_start13_stop90"]
    assert steps_of(first) == 3
    assert (first / "ASCEND_PROFILER_OUTPUT/trace_view.json").exists() and (
        first / "summary.json"
    ).exists()
    assert not list(folders["rank0_start11_stop11"].glob("FRAMEWORK/cpu_op*"))
    assert steps_of(last) == STEPS - 12
    assert (last / "FRAMEWORK/cpu_ms_memory_record_0.txt").exists() and not (
        last / "summary.json"
    ).exists()

    said = [line for line in lines if str(file) in line]
    assert said[0].endswith("unknown keys are ignored: colour")
    assert said[1].endswith("these keys have no effect on the processor: with_stack")
    assert "the earlier settings stay: it is not JSON" in said[2]
    assert said[3].endswith("start_step 2 has passed, this is step 9: nothing is recorded")
    assert "the training ends before step 90: the profile has the steps so far" in lines


def test_a_file_that_vanishes_is_reported_once(tmp_path):
    lines = []
    monitor = DynamicProfilerMonitor(str(tmp_path), str(tmp_path / "out"), say=lines.append)
    for step in range(1, 6):
        if step == 3:
            (tmp_path / "profiler_config.json").unlink()
        monitor.on_train_step_begin(RunContext({"cur_step_num": step}))
    assert len(lines) == 1 and "the earlier settings stay" in lines[0]


def test_an_existing_file_stays(tmp_path):
    (tmp_path / "profiler_config.json").write_text("{}")
    DynamicProfilerMonitor(str(tmp_path))
    assert (tmp_path / "profiler_config.json").read_text() == "{}"


@pytest.mark.parametrize("arguments", [(3,), ("cfg", 3), ("cfg", "out", "2"), (Path("cfg"),)])
def test_arguments_of_other_types_are_refused(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match="must be an? (str|int)"):
        DynamicProfilerMonitor(*arguments)

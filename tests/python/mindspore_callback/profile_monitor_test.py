"""sightline.mindspore.ProfileMonitor, and a Profiler where MS_PROFILER_OPTIONS started MindSpore's."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import networks
import pytest
from mindspore.train.callback import RunContext
from profiler_monitor_test import steps_of
from sightline.mindspore import ProfileMonitor

STEPS = 8


def train(monitor, **options):
    model = networks.model(networks.Dense())
    model.train(
        1, networks.rows(STEPS), callbacks=[monitor], **({"dataset_sink_mode": False} | options)
    )


def folder_below(path):
    (folder,) = Path(path).glob("profile/rank_*/*_ascend_ms")
    return folder


def test_exactly_the_steps_of_the_configuration_are_recorded(tmp_path):
    lines = []
    monitor = ProfileMonitor(
        3, 5, str(tmp_path), start_profile=False, profile_memory=True, say=lines.append
    )
    train(monitor)
    folder = folder_below(tmp_path)
    assert folder.parent.name == "rank_0"
    assert steps_of(folder) == 3
    assert (folder / "summary.json").exists() and (
        folder / "FRAMEWORK/cpu_ms_memory_record_0.txt"
    ).exists()
    assert all("steps come together" not in line for line in lines)


def test_from_the_beginning_it_records_up_to_the_stop(tmp_path):
    train(ProfileMonitor(stop_step=2, output_path=str(tmp_path), say=lambda line: None))
    assert steps_of(folder_below(tmp_path)) == 2


def test_a_training_that_ends_first_leaves_what_there_was(tmp_path):
    lines = []
    train(ProfileMonitor(7, 20, str(tmp_path), start_profile=False, say=lines.append))
    assert steps_of(folder_below(tmp_path)) == 2
    assert "ends before step 20" in lines[0]


def test_a_key_that_the_configuration_lacks_has_its_default(tmp_path):
    keys = [
        "start_step",
        "stop_step",
        "start_profile",
        "profile_rank_ids",
        "profile_pipeline",
        "profile_communication",
    ]
    keys += ["profile_memory", "profiler_level", "with_stack", "data_simplification", "mstx"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        monitor = ProfileMonitor(
            output_path=str(tmp_path), config=None, **dict.fromkeys(keys)
        )  # As the trainer calls it.
    train(monitor)
    assert steps_of(folder_below(tmp_path)) == STEPS


@pytest.mark.parametrize(
    ("options", "steps", "said"),
    [
        ({"start_step": -3, "stop_step": 4}, (1, 4), "profile_start_step is -3"),
        ({"start_step": 1, "stop_step": -1}, (1, 10), "profile_stop_step is -1"),
        ({"start_step": 9, "stop_step": 4}, (1, 10), "is after"),
        ({"start_step": 2, "start_profile": True}, (2, 10), "init_start_profile has no effect"),
        ({"mstx": True, "start_profile": False}, (1, 10), "mstx has no effect"),
        ({"profiler_level": 2, "start_profile": False}, (1, 10), "profiler_level"),
        ({"colour": 1, "start_profile": False}, (1, 10), "unknown arguments are ignored: colour"),
    ],
)
def test_what_is_put_right_or_does_nothing_is_said(tmp_path, options, steps, said):
    with pytest.warns(UserWarning) as warned:
        monitor = ProfileMonitor(
            **({"output_path": str(tmp_path), "start_profile": False} | options)
        )
    assert any(said in str(one.message) for one in warned), [str(one.message) for one in warned]
    assert (monitor._start, monitor._stop) == steps


def test_only_chosen_ranks_are_profiled(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK_ID", "2")
    monkeypatch.setenv("RANK_SIZE", "8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of = {
            name: ProfileMonitor(output_path=str(tmp_path), start_profile=False, **options).profiler
            for name, options in {
                "all": {},
                "listed": {"profile_rank_ids": [2, 3]},
                "not listed": {"profile_rank_ids": [3]},
                "not the first of a stage": {"profile_pipeline": True},
                "listed beside the stages": {"profile_pipeline": True, "profile_rank_ids": [2]},
            }.items()
        }
    assert {name for name, profiler in of.items() if profiler is not None} == {
        "all",
        "listed",
        "listed beside the stages",
    }


class Context(dict):
    def __getattr__(self, name):
        return self[name]


def test_whole_sinks_are_recorded_and_named(tmp_path):
    """A callback in sink mode sees the last step of each sink of four."""
    lines = []
    monitor = ProfileMonitor(6, 9, str(tmp_path), start_profile=False, say=lines.append)
    for step in (4, 8, 12, 16):
        context = RunContext(Context(cur_step_num=step))
        monitor.on_train_step_begin(context)
        monitor.on_train_step_end(context)
    assert lines[:2] == [
        "in sink mode steps come together: the profile begins with step 5, not with 6",
        "in sink mode steps come together: the profile ends with step 12, not with 9",
    ]
    assert folder_below(tmp_path)


def test_the_distribution_of_the_configuration_is_metadata(tmp_path):
    class Sizes:
        def to_dict(self):
            return {"model_parallel": 4, "pipeline_stage": 2}

    class Config:
        parallel = {"parallel_mode": "semi_auto_parallel", "device_num": 8}
        parallel_config = Sizes()

    train(
        ProfileMonitor(
            stop_step=1, output_path=str(tmp_path), config=Config(), say=lambda line: None
        )
    )
    metadata = json.loads((folder_below(tmp_path) / "profiler_metadata.json").read_text())
    assert metadata["distributed_args"]["tensor_model_parallel_size"] == 4
    assert metadata["distributed_args"]["world_size"] == 8


ADOPTING = """
import warnings
import mindspore, networks
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from sightline.mindspore import Profiler
    from sightline.profiler import span
    profiler = Profiler(output_path="elsewhere")
model = networks.model(networks.Dense())
model.train(1, networks.rows(4), dataset_sink_mode=False)
with span("my own work"):
    pass
profiler.analyse()
print(profiler.folder)
for one in said:
    print(one.message)
"""


def test_mindspores_session_of_the_environment_is_adopted(tmp_path):
    options = json.dumps({"start": True, "output_path": str(tmp_path / "out"), "colour": 1})
    path = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", ADOPTING],
        env=os.environ | {"MS_PROFILER_OPTIONS": options, "PYTHONPATH": os.pathsep.join(path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "[ERROR]" not in done.stderr
    folder, *said = [
        line for line in done.stdout.splitlines() if line.startswith(("/", "MS_PROFILER"))
    ]
    assert Path(folder).parent == tmp_path / "out" and not (tmp_path / "elsewhere").exists()
    assert "this Profiler continues it" in said[0] and "colour" in said[1]
    assert steps_of(Path(folder)) == 4
    assert (Path(folder) / "ASCEND_PROFILER_OUTPUT/trace_view.json").exists()
    assert (Path(folder) / "summary.json").exists() and list(
        (Path(folder) / "sightline").glob("*.perfetto-trace")
    )

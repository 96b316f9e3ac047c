"""sightline.mindspore.profile and what belongs to it, beside MindSpore's own in the versions that have it."""

import json
import warnings
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import profiler as theirs
from sightline.mindspore import (
    ProfilerAction,
    _ExperimentalConfig,
    mstx,
    profile,
    schedule,
    tensorboard_trace_handler,
)
from sightline.mindspore.profiler_files import run_sightline


def folders(path):
    return sorted(Path(path).glob("*_ascend_ms"))


def multiplications(folder):
    for line in (folder / "FRAMEWORK/cpu_op_type_info_0.csv").read_text().splitlines():
        if line.startswith("MatMul,"):
            return int(line.split(",")[1])
    return 0


def train(profiler, steps):
    net = ms.nn.Dense(4, 4)
    for _ in range(steps):
        net(ms.Tensor(np.ones((2, 4), np.float32))).asnumpy()  # Operators run later otherwise.
        profiler.step()


@pytest.mark.parametrize(
    "arguments",
    [
        {"wait": 1, "warmup": 1, "active": 2, "repeat": 2, "skip_first": 1},
        {"wait": 0, "active": 1},
        {"wait": 2, "active": 3, "warmup": 1, "repeat": 0, "skip_first": 4},
        {"wait": 3, "active": 1, "repeat": 1},
        {"wait": -1, "active": 0, "warmup": True, "repeat": "2", "skip_first": 1.5},
    ],
)
def test_a_schedule_is_that_of_mindspore(arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = schedule(**arguments)
    other = theirs.schedule(**arguments)
    assert [ours(step).name for step in range(40)] == [other(step).name for step in range(40)]
    assert ours.to_dict() == other.to_dict()
    with pytest.raises(ValueError, match="step is -1"):
        ours(-1)


def test_a_schedule_that_fails_does_not_end_the_training(tmp_path):
    def broken(step):
        if step == 1:
            raise RuntimeError("no plan")
        return "fast" if step == 2 else ProfilerAction.NONE

    handler = tensorboard_trace_handler(str(tmp_path))
    with pytest.warns(UserWarning) as said, profile(schedule=broken, on_trace_ready=handler) as one:
        for _ in range(4):
            one.step()
    texts = [str(warning.message) for warning in said]
    assert any("the schedule of step 1: no plan" in text for text in texts)
    assert any(
        "the schedule of step 2: 'fast' is not a valid ProfilerAction" in text for text in texts
    )
    assert folders(tmp_path) == []


def test_a_value_that_is_corrected_is_said():
    with pytest.warns(UserWarning, match="active is 0, no int of 1 or more: it is 1"):
        assert schedule(wait=0, active=0).active == 1


@pytest.mark.parametrize("chosen", [schedule, theirs.schedule])
def test_each_cycle_has_a_folder_with_its_steps(tmp_path, chosen):
    ready = []
    handler = tensorboard_trace_handler(str(tmp_path), "worker7")

    def on_ready(profiler):
        ready.append(profiler.step_num)
        handler(profiler)

    on_ready.dir_name, on_ready.worker_name = handler.dir_name, handler.worker_name
    cycles = chosen(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    with profile(schedule=cycles, on_trace_ready=on_ready) as profiler:
        train(profiler, 12)
    assert ready == [5, 9]
    assert len(folders(tmp_path)) == 2
    for folder in folders(tmp_path):
        assert folder.name.startswith("worker7_")
        assert multiplications(folder) == 2
        assert (folder / "ASCEND_PROFILER_OUTPUT/trace_view.json").exists()


def test_the_steps_are_marked(tmp_path):
    with profile(
        schedule=schedule(wait=2, active=2, repeat=1, warmup=1),
        on_trace_ready=tensorboard_trace_handler(str(tmp_path)),
    ) as profiler:
        train(profiler, 6)
    steps = json.loads(run_sightline("profile", "steps", "--json", profiler.folder).splitlines()[0])
    assert steps


def test_without_a_schedule_all_steps_are_recorded(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as profiler:
            train(profiler, 5)
    assert multiplications(folders(tmp_path)[0]) == 5


def test_a_cycle_that_is_not_finished_is_kept_and_said(tmp_path):
    handler = tensorboard_trace_handler(str(tmp_path))
    with pytest.warns(UserWarning, match="stops within a cycle"):
        with profile(schedule=schedule(wait=0, warmup=1, active=5), on_trace_ready=handler) as one:
            train(one, 3)
    assert multiplications(folders(tmp_path)[0]) == 2


def test_what_has_no_effect_is_said_once(tmp_path):
    config = _ExperimentalConfig(profiler_level="Level1", l2_cache=True)
    with pytest.warns(UserWarning) as said:
        profile(
            with_stack=True,
            pcie=True,
            start_profile=False,
            on_trace_ready=tensorboard_trace_handler(str(tmp_path)),
            experimental_config=config,
        )
    assert [str(one.message) for one in said] == [
        "no effect on the processor: with_stack, pcie, profiler_level, l2_cache"
    ]


def test_mindspores_own_configuration_is_taken(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        profile(
            activities=[theirs.ProfilerActivity.CPU, theirs.ProfilerActivity.NPU],
            start_profile=False,
            experimental_config=theirs._ExperimentalConfig(),
        )
    with pytest.warns(UserWarning, match="no effect on the processor: profiler_level$"):
        profile(
            start_profile=False,
            experimental_config=theirs._ExperimentalConfig(
                profiler_level=theirs.ProfilerLevel.Level2
            ),
        )


def test_wrong_calls_warn_and_do_not_end_the_training(tmp_path):
    one = profile(start_profile=False, on_trace_ready=tensorboard_trace_handler(str(tmp_path)))
    with pytest.warns(UserWarning, match="step\\(\\) has no effect"):
        one.step()
    with pytest.warns(UserWarning, match="stop\\(\\) has no effect"):
        one.stop()
    assert one.current_action is ProfilerAction.RECORD


def test_ranges_and_marks_of_mstx_are_recorded(tmp_path):
    assert mstx.range_start("nothing records") == 0
    mstx.range_end(0)
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as profiler:
        mine = mstx.range_start("my range", domain="mine")
        mstx.mark("my mark")
        train(profiler, 1)
        mstx.range_end(mine)
    assert mine > 0
    out = tmp_path / "all.json"
    run_sightline("profile", "export", profiler.folder, "-o", str(out))
    names = {event["name"] for event in json.loads(out.read_text())}
    assert {"my range", "my mark"} <= names

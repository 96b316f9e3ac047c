"""profiler_config.json of DynamicProfilerMonitor: what a file asks for, and what is wrong with it."""

import json

import pytest
from sightline.mindspore.dynamic_config import DEFAULTS, Request, parse


def parsed(**keys):
    return parse(json.dumps(keys))


def test_the_default_file_asks_for_nothing():
    assert parse(json.dumps(DEFAULTS)) == Request()
    assert parsed() == Request()


def test_keys_of_both_versions():
    # As MindSpore 2.4's documents have it.
    old = parsed(
        start_step=10,
        stop_step=12,
        aicore_metrics=-1,
        profiler_level=-1,
        profile_framework=-1,
        analyse_mode=0,
        profile_communication=False,
        parallel_strategy=True,
        with_stack=True,
        data_simplification=False,
    )
    assert (old.start, old.stop, old.analyse, old.mode) == (10, 12, True, "sync")
    assert old.notices == [
        "these keys have no effect on the processor: parallel_strategy, with_stack, data_simplification"
    ]
    new = parsed(
        start_step=3,
        stop_step=3,
        analyse=True,
        analyse_mode=1,
        profile_memory=True,
        activities=["CPU"],
    )
    assert new == Request(3, 3, True, "async", True, True, "./", [])
    assert not parsed(activities=["NPU"]).operators and not parsed(activities=2).operators
    assert parsed(activities=0).operators


def test_unknown_keys_are_named():
    assert parsed(start_steps=3).notices == ["unknown keys are ignored: start_steps"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("{", "it is not JSON"),
        ('{"start_step":' * 100_000, "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ('{"start_step": 5, "stop_step": 4}', "start_step is 5 and stop_step 4"),
        ('{"start_step": 0, "stop_step": 4}', "start_step is 0 and stop_step 4"),
        ('{"start_step": "5"}', "start_step is '5': it must be an integer"),
        ('{"analyse": 1}', "analyse is 1: it must be true or false"),
        ('{"analyse_mode": 2}', "analyse_mode is 2"),
        ('{"activities": "CPU"}', "activities is 'CPU'"),
        ('{"prof_path": 3}', "prof_path is 3"),
    ],
)
def test_what_cannot_be_done_is_said(text, message):
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        parse(text)

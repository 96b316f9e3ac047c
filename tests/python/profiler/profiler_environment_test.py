"""MS_PROFILER_OPTIONS in a program without MindSpore: importing sightline.profiler records it."""

import os
import subprocess
import sys

import pytest
from sightline import _profiler_environment

PROGRAM = """
import warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from sightline.profiler import profile, recording, span
for one in said:
    print(one.message)
print("recording", recording())
with span("work"):
    pass
"""


def run(options, tmp_path, more=""):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + more],
        env=os.environ | {"MS_PROFILER_OPTIONS": options},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def files(folder):
    return sorted(path.suffix for path in folder.glob("profile_*"))


def test_a_program_is_recorded_to_its_end(tmp_path):
    assert run('{"start": true, "output_path": "out", "aicore_metrics": 0}', tmp_path) == [
        "recording True"
    ]
    (path,) = (tmp_path / "out").glob("*.perfetto-trace")
    assert b"work" in path.read_bytes()


@pytest.mark.parametrize("options", ["", "{}", '{"start": false, "output_path": "out"}'])
def test_without_a_start_nothing_is_recorded(options, tmp_path):
    assert run(options, tmp_path) == ["recording False"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('{"start": true', "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[true]", "it must be an object"),
        ('{"start": "yes"}', "start is 'yes'"),
    ],
)
def test_what_is_wrong_is_said_and_records_nothing(options, said, tmp_path):
    notice, state = run(options, tmp_path)
    assert said in notice and state == "recording False"


def test_unknown_keys_are_named(tmp_path):
    notice, state = run(
        '{"start": true, "output_path": "out", "colour": 1, "shape": 2, "l2_cache": true}', tmp_path
    )
    assert notice == "MS_PROFILER_OPTIONS: unknown keys are ignored: colour, shape"
    assert state == "recording True"


def test_a_wrong_path_is_said_and_the_default_used():
    options = _profiler_environment.parse('{"start": true, "output_path": 7}')
    assert (
        options.start
        and options.output_path == "./data"
        and "output_path is 7" in options.notices[0]
    )


def test_a_folder_that_refuses_does_not_stop_the_program(tmp_path):
    (tmp_path / "out").write_text("a file")
    notice, state = run('{"start": true, "output_path": "out"}', tmp_path)
    assert "nothing is recorded" in notice and state == "recording False"


def test_a_profile_of_the_programs_own_ends_it(tmp_path):
    run(
        '{"start": true, "output_path": "out"}',
        tmp_path,
        'with profile("own"):\n    with span("own"):\n        pass\n',
    )
    (first,) = (tmp_path / "out").glob("*.perfetto-trace")
    (second,) = (tmp_path / "own").glob("*.perfetto-trace")
    assert b"work" in first.read_bytes() and b"own" in second.read_bytes()

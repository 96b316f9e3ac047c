"""sightline.landscape: a quadratic in NumPy."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sightline import landscape
from small_training import CHECKPOINTS, write_training

POINTS = 5 * 5 + 3  # The grid and the path.


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_training(tmp_path / "run")


def quadratic(parameters: Any) -> float:
    assert parameters["steps"] == 3
    return sum(
        float((parameters[name].astype(np.float64) ** 2).sum()) for name in ("w.weight", "b.bias")
    )


class Counting:
    """Calls of a loss in this process."""

    def __init__(
        self, loss: Callable[[Any], Any] = quadratic, ends_after: int | None = None
    ) -> None:
        self.calls = 0
        self.loss = loss
        self.ends_after = ends_after

    def __call__(self, parameters: Any) -> Any:
        if self.calls == self.ends_after:
            raise ConnectionError("the power is out")
        self.calls += 1
        return self.loss(parameters)


def test_a_landscape_is_the_loss_at_every_point_and_is_recorded_under_mindspores_tag(
    run, recording
):
    (made,) = landscape.generate(run, quadratic)
    assert (made.tag, made.decomposition, made.z.shape) == ("landscape_[1, 3]", "PCA", (5, 5))
    # A quadratic on a plane: third differences along each axis vanish.
    for axis in (0, 1):
        np.testing.assert_allclose(np.diff(made.z, 3, axis=axis), 0, atol=1e-3)
    assert made.path.numbers == [1, 2, 3]
    assert made.path.z[-1] == 0.25 + 1 + 1 + 9 + 4 + 49
    assert sum(made.explained_variance) == pytest.approx(1)
    (value,) = recording(run).of("loss_landscape").values()
    assert value["landscape"]["z"]["dims"] == ["5", "5"]
    np.testing.assert_allclose(value["landscape"]["z"]["float_data"], made.z.ravel(), rtol=1e-6)
    np.testing.assert_allclose(
        value["loss_path"]["points"]["z"]["float_data"], made.path.z, rtol=1e-6
    )


def test_the_wheels_program_draws_it(run, tmp_path):
    landscape.generate(run, quadratic)
    program = shutil.which("sightline", path=sysconfig.get_path("scripts"))
    subprocess.run(
        [program, "landscape", "export", "--format", "png", "-o", tmp_path, run], check=True
    )
    assert (tmp_path / "landscape_1_3.png").read_bytes().startswith(b"\x89PNG")


def test_a_point_may_have_several_numbers(run):
    (made,) = landscape.generate(
        run, lambda parameters: (quadratic(parameters), parameters["b.bias"][0])
    )
    assert made.metrics.shape == (5, 5, 2)
    np.testing.assert_array_equal(made.metrics[:, :, 0], made.z)
    assert np.ptp(made.metrics[:, :, 1]) > 0


def test_what_was_computed_is_not_computed_again_and_recorded_once(run, recording):
    landscape.generate(run, quadratic)
    again = Counting()
    landscape.generate(run, again)
    assert again.calls == 0
    assert len(recording(run).of("loss_landscape")) == 1


def test_after_an_error_the_rest_is_computed(run, tmp_path):
    with pytest.raises(ConnectionError, match="the power is out"):
        landscape.generate(run, Counting(ends_after=10))
    rest = Counting()
    (made,) = landscape.generate(run, rest)
    assert rest.calls == POINTS - 10
    (whole,) = landscape.generate(run, quadratic, output=tmp_path / "other")
    np.testing.assert_array_equal(made.z, whole.z)


KILLED = """
import os, signal, sys
from sightline import landscape

calls = 0

def loss(parameters):
    global calls
    if calls == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    calls += 1
    return sum(float((parameters[name].astype("float64") ** 2).sum()) for name in ("w.weight", "b.bias"))

landscape.generate(sys.argv[1], loss)
"""


def test_killed_inside_the_loss_it_goes_on_without_losing_a_point(run, run_script, tmp_path):
    for before in (0, 1, 7):
        assert run_script(KILLED, run, before, check=False).returncode == -signal.SIGKILL
    rest = Counting()
    (made,) = landscape.generate(run, rest)
    assert rest.calls == POINTS - (0 + 1 + 7)
    (whole,) = landscape.generate(run, quadratic, output=tmp_path / "other")
    np.testing.assert_array_equal(made.z, whole.z)


def expect_the_same_bits(run: Path, executor: Executor) -> None:
    """As without an executor, in every number; and nothing is left."""
    (alone,) = landscape.generate(run, quadratic, output=run.parent / "alone", lines=6)
    (spread,) = landscape.generate(run, quadratic, executor=executor, lines=6)
    np.testing.assert_array_equal(spread.z, alone.z)
    np.testing.assert_array_equal(spread.path.z, alone.path.z)
    for ours, other in zip(spread.lines, alone.lines, strict=True):
        np.testing.assert_array_equal(ours.z, other.z)
    assert not [*run.glob(".*.plane"), *run.glob(".*.unfinished")]


@pytest.mark.parametrize("processes", [1, 2, 4])
def test_processes_give_the_same_bits(run, processes):
    with ProcessPoolExecutor(processes) as executor:
        expect_the_same_bits(run, executor)


def test_threads_give_the_same_bits(run):
    with ThreadPoolExecutor(2) as executor:
        expect_the_same_bits(run, executor)


def test_a_cluster_of_dask_gives_the_same_bits(run, dask_executor):
    expect_the_same_bits(run, dask_executor)


def fails_to_the_right(parameters: Any) -> float:
    """The last checkpoint's own point, and what lies on one side of it."""
    if parameters["b.bias"][0] > 2:
        raise ArithmeticError(f"in process {os.getpid()}")
    return quadratic(parameters)


def test_what_other_processes_computed_before_an_error_is_kept(run):
    with ProcessPoolExecutor(2) as executor, pytest.raises(ArithmeticError, match="in process"):
        landscape.generate(run, fails_to_the_right, executor=executor, in_flight=3)
    rest = Counting()
    landscape.generate(run, rest)
    assert 0 < rest.calls < POINTS


def test_a_process_that_is_lost_ends_the_work_which_then_goes_on(run):
    with ProcessPoolExecutor(1) as executor:
        with pytest.raises(Exception, match="terminated abruptly"):
            landscape.generate(run, kills_its_process, executor=executor, in_flight=1)
    (made,) = landscape.generate(run, quadratic)
    assert np.isfinite(made.z).all()
    assert not [*run.glob(".*.plane")]


def kills_its_process(parameters: Any) -> float:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_what_a_killed_process_left_is_gone_after_the_next_start(run):
    for left in (".landscape_1_3_PCA.plane", ".landscape_1_3_PCA.plane.unfinished"):
        (run / left).write_bytes(b"of a process that was killed")
    landscape.generate(run, quadratic)
    assert not [*run.glob(".*.plane*")]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="notes are of Python 3.11")
@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor])
def test_an_error_names_the_point(run, pool):
    with contextlib.ExitStack() as stack, pytest.raises(ArithmeticError) as error:
        landscape.generate(
            run, fails_to_the_right, executor=stack.enter_context(pool(2)) if pool else None
        )
    assert re.fullmatch(r"The loss was asked for the point \(.*, .*\)\.", error.value.__notes__[0])


@pytest.mark.parametrize("answer", ["many", None, [1, None]])
def test_what_is_no_number_is_an_error_and_nan_is_none(run, answer):
    with pytest.raises(
        ValueError, match="the loss returned .*, but must return a number, or several"
    ):
        landscape.generate(run, lambda _: answer)
    (made,) = landscape.generate(run, lambda _: float("nan"))
    assert np.isnan(made.z).all()


def test_lines_run_along_the_directions_and_between_the_checkpoints(run):
    (made,) = landscape.generate(
        run, lambda parameters: (quadratic(parameters), 7), size=(5, 1), lines=8
    )
    assert [line.along for line in made.lines] == ["first", "second", "checkpoints"]
    between = made.lines[2]
    np.testing.assert_allclose(between.at, np.linspace(-0.2, 1.2, 8))
    moving = ("w.weight", "b.bias")
    first, last = (
        np.concatenate([np.ravel(CHECKPOINTS[number][name]) for name in moving])
        for number in (1, 3)
    )
    expected = [(((1 - t) * first + t * last) ** 2).sum() for t in between.at]
    np.testing.assert_allclose(between.z, expected, rtol=1e-5)
    assert between.metrics.shape == (8, 2)
    assert made.z.shape == (1, 5)
    assert list(made.y) == [0]


def test_directions_may_be_given_as_arrays(run):
    one = {"w.weight": [[1, 0], [0, 0]], "b.bias": [0, 0]}
    two = {"w.weight": [[0, 0], [2, 0]], "b.bias": [0, 0]}
    (made,) = landscape.generate(run, quadratic, directions=[one, two], normalisation="none")
    assert (made.decomposition, made.explained_variance) == ("Given", None)
    np.testing.assert_allclose(made.path.x, [0.5, 1.5, 0])
    np.testing.assert_allclose(made.path.y, [1, 0, 0])
    with pytest.raises(ValueError, match="given_directions has 1"):
        landscape.generate(run, quadratic, directions=[one])


def test_filter_normalisation_is_that_of_li_et_al(run):
    """Against NumPy: each row of a weight has the norm of that row in the last checkpoint."""
    seen: dict[tuple[float, ...], Any] = {}

    def loss(parameters: Any) -> float:
        seen[len(seen)] = {
            name: np.array(parameters[name], np.float64) for name in ("w.weight", "b.bias")
        }
        return 0.0

    landscape.generate(
        run, loss, size=(1, 1), x_range=(1, 1), y_range=(0, 0), normalisation="filter", train=True
    )
    last = {name: np.array(value, np.float64) for name, value in CHECKPOINTS[3].items()}
    point = [*seen.values()][-1]  # The grid's one, after the path's.
    raw: dict[int, Any] = {}
    landscape.generate(
        run,
        lambda parameters: (
            raw.setdefault(len(raw), {n: np.array(parameters[n], np.float64) for n in last}) and 0.0
        ),
        size=(1, 1),
        x_range=(1, 1),
        y_range=(0, 0),
        normalisation="none",
        restart=True,
    )
    unscaled = [*raw.values()][-1]
    for name, axis in (("w.weight", 1), ("b.bias", 0)):
        direction = unscaled[name] - last[name]
        expected = direction * np.linalg.norm(last[name], axis=axis, keepdims=True)
        expected /= np.linalg.norm(direction, axis=axis, keepdims=True)
        np.testing.assert_allclose(point[name] - last[name], expected, rtol=1e-4, atol=1e-5)


def test_progress_counts_every_point(run):
    seen = []
    landscape.generate(run, quadratic, progress=seen.append)
    assert [progress.done for progress in seen] == [*range(1, POINTS + 1)]
    assert {(progress.tag, progress.points) for progress in seen} == {("landscape_[1, 3]", POINTS)}
    assert seen[-1].seconds_left == 0


def test_other_options_are_refused_unless_restarted(run):
    landscape.generate(run, quadratic)
    with pytest.raises(RuntimeError, match="points of another landscape"):
        landscape.generate(run, quadratic, normalisation="filter")
    (made,) = landscape.generate(run, quadratic, normalisation="filter", restart=True, size=(4, 3))
    assert made.z.shape == (3, 4)


@pytest.mark.parametrize(
    "option, message",
    [
        ({"normalisation": "batch"}, 'normalisation is "batch"'),
        ({"size": -1}, "x_size is -1"),
        ({"x_range": (1, 0)}, "x_range is 1 to 0"),
        ({"parameters": "("}, "must be a regular expression"),
        ({"in_flight": 0}, "in_flight is 0"),
        (
            {"metadata": {"landscape_size": 2}},
            "'landscape_size' is not a whole number from 3 to 256",
        ),
    ],
)
def test_a_wrong_option_is_named(run, option, message):
    with pytest.raises(ValueError) as error:
        landscape.generate(run, quadratic, **option)
    assert message in str(error.value)


def test_a_directory_without_metadata_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no train_metadata.json"):
        landscape.generate(tmp_path, quadratic)

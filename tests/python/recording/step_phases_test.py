"""sightline.profiler.StepPhases: parts of a step as scalars of a run."""

import pytest
import sightline
from sightline import profiler
from sightline.profiler import StepPhases


@pytest.fixture
def passes(monkeypatch):
    """passes(seconds) lets time pass."""
    now = [0]
    monkeypatch.setattr(profiler.time, "perf_counter_ns", lambda: now[0])

    def let(seconds):
        now[0] += round(seconds * 1e9)

    return let


def test_phases_are_means_since_the_last_recorded_step(passes):
    phases = StepPhases()
    with phases("forward"):
        passes(2)
    assert phases.scalars(1) == {"phase/forward": 2}
    for _ in range(4):
        with phases("forward"), phases("attention"):
            passes(0.5)
    assert phases.scalars(5) == {"phase/forward": 0.5, "phase/attention": 0.5}
    assert phases.scalars(6) == {"phase/forward": 0, "phase/attention": 0}


def test_a_resumed_training_counts_from_its_first_step(passes):
    phases = StepPhases(first_step=9)
    with phases("forward"):
        passes(3)
    assert phases.scalars(10) == {"phase/forward": 1.5}


def test_waiting_for_data_is_measured_and_elements_are_passed_on(passes):
    def slow():
        for element in (1, 2):
            passes(0.25)
            yield element

    phases = StepPhases()
    assert list(phases.data(slow())) == [1, 2]
    assert phases.scalars(2) == {"phase/data_wait": 0.25}


def test_a_dataset_may_raise(passes):
    def broken():
        yield 1
        passes(1)
        raise KeyError("lost")

    phases = StepPhases()
    with pytest.raises(KeyError):
        list(phases.data(broken()))
    assert phases.scalars(1) == {"phase/data_wait": 1}


def test_a_run_has_them_at_the_steps_that_are_recorded(passes, tmp_path):
    phases = StepPhases()
    with sightline.SummaryMonitor(tmp_path, collect_freq=2, say=lambda line: None) as monitor:
        for step in (1, 2, 3):
            with phases("forward"):
                passes(step)
            monitor.end_step(step, scalars=lambda: phases.scalars(step))
    scalars = sightline.open(tmp_path).scalars("phase/forward")
    assert (list(scalars.steps), list(scalars.values)) == ([1, 2], [1, 2])

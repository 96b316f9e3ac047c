"""What the MindSpore callback hands to the core at the end of a step, driven with parameters of its form.

Trainings with MindSpore itself are in mindspore_callback/.
"""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sightline
from sightline._core import MindSporeSteps


class Tensor:
    """In the place of MindSpore's: elements that float() reads by way of _item()."""

    def __init__(self, *elements: float) -> None:
        self.elements = elements
        self.read: list[str] = []

    def _item(self) -> float:
        self.read.append("_item")
        if len(self.elements) != 1:
            raise ValueError("not one element")
        return self.elements[0]

    def __float__(self) -> float:
        self.read.append("float")
        return float(self._item())

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        return np.array(self.elements)


class Training:
    """The ends of a training's steps, recorded with `options`; `arguments` are those of MindSporeSteps."""

    def __init__(self, core: sightline.SummaryMonitor, **arguments: Any) -> None:
        self.core = core
        self.place: dict[str, Any] = {"values": {}}
        self.asked: list[bool] = []
        defaults = {
            "number": "cur_step_num",
            "before": 0,
            "loss": True,
            "learning_rate": None,
            "input": None,
            "places": ((self.place, "values"),),
            "take": self.take,
            "tensor": Tensor,
        }
        self.steps = MindSporeSteps(core, **{**defaults, **arguments})

    def take(self, due: bool) -> dict[str, Any]:
        self.asked.append(due)
        taken, self.place["values"] = self.place["values"], {}
        return taken if due else {}

    def end(self, number: int, **parameters: Any) -> None:
        self.steps.end({"cur_step_num": number, **parameters})


@pytest.fixture
def training(monitor) -> Callable[..., Training]:
    def make(collect_freq: int = 1, **arguments: Any) -> Training:
        return Training(monitor(collect_freq=collect_freq), **arguments)

    return make


@pytest.mark.parametrize(
    "outputs", [0.5, np.float32(0.5), (0.5, 7.0), [0.5, 7.0], np.array([0.25, 0.75])]
)
def test_the_loss_is_the_networks_output_or_the_first_of_several(
    training, recording, tmp_path, outputs
):
    run = training()
    run.end(1, net_outputs=outputs)
    run.core.end()
    assert recording(tmp_path).scalars() == {("loss/auto", 1): 0.5}


def test_a_tensors_number_is_read_without_its_float(training, recording, tmp_path):
    loss, learning_rate = Tensor(0.5), Tensor(0.125)
    run = training(learning_rate=learning_rate)
    run.end(1, net_outputs=(loss, Tensor(7.0)))
    run.core.end()
    assert recording(tmp_path).scalars() == {
        ("loss/auto", 1): 0.5,
        ("learning_rate/auto", 1): 0.125,
    }
    assert (loss.read, learning_rate.read) == (["_item"], ["_item"])


def test_a_tensor_is_not_read_in_a_step_that_is_not_recorded(training):
    loss, learning_rate = Tensor(0.5), Tensor(0.125)
    run = training(collect_freq=10, learning_rate=learning_rate)
    run.end(1, net_outputs=0.5)
    learning_rate.read.clear()
    run.end(2, net_outputs=loss)
    assert not loss.read and not learning_rate.read


def test_the_loss_of_a_tensor_of_several_is_their_mean_at_every_step(training, recording, tmp_path):
    run = training(learning_rate=Tensor(0.125))
    later = Tensor(0.5, 1.0)
    run.end(1, net_outputs=Tensor(0.25, 0.75))
    run.end(2, net_outputs=later)
    run.core.end()
    recorded = recording(tmp_path).scalars()
    assert [recorded["loss/auto", step] for step in (1, 2)] == [0.5, 0.75]
    assert [recorded["learning_rate/auto", step] for step in (1, 2)] == [0.125, 0.125]
    assert later.read[0] == "float", "that it holds several is asked once"
    assert run.core.stats.first_error is None


def test_a_tensor_class_without_item_is_read_with_float(training, recording, tmp_path):
    run = training(tensor=np.float32, learning_rate=Tensor(0.125))
    run.end(1, net_outputs=np.float32(0.5))
    run.core.end()
    assert recording(tmp_path).scalars() == {
        ("loss/auto", 1): 0.5,
        ("learning_rate/auto", 1): 0.125,
    }


def test_what_is_no_error_of_a_tensor_is_raised(training):
    class Interrupted(Tensor):
        def _item(self) -> float:
            if (
                not self.read
            ):  # Whoever reads it again finds its number, and has lost the interrupt.
                self.read.append("_item")
                raise KeyboardInterrupt
            return super()._item()

    run = training(tensor=Interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.end(1, net_outputs=Interrupted(0.5))


@pytest.mark.parametrize(
    "parameters", [{}, {"net_outputs": ()}, {"net_outputs": []}, {"net_outputs": None}]
)
def test_a_step_may_have_no_loss(training, recording, tmp_path, parameters):
    run = training(learning_rate=0.1)
    run.end(1, **parameters)
    run.core.end()
    assert recording(tmp_path).scalars().keys() == {("learning_rate/auto", 1)}
    assert run.core.stats.first_error is None


def test_loss_and_learning_rate_are_left_out_together(training, recording, tmp_path):
    run = training(loss=False, learning_rate=0.1)
    run.end(1, net_outputs=0.5)
    run.core.end()
    assert recording(tmp_path).scalars() == {}


def test_steps_before_are_added_to_every_number(training, recording, tmp_path):
    run = training(before=40)
    assert run.steps.last == 0
    run.end(1, net_outputs=0.5)
    assert run.steps.last == 41
    run.core.end()
    assert recording(tmp_path).scalars() == {("loss/auto", 41): 0.5}


def test_epochs_count_where_number_is_their_key(training, recording, tmp_path):
    run = training(number="cur_epoch_num")
    run.end(200, cur_epoch_num=2, net_outputs=0.5)
    run.core.end()
    assert recording(tmp_path).scalars() == {("loss/auto", 2): 0.5}


def test_no_operator_is_asked_while_its_place_is_empty(training):
    run = training()
    run.end(1, net_outputs=0.5)
    assert run.asked == []


def test_what_operators_left_is_taken_at_a_recorded_step_and_dropped_at_any_other(
    training, recording, tmp_path
):
    run = training(collect_freq=5)
    run.end(1)
    run.place["values"] = {"scalars": {"dropped": 1.5}}
    run.end(4)
    run.place["values"] = {"scalars": {"mine": 1.5}, "tensors": {"t": np.ones(2, np.float32)},
                           "histograms": {"h": np.ones(3, np.float32)}, "images": {"i": np.zeros((1, 3, 2, 2))}}  # fmt: skip
    run.end(5)
    run.core.end()
    assert run.asked == [False, True]
    found = recording(tmp_path)
    assert {place: value for place, value in found.scalars().items() if value == 1.5} == {
        ("mine", 5): 1.5
    }
    assert (found.of("histogram").keys(), found.of("image").keys()) == ({("h", 5)}, {("i", 5)})
    assert found.of("tensor").keys() == {("t", 5)}


def test_operators_are_asked_where_their_place_has_gone(training):
    run = training()
    del run.place["values"]
    with pytest.raises(KeyError):
        run.end(1)  # Raised by take.
    assert run.asked == [True]


def test_the_input_is_asked_for_at_recorded_steps_alone(training, recording, tmp_path):
    asked = []

    def batch(parameters: dict[str, Any]) -> Any:
        asked.append(parameters["cur_step_num"])
        return np.zeros((2, 3, 4, 4), np.float32)

    run = training(collect_freq=3, input=batch)
    for number in range(1, 7):
        run.end(number)
    run.core.end()
    assert asked == [1, 3, 6]
    assert recording(tmp_path).of("image").keys() == {("input_data/auto", step) for step in asked}


def test_no_input_is_asked_for_once_there_was_none(training):
    asked = []
    run = training(input=lambda parameters: asked.append(parameters["cur_step_num"]))
    run.end(1)
    run.end(2)
    assert asked == [1]


def test_an_input_that_cannot_be_had_is_noted_and_the_rest_of_the_step_recorded(
    training, recording, tmp_path
):
    def broken(parameters: dict[str, Any]) -> Any:
        raise OSError("the pipeline is closed")

    run = training(input=broken)
    run.end(1, net_outputs=0.5)
    run.core.end()
    assert (
        run.core.stats.first_error == "end_step('input', step 1): OSError: the pipeline is closed"
    )
    assert recording(tmp_path).scalars() == {("loss/auto", 1): 0.5}


def test_parameters_without_a_number_are_refused(training):
    run = training()
    with pytest.raises(KeyError, match="cur_step_num"):
        run.steps.end({})
    with pytest.raises(TypeError):
        run.end("first")
    with pytest.raises(TypeError, match="takes a dict"):
        run.steps.end([1])
    with pytest.raises(TypeError, match="takes the parameters"):
        run.steps.end()
    with pytest.raises(TypeError, match="NoneType"):
        MindSporeSteps(
            None,
            number="",
            before=0,
            loss=True,
            learning_rate=None,
            input=None,
            places=(),
            take=run.take,
            tensor=Tensor,
        )


def test_a_cycle_through_the_steps_is_collected(training):
    run = training()
    run.itself = run  # Through take, the steps hold it too.
    gone = weakref.ref(run)
    run.core.end()
    del run
    gc.collect()
    assert gone() is None


def test_a_step_after_the_end_is_not_recorded(training, recording, tmp_path):
    run = training()
    run.end(1, net_outputs=0.5)
    run.core.end()
    run.end(2, net_outputs=0.5)
    assert recording(tmp_path).scalars().keys() == {("loss/auto", 1)}

"""Tensors that lend no memory: numbers by float(), elements by get_bytes(), as MindSpore's have them, and what is none."""

import numpy as np
import pytest
import sightline


class Tensor:
    """What a tensor of MindSpore's shows."""

    def __init__(self, elements, shape=None, dtype="Float32", raises=None):
        self.elements = np.asarray(elements, np.float32)
        self._shape = self.elements.shape if shape is None else shape
        self.dtype = dtype
        self.raises = raises
        self.asked = 0  # How often for its shape.

    @property
    def shape(self):
        self.asked += 1
        return self._shape

    def get_bytes(self):
        if self.raises:
            raise self.raises
        return self.elements.tobytes()

    def __float__(self):
        if self.elements.size != 1:
            raise ValueError("more than one element")
        return float(self.elements.reshape(()))

    def __array__(self, dtype=None, copy=None):
        return self.elements


@pytest.fixture
def monitor(tmp_path):
    with sightline.SummaryMonitor(tmp_path, collect_freq=1, say=lambda line: None) as summary:
        yield summary


def test_a_loss_of_one_element_is_a_number(tmp_path, monitor, recording):
    monitor.end_step(
        1, loss=Tensor(0.5), learning_rate=Tensor([0.25]), scalars={"norm": Tensor([[3.0]])}
    )
    monitor.end()
    assert recording(tmp_path).scalars() == {
        ("loss/auto", 1): 0.5,
        ("learning_rate/auto", 1): 0.25,
        ("norm", 1): 3.0,
    }


class WithGradient(Tensor):
    """As PyTorch's, which warns where float() takes a tensor that has a gradient."""

    requires_grad = True

    def __float__(self):
        raise UserWarning(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior"
        )

    def detach(self):
        return Tensor(self.elements)


def test_a_number_with_a_gradient_is_recorded_without_it(tmp_path, monitor, recording):
    loss = WithGradient(0.5)
    monitor.end_step(1, loss=loss, learning_rate=loss, scalars={"norm": loss})
    monitor.log({"logged": loss}, 1)
    monitor.end_evaluation({"metric": loss}, 1)
    monitor.set_last_loss(loss)
    monitor.recorder.add_scalar("own", 1, loss)
    monitor.recorder.record(1, {"of several": loss})
    assert monitor.stats.first_error is None
    monitor.end()
    recorded = recording(tmp_path).scalars()
    names = "loss/auto", "learning_rate/auto", "norm", "logged", "eval/metric", "own", "of several"
    assert recorded == {(name, 1): 0.5 for name in names}


def test_a_loss_of_several_is_their_mean(tmp_path, monitor, recording):
    monitor.end_step(1, loss=Tensor([1.0, 3.0]))
    monitor.end()
    assert recording(tmp_path).scalars() == {("loss/auto", 1): 2.0}


def test_the_elements_are_those_of_its_bytes(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_tensor("x", 1, Tensor([[1, 2], [3, 4]]))
        assert recorder.stats.first_error is None
    tensor = recording(tmp_path).of("tensor")["x", 1]
    assert tensor["float_data"] == [1, 2, 3, 4] and list(map(int, tensor["dims"])) == [2, 2]


@pytest.mark.parametrize(
    "odd",
    [{"shape": (3,)}, {"shape": (-2, -1)}, {"shape": (2**40, 2**40)}, {"dtype": "Float8"}],
    ids=str,
)
def test_where_bytes_type_and_shape_do_not_fit_it_is_read_by_numpy(tmp_path, recording, odd):
    with sightline.Recorder(tmp_path) as recorder:
        assert recorder.add_tensor("x", 1, Tensor([1, 2], **odd)), recorder.stats.first_error
    assert recording(tmp_path).of("tensor")["x", 1]["float_data"] == [1, 2]


def test_a_parameter_set_once_is_asked_for_its_shape_once(tmp_path, monitor, recording):
    weight = Tensor([1.0, 2.0])
    monitor.set_parameters({"w": weight})
    for step in (1, 2, 3):
        monitor.end_step(step)
    monitor.end()
    assert weight.asked == 1 and len(recording(tmp_path).of("histogram")) == 3


def test_a_parameter_may_get_another_shape(tmp_path, monitor, recording):
    weight = Tensor([1.0, 2.0])
    monitor.set_parameters({"w": weight})
    monitor.end_step(1)
    weight.__init__([1.0, 2.0, 5.0])
    monitor.end_step(2)
    monitor.end_step(3)
    assert monitor.stats.first_error is None
    monitor.end()
    counts = {
        step: int(histogram["count"])
        for (_, step), histogram in recording(tmp_path).of("histogram").items()
    }
    assert counts == {1: 2, 2: 3, 3: 3}


def test_a_parameter_that_cannot_be_fetched_is_counted_and_the_others_recorded(
    tmp_path, monitor, recording
):
    monitor.set_parameters(
        {"broken": Tensor([1.0], raises=RuntimeError("the device is gone")), "w": Tensor([2.0])}
    )
    monitor.end_step(1)
    assert (
        monitor.stats.first_error == "end_step('broken', step 1): RuntimeError: the device is gone"
    )
    monitor.end()
    assert recording(tmp_path).of("histogram").keys() == {("w/auto", 1)}


@pytest.mark.parametrize(
    "odd", [{"raises": RuntimeError("the device is gone")}, {"shape": None.__class__}], ids=str
)
def test_what_cannot_be_fetched_is_counted_and_named(tmp_path, recording, odd):
    with sightline.Recorder(tmp_path) as recorder:
        assert not recorder.add_tensor("x", 1, Tensor([1, 2], **odd))
        assert recorder.stats.invalid_values == 1
        assert "add_tensor('x', step 1)" in recorder.stats.first_error

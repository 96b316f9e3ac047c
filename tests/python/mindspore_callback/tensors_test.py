"""MindSpore's tensors go into our calls as they are, and are recorded as the arrays that asnumpy() makes of them."""

import mindspore as ms
import numpy as np
import pytest
import sightline

ms.set_device("CPU")  # Before the first operator runs, or MindSpore refuses it later.
TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()


@pytest.fixture
def assert_recorded_as_array(tmp_path, recording):
    def check(tensor, array):
        with sightline.Recorder(tmp_path) as recorder:
            recorder.add_tensor("tensor", 1, tensor)
            recorder.add_tensor("array", 1, array)
            assert recorder.stats.first_error is None
        tensors = recording(tmp_path).of("tensor")
        assert tensors["tensor", 1] == tensors["array", 1]

    return check


@pytest.mark.parametrize("dtype", TYPES)
def test_of_each_type(dtype, assert_recorded_as_array):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    assert_recorded_as_array(ms.Tensor(array), array)


def test_of_bfloat16(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        recorder.add_tensor("x", 1, ms.Tensor([1.5, -2.0], ms.bfloat16))
    tensor = recording(tmp_path).of("tensor")["x", 1]
    assert tensor == {"dims": ["2"], "data_type": "DT_BFLOAT16", "float_data": [1.5, -2.0]}


@pytest.mark.parametrize("shape", [(), (1,), (2, 0, 3)])
def test_of_any_shape(shape, assert_recorded_as_array):
    array = np.ones(shape, np.float32)
    assert_recorded_as_array(ms.Tensor(array), array)


def test_a_view_of_another_tensor(assert_recorded_as_array):
    tensor = ms.Tensor(np.arange(12, dtype=np.float32).reshape(3, 4)).transpose(1, 0)[1:3]
    assert_recorded_as_array(tensor, np.array([[1, 5, 9], [2, 6, 10]], np.float32))


def test_a_parameter(assert_recorded_as_array):
    array = np.arange(3, dtype=np.float32)
    assert_recorded_as_array(ms.Parameter(ms.Tensor(array), name="weight"), array)


def test_a_tensor_of_one_element_is_a_number(tmp_path, recording):
    with sightline.Recorder(tmp_path) as recorder:
        assert recorder.add_scalar("loss", 1, ms.Tensor(np.float32(0.25)))
    assert recording(tmp_path).scalars() == {("loss", 1): 0.25}

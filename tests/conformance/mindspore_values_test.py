"""What MindSpore 2.7 recorded for 49 arrays is what we record for them, decoded by MindSpore's own schema.

Exceptions, all of them on purpose: uint8 pictures keep their pixels (MindSpore stretches them), and raw_data is
added where float_data rounds.
"""

import json

import numpy as np
import pytest
from mindspore_schema import CORPUS, SESSION_FIELD, pixels, read_events, twin, unknown_field_numbers

VALUES = CORPUS / "values"
TWIN = json.loads(next(VALUES.glob("*_MS.json")).read_text())
ANSWERS = {
    value["tag"]: (int(event["step"]), value)
    for event in TWIN
    for value in event.get("summary", {}).get("value", [])
}
KINDS = {"scalar": "scalar", "tensor": "tensor", "hist": "histogram", "image": "image"}
# Dtypes whose float_data rounds.
INEXACT = {"int32", "int64", "uint32", "uint64", "float64"}


def array_given(tag: str) -> np.ndarray:
    return np.load(VALUES / "inputs" / (tag.replace("/", "__") + ".npy"))


@pytest.fixture(scope="module")
def recording(record_values):
    manifest = [
        (step, KINDS[tag.split("/")[0]], tag, VALUES / "inputs" / (tag.replace("/", "__") + ".npy"))
        for tag, (step, _) in ANSWERS.items()
    ]
    return record_values(manifest)


@pytest.fixture(scope="module")
def events(recording):
    """Our event of each tag."""
    return {event.summary.value[0].tag: event for event in recording.mindspore_events()}


def test_corpus_is_read_as_its_twin_says():
    """The decoder of these tests is right: it gives MindSpore's file the form that MindSpore's classes gave it."""
    events = list(read_events(next(VALUES.glob("*_MS"))))
    assert [twin(event) for event in events] == [
        {key: value for key, value in event.items() if key != "record_bytes"} for event in TWIN
    ]


def test_first_record_is_mindspores_version_and_our_session(recording):
    (file,) = recording.mindspore_files
    first, *others = read_events(file)
    assert first.version == "MindSpore.Event:1"
    assert unknown_field_numbers(first) == {SESSION_FIELD}
    assert set().union(*map(unknown_field_numbers, others)) == set()


def test_every_value_is_one_event_in_the_order_of_recording(events):
    assert list(events) == list(ANSWERS)
    assert all(len(event.summary.value) == 1 for event in events.values())


@pytest.mark.parametrize("tag", [tag for tag in ANSWERS if not tag.startswith("image/u8_")])
def test_value_equals_mindspores(tag, events):
    step, answer = ANSWERS[tag]
    ours = twin(events[tag])
    (value,) = ours["summary"]["value"]
    value.get("tensor", {}).pop("raw_data", None)
    assert ours["step"] == str(step)
    assert value == answer


@pytest.mark.parametrize("tag", [tag for tag in ANSWERS if tag.startswith("tensor/")])
def test_tensor_keeps_every_digit(tag, events):
    given = array_given(tag)
    tensor = events[tag].summary.value[0].tensor
    if given.dtype.name in INEXACT:
        assert tensor.raw_data == given.tobytes()
    else:
        assert not tensor.HasField("raw_data")
        read = np.array(tensor.float_data, np.float32).astype(given.dtype).reshape(given.shape)
        np.testing.assert_array_equal(read, given)


@pytest.mark.parametrize("tag", [tag for tag in ANSWERS if tag.startswith("image/u8_")])
def test_uint8_picture_keeps_its_pixels(tag, events):
    image = events[tag].summary.value[0].image
    (chw,) = array_given(tag)
    expected = np.broadcast_to(chw.transpose(1, 2, 0), (*chw.shape[1:], 3))
    assert (image.height, image.width, image.colorspace) == (*chw.shape[1:], 3)
    np.testing.assert_array_equal(pixels(image), expected)

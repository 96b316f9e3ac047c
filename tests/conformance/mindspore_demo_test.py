"""The demo's MindSpore files, decoded by MindSpore's own schema, and its npy export."""

import numpy as np
from mindspore_schema import SESSION_FIELD, pixels, read_events, unknown_field_numbers
from recording import npy_key


def test_summary_file_starts_with_the_version_and_has_no_field_that_mindspore_does_not_know(demo):
    for file in demo.mindspore_files:
        first, *others = read_events(file)
        assert first.version == "MindSpore.Event:1"
        assert unknown_field_numbers(first) == {SESSION_FIELD}
        assert set().union(*map(unknown_field_numbers, others)) == set()


def test_lineage_file_has_all_that_the_demo_knows(demo):
    (file,) = demo.lineage_files
    events = list(read_events(file))
    assert set().union(*map(unknown_field_numbers, events)) <= {SESSION_FIELD}
    kinds = [event.WhichOneof("what") for event in events]
    assert {"train_lineage", "evaluation_lineage", "user_defined_info"} <= set(kinds)
    train = events[kinds.index("train_lineage")].train_lineage
    assert train.algorithm.network == "DigitsNet"
    assert train.hyper_parameters.batch_size == 32


def test_every_step_has_its_loss_histograms_and_picture(demo):
    losses = demo.mindspore_values("scalar_value")
    steps = sorted(step for tag, step in losses if tag == "loss/auto")
    assert steps == list(range(1, steps[-1] + 1))
    assert [
        step for tag, step in demo.mindspore_values("image") if tag == "input_data/auto"
    ] == steps
    histograms = demo.mindspore_values("histogram")
    for tag in {tag for tag, _ in histograms}:
        assert [step for of, step in histograms if of == tag] == steps


def test_graph_is_recorded_once(demo):
    graphs = [
        event.graph_def
        for event in demo.mindspore_events()
        if event.WhichOneof("what") == "graph_def"
    ]
    (graph,) = graphs
    names = {node.name for node in graph.node} | {parameter.name for parameter in graph.parameters}
    names |= {constant.key for constant in graph.const_vals}
    assert {edge.name for node in graph.node for edge in node.input} <= names


def test_picture_is_the_batch_of_its_step(demo):
    for picture in list(demo.mindspore_values("image").values())[:5]:
        assert pixels(picture).shape == (picture.height, picture.width, 3)


def test_npy_export_equals_the_recorded_tensors(demo):
    exported = {npy_key(file): np.load(file) for file in demo.npy_files}
    recorded = demo.mindspore_values("tensor")
    assert exported.keys() == recorded.keys() and recorded
    for key, tensor in recorded.items():
        read = np.array(tensor.float_data, np.float32).reshape(tensor.dims)
        np.testing.assert_array_equal(read, exported[key], str(key), strict=True)

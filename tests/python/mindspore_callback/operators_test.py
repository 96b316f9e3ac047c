"""Values that the network's own summary operators give, in graph and PyNative mode."""

import itertools
from collections import UserDict

import mindspore as ms
import networks
import numpy as np
import pytest
from driving import drive
from mindspore.ops.operations import debug_ops
from mindspore.train.summary import summary_record
from sightline.mindspore import SummaryMonitor


@pytest.fixture
def lines():
    return []


@pytest.fixture
def monitor(tmp_path, lines):
    """monitor(**options) -> SummaryMonitor of tmp_path."""
    return lambda **options: SummaryMonitor(tmp_path, say=lines.append, **options)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_every_operator_is_recorded_under_its_tag(monitor, recording, tmp_path, lines, mode):
    callback = monitor(collect_freq=2)
    networks.model(networks.SummingLeNet5(), mode).train(
        1, networks.patterns(4, batch=4), [callback]
    )
    run = recording(tmp_path)
    steps = [1, 2, 4]
    assert [step for tag, step in run.scalars() if tag == "logit"] == steps
    assert [step for tag, step in run.of("tensor") if tag == "logits"] == steps
    assert [step for tag, step in run.of("histogram") if tag == "features"] == steps
    assert [step for tag, step in run.of("image") if tag == "digits"] == steps
    for step in steps:
        logits = np.array(run.of("tensor")["logits", step]["float_data"], np.float32)
        assert run.scalars()["logit", step] == pytest.approx(logits.mean(), rel=1e-5)
    graphs = [event for event in run.events if "graph_def" in event]
    assert len(graphs) == (mode == ms.GRAPH_MODE)
    assert any("PyNative" in line for line in lines) == (mode == ms.PYNATIVE_MODE)
    assert callback.stats.first_error is None


def test_pynative_modes_list_does_not_grow_whether_steps_are_recorded_or_not(monitor):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    network, row, lengths = networks.Dense(), ms.Tensor(np.ones((2, 4), np.float32)), []

    def forward():
        lengths.append(len(debug_ops.SUMMARY_TENSOR_CACHE))
        network(row)

    drive(monitor(collect_freq=500), 2000, forward, network)
    assert len(lengths) == 2000 and set(lengths) == {0}
    assert debug_ops.SUMMARY_TENSOR_CACHE == []


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_values_of_a_step_that_is_not_recorded_are_dropped_and_not_those_of_the_next_one(
    monitor, recording, tmp_path, mode
):
    ms.set_context(mode=mode)
    network, row, steps = (
        networks.Dense(),
        ms.Tensor(np.ones((2, 4), np.float32)),
        itertools.count(1),
    )

    def forward():
        if next(steps) in (1, 4, 10):  # 1, 5 and 10 are recorded.
            network(row)

    drive(monitor(collect_freq=5), 10, forward, network)
    run = recording(tmp_path)
    assert [step for tag, step in run.scalars() if tag == "loss/auto"] == [1, 5, 10]
    assert [step for tag, step in run.scalars() if tag == "s"] == [1, 10]
    assert [step for tag, step in run.of("tensor") if tag == "t"] == [1, 10]
    assert [step for tag, step in run.of("histogram") if tag == "h"] == [1, 10]


def test_of_a_tag_given_twice_in_a_step_the_newest_value_is_recorded_with_a_warning(
    monitor, recording, tmp_path, lines
):
    class Twice(networks.Dense):
        def construct(self, x):
            self.scalar("twice", self.mean(x, ()) * 0 + 1)
            self.scalar("twice", self.mean(x, ()) * 0 + 2)
            return self.fc(x)

    networks.model(Twice(), ms.PYNATIVE_MODE).train(1, networks.rows(3), [monitor(collect_freq=1)])
    assert [recording(tmp_path).scalars()["twice", step] for step in (1, 2, 3)] == [2, 2, 2]
    assert [line for line in lines if "gave" in line] == [
        "ScalarSummary gave 'twice' twice in a step: the newest value is recorded"
    ]


def test_values_of_an_evaluation_are_not_those_of_a_step(monitor, recording, tmp_path):
    model = networks.model(networks.Dense())
    callback = monitor(collect_freq=1)
    model.fit(2, networks.rows(2), networks.rows(5), callbacks=[callback], dataset_sink_mode=False)
    run = recording(tmp_path)
    assert [step for tag, step in run.scalars() if tag == "s"] == [1, 2, 3, 4]
    assert {("eval/accuracy", 2), ("eval/accuracy", 4)} <= run.scalars().keys()
    assert summary_record.SUMMARY_TENSOR_CACHE == {}


@pytest.mark.parametrize(
    ("module", "form"),
    [
        (summary_record, UserDict()),
        (summary_record, {"tag without kind": None}),
        (debug_ops, ()),
        (debug_ops, [1]),
    ],
    ids=["no dict", "another key", "no list", "another entry"],
)
def test_places_of_another_form_switch_operators_off_with_a_warning(
    monitor, recording, tmp_path, lines, monkeypatch, module, form
):
    class Replace(ms.Callback):
        def on_train_step_end(self, run_context):
            module.SUMMARY_TENSOR_CACHE = form

    monkeypatch.setattr(module, "SUMMARY_TENSOR_CACHE", module.SUMMARY_TENSOR_CACHE)
    model = networks.model(networks.Dense())
    model.train(1, networks.rows(3), [Replace(), monitor(collect_freq=1)])
    run = recording(tmp_path)
    assert [step for tag, step in run.scalars() if tag == "loss/auto"] == [1, 2, 3]
    assert not [tag for tag, step in run.scalars() if tag == "s" and step > 1]
    assert len([line for line in lines if "summary operators are not recorded" in line]) == 1

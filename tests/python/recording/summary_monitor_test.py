"""SummaryMonitor: what a training loop in Python hands over is recorded by the collection rules."""

import math

import numpy as np
import pytest
import sightline


def test_step_one_and_every_multiple_are_recorded(tmp_path, monitor, recording):
    with monitor(collect_freq=10) as summary:
        summary.begin(epochs=1, steps_per_epoch=35)
        due = []
        for step in range(1, 36):
            due += [step] if summary.is_due(step) else []
            summary.end_step(step, loss=float(step))
    recorded = [step for tag, step in recording(tmp_path).scalars() if tag == "loss/auto"]
    assert recorded == due == [1, 10, 20, 30]


def test_everything_of_a_step_is_recorded_under_its_tag(tmp_path, monitor, recording):
    with monitor(collect_freq=1) as summary:
        summary.begin(epochs=1, steps_per_epoch=1, batch_size=4)
        summary.end_step(
            1,
            loss=np.array([1.0, 3.0], np.float32),
            learning_rate=0.125,
            input=np.zeros((2, 3, 8, 8), np.uint8),
            parameters={"fc.weight": np.ones((2, 3), np.float32)},
            tensors=[("logits", np.arange(4, dtype=np.float16))],
            scalars={"norm": 7},
        )
        assert summary.stats.first_error is None
    run = recording(tmp_path)
    assert run.scalars() == {
        ("loss/auto", 1): 2.0,
        ("learning_rate/auto", 1): 0.125,
        ("norm", 1): 7.0,
    }
    assert run.of("histogram").keys() == {("fc.weight/auto", 1)}
    assert run.of("tensor")["logits", 1]["float_data"] == [0, 1, 2, 3]
    assert run.of("image").keys() == {("input_data/auto", 1)}


def test_histograms_and_images_are_recorded_under_their_names(tmp_path, monitor, recording):
    with monitor(collect_freq=1) as summary:
        summary.end_step(
            1, histograms={"gradients": np.ones(3)}, images=[("filters", np.ones((1, 1, 4, 4)))]
        )
        assert summary.stats.first_error is None
    run = recording(tmp_path)
    assert run.of("histogram").keys() == {("gradients", 1)} and run.of("image").keys() == {
        ("filters", 1)
    }


def test_functions_are_called_for_recorded_steps_only(monitor):
    called = []
    with monitor(collect_freq=5) as summary:
        for step in range(1, 11):
            summary.end_step(step, parameters=lambda: called.append(step) or {"w": np.ones(2)})
    assert called == [1, 5, 10]


def test_parameters_set_once_are_recorded_as_they_are_at_every_step(tmp_path, monitor, recording):
    weight = np.ones(4, np.float32)
    with monitor(collect_freq=1) as summary:
        summary.set_parameters({"w": weight})
        summary.end_step(1)
        weight[:] = 2
        summary.end_step(2)
        summary.end_step(3, parameters={"other": weight})
        summary.set_parameters({})
        summary.end_step(4)
        assert summary.stats.first_error is None
    histograms = recording(tmp_path).of("histogram")
    assert {key: value["max"] for key, value in histograms.items()} == {
        ("w/auto", 1): 1.0,
        ("w/auto", 2): 2.0,
        ("other/auto", 3): 2.0,
    }


@pytest.mark.parametrize("wrong", [3, {1: np.ones(2)}, None])
def test_parameters_that_are_no_mapping_of_names_are_refused(monitor, wrong):
    with monitor() as summary, pytest.raises((TypeError, ValueError)):
        summary.set_parameters(wrong)


def test_parameters_are_let_go_at_the_end(monitor):
    import sys

    weight = np.ones(4)
    before = sys.getrefcount(weight)
    with monitor() as summary:
        summary.set_parameters({"w": weight})
        assert sys.getrefcount(weight) > before
    assert sys.getrefcount(weight) == before


def test_it_says_what_it_collects(monitor):
    with monitor(
        keep_default_action=False, collect_specified_data={"collect_metric": True}
    ) as summary:
        assert summary.collects("collect_metric") and not summary.collects("collect_graph")
        with pytest.raises(ValueError, match="collect_specified_data has no switch 'collect_it'"):
            summary.collects("collect_it")


def test_a_parameter_may_change_right_after_the_call(tmp_path, monitor, recording):
    weight = np.ones(1000, np.float32)
    with monitor(collect_freq=1) as summary:
        summary.end_step(1, parameters={"w": weight})
        weight[:] = 5
    assert recording(tmp_path).of("histogram")["w/auto", 1]["max"] == 1.0


def test_metrics_and_logged_scalars_are_recorded_at_their_step(tmp_path, monitor, recording):
    with monitor() as summary:
        summary.log({"gradient norm": np.float32(0.5)}, 3)
        summary.begin_evaluation()
        summary.end_evaluation({"accuracy": 0.75}, 4, dataset_path="/data", dataset_size=10)
    assert recording(tmp_path).scalars() == {("gradient norm", 3): 0.5, ("eval/accuracy", 4): 0.75}
    (lineage,) = [
        event["evaluation_lineage"]
        for event in recording(tmp_path).events
        if "evaluation_lineage" in event
    ]
    assert "accuracy" in str(lineage) and "/data" in str(lineage)


def test_lineage_says_what_was_trained(tmp_path, monitor, recording):
    with monitor(custom_lineage_data={"version": "1.2", "seed": 3, "ratio": 0.5}) as summary:
        summary.begin(
            epochs=2, steps_per_epoch=3, network="LeNet5", optimizer="Momentum", learning_rate=0.01
        )
        summary.set_model("lenet.ckpt", 1234)
    # At the beginning, for a run that is killed, and at the end.
    begun, ended = (
        str(event["train_lineage"])
        for event in recording(tmp_path).events
        if "train_lineage" in event
    )
    assert all(word in begun and word in ended for word in ("LeNet5", "Momentum"))
    assert all(word in ended for word in ("lenet.ckpt", "1234"))


def test_the_loss_of_the_last_step_is_that_of_the_lineage(tmp_path, monitor, recording):
    with monitor(collect_freq=10) as summary:
        summary.end_step(1, loss=2.0)
        summary.set_last_loss(0.5)
    (event,) = [event for event in recording(tmp_path).events if "train_lineage" in event]
    assert event["train_lineage"]["algorithm"]["loss"] == 0.5


def test_serialized_graphs_are_recorded_once(tmp_path, monitor, recording):
    model = b"\x22\x05\x12\x03net"  # ModelProto{graph: {name: "net"}}
    with monitor() as summary:
        for _ in range(2):
            summary.record_graph(model)
            summary.record_dataset_graph(b"")
        assert summary.stats.first_error is None
    events = recording(tmp_path).events
    assert [event["graph_def"] for event in events if "graph_def" in event] == [{"name": "net"}]
    assert len([event for event in events if "dataset_graph" in event]) == 1


def test_bytes_that_are_no_model_are_counted_and_named(monitor):
    with monitor() as summary:
        summary.record_graph(b"no model")
        assert summary.stats.invalid_values == 1
        assert "record_graph(step 0): these 8 bytes are no ModelProto" in summary.stats.first_error


def test_it_says_which_parameters_it_selects(monitor):
    with monitor(collect_specified_data={"histogram_regular": "fc"}) as summary:
        assert summary.selects_parameter(7, "fc.weight") and not summary.selects_parameter(
            0, "conv.weight"
        )


def test_options_are_checked_without_creating_anything(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sightline.SummaryMonitor.check(collect_freq=3)
    with pytest.raises(ValueError, match="unknown parameter 'colour'.*collect_freq is 0"):
        sightline.SummaryMonitor.check(collect_freq=0, colour="red")
    assert list(tmp_path.iterdir()) == []


def test_the_first_nonfinite_value_of_a_tag_is_told(monitor, lines):
    found = []
    with monitor(collect_freq=100, on_nonfinite=lambda *what: found.append(what)) as summary:
        for step in range(1, 10):
            summary.end_step(step, loss=math.nan if step >= 4 else 1.0)
    assert [(tag, step) for tag, step, _ in found] == [("loss/auto", 4)]
    assert math.isnan(found[0][2])
    assert "loss/auto is nan at step 4" in lines[-1]


def test_what_a_function_of_the_users_raises_disturbs_nothing(
    tmp_path, monitor, recording, monkeypatch
):
    import sys

    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: unraisable.append(hook.exc_type))
    with monitor(collect_freq=1, on_nonfinite=lambda *_: 1 / 0) as summary:
        summary.end_step(1, loss=math.inf)
        summary.end_step(2, loss=lambda: 1 / 0, scalars={"x": 1})
        assert "ZeroDivisionError" in summary.stats.first_error
    assert unraisable == [ZeroDivisionError]
    assert recording(tmp_path).scalars()["x", 2] == 1.0


def test_bad_values_are_counted_and_named_and_the_rest_is_recorded(tmp_path, monitor, recording):
    with monitor(collect_freq=1) as summary:
        summary.end_step(
            1,
            loss="low",
            learning_rate=None,
            parameters={"w": object()},
            scalars={"good": 1, "bad": "x"},
        )
        summary.log("nonsense", 1)
        summary.end_step("one", loss=1.0)
        assert summary.stats.invalid_values == 5
        assert "end_step('loss', step 1)" in summary.stats.first_error
    assert recording(tmp_path).scalars() == {("good", 1): 1.0}


def test_refused_values_are_said_once_and_counted_in_the_last_line_and_by_the_recorder(
    monitor, lines
):
    with monitor(collect_freq=1) as summary:
        for step in range(1, 31):
            summary.end_step(step, loss="low")
        assert summary.recorder.stats.invalid_values == summary.stats.invalid_values == 30
    assert (
        len([line for line in lines if line.startswith("not recorded: end_step('loss', step 1): ")])
        == 1
    )
    assert "; refused 30 values" in lines[-1] and "end_step('loss', step 1)" in lines[-1]


@pytest.mark.parametrize("loss", [1 + 2j, np.complex64(1), np.ones(3, np.complex64)])
def test_a_loss_that_is_no_real_number_is_counted_and_named(monitor, loss):
    with monitor(collect_freq=1) as summary:
        summary.end_step(1, loss=loss)
        assert summary.stats.invalid_values == 1 and "complex" in summary.stats.first_error


def test_the_mean_of_no_losses_is_nan_as_numpys(tmp_path, monitor, recording):
    with monitor(collect_freq=1) as summary:
        summary.end_step(1, loss=np.ones(0))
    assert math.isnan(float(recording(tmp_path).scalars()["loss/auto", 1]))


def test_a_name_is_a_text_and_may_hold_what_utf8_cannot(tmp_path, monitor, recording):
    with monitor(collect_freq=1) as summary:
        summary.end_step(1, scalars={1: 2.0, "a\ud800b": 3.0})
        assert summary.stats.first_error == "end_step(1, step 1): a name is a str, not int"
    assert recording(tmp_path).scalars() == {("a\ufffd\ufffd\ufffdb", 1): 3.0}


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.end_step(),
        lambda m: m.end_step(1, 2, 3, 4, 5, 6),
        lambda m: m.end_step(1, 2.0, loss=2.0),
        lambda m: m.end_step(1, lr=2),
    ],
)
def test_a_call_that_does_not_fit_is_a_type_error(monitor, call):
    with (
        monitor() as summary,
        pytest.raises(
            TypeError, match="end_step\\(\\) takes step, loss, .* by keyword parameters, "
        ),
    ):
        call(summary)


def test_a_parameter_that_is_fetched_may_set_others(tmp_path, monitor, recording):
    class Fickle:
        dtype, shape = "Float32", (1,)

        def get_bytes(self):
            summary.set_parameters({})
            return np.ones(1, np.float32).tobytes()

    with monitor(collect_freq=1) as summary:
        summary.set_parameters({"first": Fickle(), "second": np.ones(2)})
        summary.end_step(1)
        summary.end_step(2)
        assert summary.stats.first_error is None
    assert recording(tmp_path).of("histogram").keys() == {("first/auto", 1), ("second/auto", 1)}


@pytest.mark.parametrize(
    ("base", "call"),
    [
        (sightline.SummaryMonitor, lambda m: m.end_step(1)),
        (sightline.SummaryMonitor, lambda m: m.is_due(1)),
        (sightline.Recorder, lambda r: r.add_scalar("x", 1, 1.0)),
        (sightline.Recorder, lambda r: r.flush()),
    ],
    ids=["end_step", "is_due", "add_scalar", "flush"],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_subclass_that_forgets_its_base_is_told(base, call):
    class Forgetful(base):
        def __init__(self):
            pass

    with pytest.raises(TypeError):
        call(Forgetful())


def test_a_function_given_may_use_the_monitor_itself(tmp_path, monitor, recording):
    holder = []
    with monitor(
        on_nonfinite=lambda tag, step, value: holder[0].log({"seen": step}, step)
    ) as summary:
        holder.append(summary)
        summary.end_step(1, loss=math.nan)
    assert recording(tmp_path).scalars()["seen", 1] == 1.0
    holder.clear()


def test_own_values_go_through_its_recorder(tmp_path, monitor, recording):
    with monitor() as summary:
        assert summary.recorder.add_scalar("own", 1, 2.0)
    assert recording(tmp_path).scalars() == {("own", 1): 2.0}


def test_begin_names_a_wrong_argument(monitor):
    with (
        monitor() as summary,
        pytest.raises(
            ValueError,
            match="epochs is 'two'.*begin has the unknown parameter 'epoch' .did you mean 'epochs'.*; known are epochs",
        ),
    ):
        summary.begin(epochs="two", epoch=1)


def test_sightline_disable_creates_nothing_and_every_call_does_nothing(run_script, tmp_path):
    script = """
    import sys
    import sightline
    with sightline.SummaryMonitor(sys.argv[1]) as monitor:
        monitor.begin(epochs=1, steps_per_epoch=2)
        assert not monitor.enabled and not monitor.is_due(1) and monitor.recorder is None
        monitor.end_step(1, loss=1.0, parameters=lambda: 1 / 0)
        monitor.log({"x": 1}, 1)
        monitor.end_evaluation({"x": 1}, 1)
        assert monitor.stats.first_error is None
    """
    run_script(script, tmp_path / "run", SIGHTLINE_DISABLE="1")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("given", ["", "None", "'None'"])
def test_the_default_directory_is_that_of_the_rank(run_script, tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    run_script(f"import sightline; sightline.SummaryMonitor({given}).end()", RANK_ID="3")
    assert list((tmp_path / "output" / "summary" / "rank_3").iterdir())


def test_exit_without_end_records_the_lineage(run_script, tmp_path, recording):
    script = """
    import sys
    import sightline
    monitor = sightline.SummaryMonitor(sys.argv[1], collect_freq=1, on_nonfinite=lambda *what: monitor)
    monitor.begin(network="LeNet5")
    monitor.end_step(1, loss=0.5)
    """
    run_script(script, tmp_path / "run")
    run = recording(tmp_path / "run")
    assert run.scalars() == {("loss/auto", 1): 0.5}
    assert [event for event in run.events if "LeNet5" in str(event.get("train_lineage"))]

"""SummaryMonitor: what a training loop in Python hands over is recorded by the collection rules."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import sightline


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def monitor(tmp_path, lines):
    """monitor(**options) -> SummaryMonitor of tmp_path."""
    return lambda **options: sightline.SummaryMonitor(tmp_path, say=lines.append, **options)


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
    assert run.scalars() == {("loss/auto", 1): 2.0, ("learning_rate/auto", 1): 0.125, ("norm", 1): 7.0}
    assert run.of("histogram").keys() == {("fc.weight/auto", 1)}
    assert run.of("tensor")["logits", 1]["float_data"] == [0, 1, 2, 3]
    assert run.of("image").keys() == {("input_data/auto", 1)}


def test_histograms_and_images_are_recorded_under_their_names(tmp_path, monitor, recording):
    with monitor(collect_freq=1) as summary:
        summary.end_step(1, histograms={"gradients": np.ones(3)}, images=[("filters", np.ones((1, 1, 4, 4)))])
        assert summary.stats.first_error is None
    run = recording(tmp_path)
    assert run.of("histogram").keys() == {("gradients", 1)} and run.of("image").keys() == {("filters", 1)}


def test_functions_are_called_for_recorded_steps_only(monitor):
    called = []
    with monitor(collect_freq=5) as summary:
        for step in range(1, 11):
            summary.end_step(step, parameters=lambda: called.append(step) or {"w": np.ones(2)})
    assert called == [1, 5, 10]


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
    (lineage,) = [event["evaluation_lineage"] for event in recording(tmp_path).events if "evaluation_lineage" in event]
    assert "accuracy" in str(lineage) and "/data" in str(lineage)


def test_lineage_says_what_was_trained(tmp_path, monitor, recording):
    with monitor(custom_lineage_data={"version": "1.2", "seed": 3, "ratio": 0.5}) as summary:
        summary.begin(epochs=2, steps_per_epoch=3, network="LeNet5", optimizer="Momentum", learning_rate=0.01)
        summary.set_model("lenet.ckpt", 1234)
    (event,) = [event for event in recording(tmp_path).events if "train_lineage" in event]
    text = str(event["train_lineage"])
    assert all(word in text for word in ("LeNet5", "Momentum", "lenet.ckpt", "1234"))


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
        assert summary.selects_parameter(7, "fc.weight") and not summary.selects_parameter(0, "conv.weight")


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


def test_what_a_function_of_the_users_raises_disturbs_nothing(tmp_path, monitor, recording, monkeypatch):
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
        summary.end_step(1, loss="low", learning_rate=None, parameters={"w": object()}, scalars={"good": 1, "bad": "x"})
        summary.log("nonsense", 1)
        summary.end_step("one", loss=1.0)
        assert summary.stats.invalid_values == 5
        assert "end_step('loss', step 1)" in summary.stats.first_error
    assert recording(tmp_path).scalars() == {("good", 1): 1.0}


def test_a_function_given_may_use_the_monitor_itself(tmp_path, monitor, recording):
    holder = []
    with monitor(on_nonfinite=lambda tag, step, value: holder[0].log({"seen": step}, step)) as summary:
        holder.append(summary)
        summary.end_step(1, loss=math.nan)
    assert recording(tmp_path).scalars()["seen", 1] == 1.0
    holder.clear()


def test_own_values_go_through_its_recorder(tmp_path, monitor, recording):
    with monitor() as summary:
        assert summary.recorder.add_scalar("own", 1, 2.0)
    assert recording(tmp_path).scalars() == {("own", 1): 2.0}


def test_every_fault_of_the_options_is_in_one_message(tmp_path):
    with pytest.raises(ValueError) as error:
        sightline.SummaryMonitor(
            tmp_path / "run",
            collect_freq=0,
            collect_tensor_freq="often",
            max_file_size=-1,
            collect_specified_data={"collect_metrics": True, "collect_graph": "yes", "histogram_regular": "("},
            custom_lineage_data={"": 1, "list": [1]},
            export_options={"tensor_format": "csv"},
            keep_default_action=0,
            formats="html",
            on_nonfinite=3,
            workers=-1,
            colour="red",
        )
    for fault in (
        "collect_freq is 0, but must be at least 1",
        "collect_tensor_freq is 'often', but must be a whole number",
        "max_file_size is -1, but must be at least 1",
        "collect_specified_data has the unknown key 'collect_metrics'; known are collect_metric, collect_graph",
        "collect_specified_data.collect_graph is 'yes', but must be true or false",
        "histogram_regular",
        "custom_lineage_data has an empty key",
        "custom_lineage_data.list is [1], but must be",
        "export_options.tensor_format is 'csv', but must be npy or none",
        "keep_default_action is 0, but must be true or false",
        "formats is 'html', but must be",
        "on_nonfinite is 3, but must be a function",
        "workers is -1, but must be between 0 and 64",
        "SummaryMonitor has the unknown parameter 'colour'; known are on_nonfinite, save_checkpoint, say, summary_dir, collect_freq",
    ):
        assert fault in str(error.value), fault
    assert not (tmp_path / "run").exists()


def test_begin_names_a_wrong_argument(monitor):
    with monitor() as summary, pytest.raises(ValueError, match="epochs is 'two'.*begin has the unknown parameter 'epoch'; known are epochs"):
        summary.begin(epochs="two", epoch=1)


@pytest.mark.parametrize("keep", [True, False])
def test_without_the_default_action_only_what_is_named_is_collected(tmp_path, monitor, recording, keep):
    with monitor(collect_freq=1, keep_default_action=keep, collect_specified_data={"collect_histograms": True}) as summary:
        summary.end_step(1, loss=1.0, parameters={"w": np.ones(3)})
    assert ("loss/auto", 1) in recording(tmp_path).scalars() or not keep
    assert (recording(tmp_path).scalars() == {}) == (not keep)
    assert recording(tmp_path).of("histogram").keys() == {("w/auto", 1)}


def test_histogram_regular_switches_histograms_on_where_nothing_else_is(tmp_path, monitor, recording):
    with monitor(collect_freq=1, keep_default_action=False, collect_specified_data={"histogram_regular": "fc"}) as summary:
        summary.end_step(1, loss=1.0, parameters={"w": np.ones(3), "fc.w": np.ones(3)})
    assert recording(tmp_path).scalars() == {}
    assert recording(tmp_path).of("histogram").keys() == {("fc.w/auto", 1)}


LANDSCAPE = {"collect_landscape": {"unit": "step", "intervals": [[1, 2, 4]], "create_landscape": {"result": False}}}


def test_the_checkpoints_of_a_landscape_are_saved_by_a_function(tmp_path, monitor):
    saved = []

    def save(path: str) -> None:
        saved.append(Path(path).name)
        Path(path).write_bytes(b"weights")

    with monitor(collect_freq=100, collect_specified_data=LANDSCAPE, save_checkpoint=save) as summary:
        summary.begin(epochs=1, steps_per_epoch=5, network="LeNet5")
        due = [step for step in range(1, 6) if summary.is_checkpoint_due(step)]
        for step in range(1, 6):
            summary.end_step(step, loss=1.0)
    assert due == [1, 2, 4]
    assert saved == ["LeNet5_1_step.ckpt", "LeNet5_2_step.ckpt", "LeNet5_4_step.ckpt"]
    metadata = json.loads((tmp_path / "ckpt_dir" / "train_metadata.json").read_text())
    assert metadata["epoch_group"] == {"0": [1, 2, 4]}
    assert metadata["model_params_file_map"]["4"] == str(tmp_path / "ckpt_dir" / "LeNet5_4_step.ckpt")
    assert metadata["create_landscape"] == {"train": True, "result": False}


def test_a_checkpoint_that_cannot_be_saved_is_said_and_reported_at_the_end(monitor, lines):
    summary = monitor(collect_specified_data=LANDSCAPE, save_checkpoint=lambda path: 1 / 0)
    summary.end_step(1, loss=1.0)
    assert "save_checkpoint: ZeroDivisionError" in lines[-1]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        summary.end()


YAML = """
seed: 42
callbacks:
  - type: MFLossMonitor
  - type: SummaryMonitor
    summary_dir: {directory}
    collect_freq: 2
    max_file_size: 4GB
    collect_specified_data: {{collect_dataset_graph: False}}
"""


@pytest.mark.parametrize("given", ["text", "path", "str of a path"])
def test_from_yaml_takes_a_path_or_the_text_itself(tmp_path, lines, recording, given):
    text = YAML.format(directory=tmp_path / "run")
    file = tmp_path / "monitor.yaml"
    file.write_text(text)
    source = {"text": text, "path": file, "str of a path": str(file)}[given]
    with sightline.SummaryMonitor.from_yaml(source, say=lines.append, collect_freq=7) as summary:
        for step in range(1, 5):
            summary.end_step(step, loss=float(step))
    assert [step for tag, step in recording(tmp_path / "run").scalars() if tag == "loss/auto"] == [1, 2, 4]
    assert len(lines) == 2


def test_from_yaml_names_every_fault_of_the_file(tmp_path):
    with pytest.raises(ValueError, match="max_file_size is 4 GX.*collect_freq is 0"):
        sightline.SummaryMonitor.from_yaml("{callbacks: [{type: SummaryMonitor, collect_freq: 0, max_file_size: 4 GX}]}")
    with pytest.raises(FileNotFoundError, match="none.yaml"):
        sightline.SummaryMonitor.from_yaml(tmp_path / "none.yaml")
    with pytest.raises(ValueError, match="unknown parameter 'colour'"):
        sightline.SummaryMonitor.from_yaml(tmp_path / "none.yaml", colour="red")
    with pytest.raises(TypeError):
        sightline.SummaryMonitor.from_yaml(3)


def steps_of(values, tag):
    return [step for name, step in values if name == tag]


@pytest.mark.parametrize(
    ("frequency", "expected"),
    [
        ({"every_steps": 6}, [1, 6, 12]),
        ({"first_steps": 3}, [1, 2, 3]),
        ({"every_steps": 5, "first_steps": 2}, [1, 2, 5, 10]),
        ({"every_seconds": 1e6}, [1]),
    ],
)
@pytest.mark.parametrize("which", [{"kind": "histogram"}, {"tag": "w.*/auto"}, {"kind": "histogram", "tag": "weight"}])
def test_a_frequency_counts_for_its_kind_or_tags(tmp_path, monitor, recording, which, frequency, expected):
    asked = []
    with monitor(collect_freq=4, frequencies=[{**which, **frequency}]) as summary:
        for step in range(1, 13):
            asked += [step] if summary.should_record("weight/auto", step, "histogram") else []
            summary.end_step(step, loss=1.0, parameters=lambda: {"weight": np.ones(3)})
    assert steps_of(recording(tmp_path).of("histogram"), "weight/auto") == asked == expected
    assert steps_of(recording(tmp_path).scalars(), "loss/auto") == [1, 4, 8, 12]


def test_a_kind_that_a_step_does_not_record_is_not_asked_for(monitor):
    asked = []
    with monitor(collect_freq=2, frequencies=[{"kind": "image", "every_steps": 3}, {"kind": "histogram", "first_steps": 1}]) as summary:
        for step in range(1, 7):
            summary.end_step(
                step,
                loss=lambda: asked.append(("loss", step)),
                input=lambda: asked.append(("input", step)),
                histograms=lambda: asked.append(("histograms", step)) or {},
            )
    assert asked == [
        ("loss", 1), ("input", 1), ("histograms", 1), ("loss", 2), ("input", 3), ("loss", 4), ("loss", 6), ("input", 6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ([{"every_steps": 3}], r"frequencies\[0\] has neither kind nor tag"),
        ([{"tag": "a"}], r"frequencies\[0\] has none of every_steps, every_seconds and first_steps"),
        ([{"kind": "graph", "every_steps": 3}], r"frequencies\[0\].kind is 'graph', but must be scalar or histogram or image or tensor"),
        ([{"tag": "(", "every_steps": 3}], r"frequencies\[0\].tag is '\('"),
        ([{"tag": "a", "every_steps": 0}], r"frequencies\[0\].every_steps is 0, but must be at least 1 step"),
        ([{"tag": "a", "every_seconds": 0}], r"frequencies\[0\].every_seconds is 0"),
        ([{"tag": "a", "every": 3}], r"frequencies\[0\] has the unknown key 'every'"),
        ({"tag": "a"}, "frequencies is .*, but must be a list of maps"),
    ],
)
def test_a_wrong_frequency_is_a_value_error(tmp_path, wrong, fault):
    with pytest.raises(ValueError, match=fault):
        sightline.SummaryMonitor(tmp_path, frequencies=wrong)


def test_should_record_tells_what_a_step_records_before_it_and_within(monitor):
    within = []
    with monitor(collect_freq=10, collect_tensor_freq=4, collect_specified_data={"collect_input_data": False}) as summary:
        assert summary.should_record("logits", 4) and not summary.should_record("logits", 5)
        assert summary.should_record("loss/auto", 10, "scalar") and not summary.should_record("loss/auto", 4, "scalar")
        assert not summary.should_record("input_data/auto", 10, "image")
        summary.end_step(4, tensors=lambda: within.append(summary.should_record("logits", 4)) or {"logits": np.ones(2)})
        assert within == [True] and not summary.should_record("logits", 4)
        with pytest.raises(ValueError, match="kind is 'graph', but must be scalar, histogram, image or tensor"):
            summary.should_record("logits", 4, "graph")
    assert not summary.should_record("logits", 8)


@pytest.mark.parametrize("ranks", [2, [0, 2]])
def test_only_the_ranks_that_are_named_record(tmp_path, lines, ranks):
    enabled = []
    for rank in range(3):
        directory = tmp_path / str(rank)
        with sightline.SummaryMonitor(directory, say=lines.append, ranks=ranks, rank=rank, world_size=3) as summary:
            summary.end_step(1, loss=lambda: 1.0 if summary.enabled else 1 / 0)
            assert summary.stats.first_error is None
        enabled += [rank] if summary.enabled else []
        assert directory.exists() == summary.enabled
    assert enabled == ([2] if ranks == 2 else [0, 2])
    assert f"rank 1 does not record: ranks = {ranks if isinstance(ranks, list) else [ranks]}" in lines


@pytest.mark.parametrize("ranks", [None, "all"])
def test_every_rank_records_by_default_and_its_files_name_it(tmp_path, monitor, recording, ranks):
    with monitor(ranks=ranks, rank=2, world_size=3) as summary:
        summary.end_step(1, loss=1.0)
    (session,) = recording(tmp_path).info()["sessions"]
    assert (session["rank"], session["world_size"]) == (2, 3)


@pytest.mark.parametrize("wrong", ["some", [], [-1], ["0"], 1.5])
def test_wrong_ranks_are_a_value_error(tmp_path, wrong):
    with pytest.raises(ValueError, match="ranks"):
        sightline.SummaryMonitor(tmp_path, ranks=wrong)


def test_an_overhead_budget_leaves_out_heavy_values_and_says_so(tmp_path, monitor, recording, lines):
    gradient = np.ones(1_000_000, np.float32)
    with monitor(collect_freq=1, max_overhead="1%") as summary:
        for step in range(1, 301):
            summary.end_step(step, loss=1.0, histograms={"grad": gradient})
    assert "max_overhead = 1 %" in lines[1] and "for max_overhead" in lines[-1]
    run = recording(tmp_path)
    histograms = steps_of(run.of("histogram"), "grad")
    assert len(histograms) + summary.thinned_steps == 300 and summary.thinned_steps > 0
    assert len(steps_of(run.scalars(), "loss/auto")) == 300
    assert steps_of(run.scalars(), "recording_rate/auto")


@pytest.mark.parametrize("wrong", [0, 1, "100%", "little", -0.5, True])
def test_a_wrong_overhead_budget_is_a_value_error(tmp_path, wrong):
    with pytest.raises(ValueError, match="max_overhead is"):
        sightline.SummaryMonitor(tmp_path, max_overhead=wrong)


def test_a_resumed_training_goes_on_behind_the_run_and_its_steps_count_once(tmp_path, monitor, recording, lines):
    for first, options in ((1, {}), (21, {"resume_from_step": 21})):
        with monitor(collect_freq=10, **options) as summary:
            for step in range(first, first + 30):
                summary.end_step(step, loss=float(first))
    assert "resumed from step 21 of session" in lines[2]
    assert recording(tmp_path).scalars()["loss/auto", 30] == 21.0
    run = recording(tmp_path).info()
    (loss,) = [tag for tag in run["tags"] if tag["tag"] == "loss/auto"]
    assert (loss["values"], loss["last_step"], loss["superseded"]) == (6, 50, 1)  # 1, 10, 20, 30, 40, 50
    assert [session.get("superseded_from") for session in run["sessions"]] == [21, None]


def test_a_step_before_the_one_to_resume_from_is_said_and_reported_at_the_end(monitor, lines):
    summary = monitor(resume_from_step=21)
    summary.end_step(1, loss=1.0)
    assert "step 1 ended, though resume_from_step is 21" in lines[-1]
    with pytest.raises(ValueError, match="count on from 21"):
        summary.end()


@pytest.mark.parametrize("wrong", [-1, "21", 2.5])
def test_a_wrong_step_to_resume_from_is_a_value_error(tmp_path, wrong):
    with pytest.raises(ValueError, match="resume_from_step is"):
        sightline.SummaryMonitor(tmp_path, resume_from_step=wrong)


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


def test_the_default_directory_is_that_of_the_rank(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_script("import sightline; sightline.SummaryMonitor().end()", RANK_ID="3")
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

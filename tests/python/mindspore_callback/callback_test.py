"""The callback in MindSpore's training: what it collects, what it says, and what it never does."""

import contextlib
import inspect
import json
import re
import shutil

import mindspore as ms
import networks
import numpy as np
import pytest
from driving import drive
from mindspore.train.callback import RunContext
from sightline.mindspore import SummaryCollector, SummaryMonitor


@pytest.fixture
def lines():
    return []


@pytest.fixture
def monitor(tmp_path, lines):
    """monitor(**options) -> SummaryMonitor of tmp_path."""
    return lambda **options: SummaryMonitor(tmp_path, say=lines.append, **options)


@pytest.fixture(scope="module")
def model():
    return networks.model(networks.Dense())


class Untouchable(ms.Tensor):
    """A tensor that notes when it is fetched."""

    fetched = 0

    def asnumpy(self):
        Untouchable.fetched += 1
        return super().asnumpy()

    def get_bytes(self):
        Untouchable.fetched += 1
        return super().get_bytes()

    def __float__(self):
        number = super().__float__()
        Untouchable.fetched += 1
        return number


def steps_of(run, tag):
    return [step for name, step in run.scalars() if name == tag]


def test_from_yaml_trains_by_a_configuration_and_goes_on_with_it_in_the_next_training(
    tmp_path, lines, model, recording
):
    yaml = f"{{callbacks: [{{type: SummaryMonitor, summary_dir: {tmp_path}, collect_freq: 2}}]}}"
    monitor = SummaryMonitor.from_yaml(yaml, say=lines.append)
    for _ in range(2):
        model.train(1, networks.rows(4), [monitor], dataset_sink_mode=False)
    assert sorted(steps_of(recording(tmp_path), "loss/auto")) == [1, 2, 4]
    assert len([line for line in lines if line.startswith("recording step 1 and every 2nd")]) == 2


def test_of_two_callbacks_in_a_training_the_second_warns_that_the_first_has_operators_values(
    model, tmp_path
):
    lines = {"first": [], "second": []}
    callbacks = [
        SummaryMonitor(str(tmp_path / name), say=said.append) for name, said in lines.items()
    ]
    model.train(1, networks.rows(4), callbacks, dataset_sink_mode=False)
    warned = {
        name: [line for line in said if "it alone records operators' values" in line]
        for name, said in lines.items()
    }
    assert [len(warned["first"]), len(warned["second"])] == [0, 1]


def test_it_is_a_callback_with_the_signatures_that_it_stands_in_for():
    ours = list(inspect.signature(SummaryCollector).parameters.values())[:-1]
    theirs = list(inspect.signature(ms.SummaryCollector).parameters.values())
    assert [(each.name, each.default) for each in ours] == [
        (each.name, each.default) for each in theirs
    ]
    without = [each for each in theirs if each.name != "num_process"]
    ours = list(inspect.signature(SummaryMonitor).parameters.values())[:-1]
    assert [each.name for each in ours] == [each.name for each in without]
    assert ours[0].default is None and ours[1].default == 10
    assert issubclass(SummaryCollector, ms.Callback) and issubclass(SummaryMonitor, ms.Callback)


def test_the_third_argument_of_summary_collector_has_no_effect(model, recording, tmp_path):
    model.train(
        1, networks.rows(4), [SummaryCollector(str(tmp_path), 2, 32)], dataset_sink_mode=False
    )
    assert steps_of(recording(tmp_path), "loss/auto") == [1, 2, 4]


def test_summary_collector_records_the_evaluations_of_fit(recording, tmp_path):
    model = networks.model(networks.Dense())
    callback = SummaryCollector(str(tmp_path), 1)
    model.fit(2, networks.rows(2), networks.rows(5), callbacks=[callback], dataset_sink_mode=False)
    assert steps_of(recording(tmp_path), "eval/accuracy") == [2, 4]


def test_every_fault_is_in_one_error_and_nothing_is_created(tmp_path):
    with pytest.raises(ValueError) as error:
        SummaryMonitor(
            tmp_path / "run",
            collect_freq=0,
            collect_tensor_freq="often",
            keep_default_action="yes",
            max_file_size=-1,
            collect_specified_data={"collect_metrics": True, "collect_landscape": {"unit": "hour"}},
            workers=-1,
            colour="red",
        )
    for fault in (
        "collect_freq is 0",
        "often",
        "yes",
        "max_file_size is -1",
        "collect_metrics",
        "hour",
        "workers",
        "colour",
    ):
        assert fault in str(error.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("callback", [SummaryMonitor, SummaryCollector])
def test_an_unknown_option_is_named_with_the_class_that_was_used(tmp_path, callback):
    name = callback.__name__.removeprefix("Sightline")
    with pytest.raises(
        ValueError,
        match=f"^{name} has the unknown parameter 'colect_freq' .did you mean 'collect_freq'",
    ):
        callback(tmp_path, colect_freq=5)


def test_our_options_go_by_keyword(model, tmp_path):
    monitor = SummaryMonitor(
        tmp_path,
        formats=("mindspore", "tensorboard"),
        hostname="here",
        export_options={"tensor_format": "npy"},
    )
    model.train(1, networks.rows(2), [monitor], dataset_sink_mode=False)
    assert list(tmp_path.glob("events.out.tfevents.*.here*")) and list(
        tmp_path.glob("export_*/tensor/t_1.npy")
    )


def test_a_step_that_is_not_recorded_touches_no_tensor(monitor, recording, tmp_path):
    Untouchable.fetched = 0
    tensor = Untouchable(np.zeros((2, 1, 4, 4), np.float32))
    drive(monitor(collect_freq=10), 35, net_outputs=tensor, train_dataset_element=(tensor,))
    # Loss and input of steps 1, 10, 20, 30, and the last loss for the lineage.
    assert Untouchable.fetched == 9
    assert steps_of(recording(tmp_path), "loss/auto") == [1, 10, 20, 30]


def test_what_is_switched_off_is_not_fetched(monitor):
    Untouchable.fetched = 0
    tensor = Untouchable(np.zeros((2, 1, 4, 4), np.float32))
    drive(
        monitor(collect_freq=1, collect_specified_data={"collect_input_data": False}),
        3,
        train_dataset_element=(tensor,),
    )
    drive(
        monitor(
            collect_freq=1,
            keep_default_action=False,
            collect_specified_data={"collect_metric": True},
        ),
        3,
        train_dataset_element=(tensor,),
    )
    assert Untouchable.fetched == 0


def test_parameters_are_those_of_their_step(recording, tmp_path):
    class Keep(ms.Callback):
        weights = []

        def on_train_step_end(self, run_context):
            network = run_context.original_args()["network"]
            Keep.weights.append(network.fc.weight.asnumpy().copy())

    monitor = SummaryMonitor(tmp_path, collect_freq=1)
    networks.model(networks.Dense(), rate=1.0).train(
        1, networks.rows(5), [monitor, Keep()], dataset_sink_mode=False
    )
    histograms = recording(tmp_path).of("histogram")
    for step, weights in enumerate(Keep.weights, start=1):
        assert histograms["fc.weight/auto", step]["max"] == weights.max()
        assert histograms["fc.weight/auto", step]["min"] == weights.min()
    assert len(Keep.weights) == 5 and not np.array_equal(Keep.weights[0], Keep.weights[4])


def test_histograms_are_of_the_parameters_that_match(recording, tmp_path):
    monitor = SummaryMonitor(
        tmp_path, collect_freq=1, collect_specified_data={"histogram_regular": "fc.*bias"}
    )
    model = networks.model(networks.LeNet5())
    model.train(1, networks.patterns(1, batch=2), [monitor], dataset_sink_mode=False)
    assert recording(tmp_path).of("histogram").keys() == {
        (f"fc{i}.bias/auto", 1) for i in (1, 2, 3)
    }


def test_input_that_is_no_image_is_switched_off_with_one_line(
    model, monitor, recording, tmp_path, lines
):
    model.train(1, networks.rows(3), [monitor(collect_freq=1)], dataset_sink_mode=False)
    assert not [tag for tag, _ in recording(tmp_path).of("image")]
    assert len([line for line in lines if "input data is not recorded" in line]) == 1


def test_in_sink_mode_steps_are_epochs(monitor, recording, tmp_path):
    drive(monitor(collect_freq=2), 4, epoch_num=7, dataset_sink_mode=True)
    assert steps_of(recording(tmp_path), "loss/auto") == [1, 2, 4, 6]


def test_lineage_tells_of_a_parallel_training(monitor, recording, tmp_path):
    drive(monitor(), 2, parallel_mode="data_parallel", device_number=8)
    _, event = [
        event for event in recording(tmp_path).events if "train_lineage" in event
    ]  # At the beginning, at the end.
    parameters = event["train_lineage"]["hyper_parameters"]
    assert (parameters["parallel_mode"], parameters["device_num"]) == ("data_parallel", 8)


def test_lineage_names_the_newest_checkpoint_and_the_last_loss(model, monitor, recording, tmp_path):
    losses = []

    class Keep(ms.Callback):
        def on_train_step_end(self, run_context):
            losses.append(float(run_context.original_args()["net_outputs"].asnumpy()))

    saving = ms.ModelCheckpoint(
        "net", str(tmp_path / "saved"), ms.CheckpointConfig(save_checkpoint_steps=2)
    )
    model.train(
        1, networks.rows(5), [Keep(), saving, monitor(collect_freq=3)], dataset_sink_mode=False
    )
    _, event = [
        event for event in recording(tmp_path).events if "train_lineage" in event
    ]  # At the beginning, at the end.
    (newest,) = [
        str(path) for path in (tmp_path / "saved").glob("*.ckpt") if path.name.endswith("1_5.ckpt")
    ]
    assert newest in event["train_lineage"]["model"]["path"]
    assert event["train_lineage"]["algorithm"]["loss"] == pytest.approx(losses[-1], rel=1e-6)


def test_metrics_of_an_evaluation_belong_to_the_step_before(model, monitor, recording, tmp_path):
    callback = monitor(collect_freq=1)
    model.train(1, networks.rows(3), [callback], dataset_sink_mode=False)
    model.eval(networks.rows(4), callbacks=[callback], dataset_sink_mode=False)
    run = recording(tmp_path)
    assert steps_of(run, "eval/accuracy") == [3]
    (event,) = [event for event in run.events if "evaluation_lineage" in event]
    assert "accuracy" in event["evaluation_lineage"]["metric"]
    assert event["evaluation_lineage"]["valid_dataset"]["valid_dataset_size"] == 8
    assert len([event for event in run.events if "train_lineage" in event]) == 2  # Of one training.


def test_a_second_training_is_recorded_behind_the_first(model, monitor, recording, tmp_path):
    callback = monitor(collect_freq=2)
    for _ in range(2):
        model.train(1, networks.rows(4), [callback], dataset_sink_mode=False)
    assert sorted(steps_of(recording(tmp_path), "loss/auto")) == [1, 2, 4]  # By (tag, step).
    losses = [value for _, value in recording(tmp_path).values if value["tag"] == "loss/auto"]
    assert len(losses) == 6


def test_a_second_training_may_have_images_of_another_type(monitor, recording, tmp_path):
    pixels = np.arange(2 * 1 * 4 * 4).reshape(2, 1, 4, 4) / 32
    callback = monitor(collect_freq=1)
    for kind in (np.float32, np.float64):
        drive(callback, 1, train_dataset_element=(ms.Tensor(pixels.astype(kind)),))
        assert callback.stats.first_error is None
    first, second = [value["image"] for _, value in recording(tmp_path).values if "image" in value]
    assert first == second


def test_a_second_training_is_recorded_beside_the_first_from_another_working_directory(
    model, lines, recording, tmp_path, monkeypatch
):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    callback = SummaryMonitor("run", collect_freq=1, say=lines.append)
    monkeypatch.chdir("other")
    for _ in range(2):
        model.train(1, networks.rows(2), [callback], dataset_sink_mode=False)
        assert callback.stats.first_error is None
    assert list((tmp_path / "other").iterdir()) == []
    assert (
        len(
            [
                value
                for _, value in recording(tmp_path / "run").values
                if value["tag"] == "loss/auto"
            ]
        )
        == 4
    )


def test_what_end_reports_is_said_and_not_raised(model, monitor, lines, monkeypatch):
    monkeypatch.setenv("MINDINSIGHT_HYPER_CONFIG", "{no JSON")
    model.train(1, networks.rows(2), [monitor(collect_freq=1)], dataset_sink_mode=False)
    assert "MINDINSIGHT_HYPER_CONFIG is no JSON object" in lines[-1] and lines[-1].startswith(
        "recorded"
    )


def custom_lineages(run):
    return [str(event["user_defined_info"]) for event in run.events if "user_defined_info" in event]


def test_of_a_later_training_custom_lineage_is_recorded_where_it_has_changed(
    model, monitor, recording, tmp_path, monkeypatch
):
    def search(rate):
        monkeypatch.setenv(
            "MINDINSIGHT_HYPER_CONFIG",
            json.dumps({"custom_lineage_data": {"rate": rate, "note": "theirs"}}),
        )

    search(0.25)
    callback = monitor(custom_lineage_data={"note": "ours"})
    for rate in (0.25, 0.25, 0.75, 0.75):
        search(rate)
        model.train(1, networks.rows(2), [callback], dataset_sink_mode=False)
    lineages = custom_lineages(recording(tmp_path))
    assert [("0.25" in each, "0.75" in each) for each in lineages] == [(True, False), (False, True)]
    assert all("ours" in each and "theirs" not in each for each in lineages)


def test_a_directory_that_cannot_be_opened_again_is_said_and_not_raised(model, lines, tmp_path):
    callback = SummaryMonitor(tmp_path / "run", say=lines.append)
    model.train(1, networks.rows(2), [callback], dataset_sink_mode=False)
    shutil.rmtree(tmp_path / "run")
    (tmp_path / "run").write_text("no directory")
    model.train(1, networks.rows(2), [callback], dataset_sink_mode=False)
    assert lines[-1].startswith("what follows is not recorded: NotADirectoryError")


@pytest.mark.parametrize("initial_epoch", [0, 2])
def test_a_resumed_training_counts_on(model, monitor, recording, tmp_path, lines, initial_epoch):
    model.train(3, networks.rows(4), [monitor(collect_freq=1)], dataset_sink_mode=False)
    resumed = monitor(collect_freq=1, resume_from_step=9)
    for _ in range(2):  # The second is one of its own.
        model.train(
            initial_epoch + 1,
            networks.rows(4),
            [resumed],
            dataset_sink_mode=False,
            initial_epoch=initial_epoch,
        )
    run = recording(tmp_path)
    steps = [step for step, value in run.values if value["tag"] == "loss/auto"]
    assert steps == [*range(1, 13), *range(9, 13), *range(1, 5)]
    assert [session.get("superseded_from") for session in run.info()["sessions"]] == [9, None, None]
    _, _, _, lineage, _, _ = [
        event["train_lineage"] for event in run.events if "train_lineage" in event
    ]
    assert lineage["hyper_parameters"]["epoch"] == 3
    assert resumed.stats.first_error is None


def test_a_resumed_training_counts_epochs_on_in_sink_mode(monitor, recording, tmp_path):
    drive(monitor(collect_freq=1, resume_from_step=3), 2, epoch_num=2, dataset_sink_mode=True)
    assert steps_of(recording(tmp_path), "loss/auto") == [3, 4]


def test_files_are_closed_when_train_returns(model, monitor, tmp_path):
    model.train(1, networks.rows(4), [monitor()], dataset_sink_mode=False)
    assert not list(tmp_path.glob("*journal*"))


def test_a_training_that_raises_is_recorded_as_far_as_it_went(model, monitor, recording, tmp_path):
    class Fail(ms.Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args()["cur_step_num"] == 3:
                raise RuntimeError("the disk of somebody else")

    with pytest.raises(RuntimeError, match="somebody else"):
        model.train(1, networks.rows(5), [monitor(collect_freq=1), Fail()], dataset_sink_mode=False)
    run = recording(tmp_path)
    assert steps_of(run, "loss/auto") == [1, 2, 3]
    assert [event for event in run.events if "train_lineage" in event]


@pytest.mark.parametrize(("steps", "status"), [(2, 1), (5, 2)], ids=["success", "failure"])
def test_tensorboards_hparams_page_says_how_a_training_ended(
    model, monitor, tmp_path, steps, status
):
    class Fail(ms.Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args()["cur_step_num"] == 3:
                raise RuntimeError("the disk of somebody else")

    with pytest.raises(RuntimeError) if steps > 3 else contextlib.nullcontext():
        model.train(
            1,
            networks.rows(steps),
            [monitor(formats="tensorboard"), Fail()],
            dataset_sink_mode=False,
        )
    (file,) = tmp_path.glob("*tfevents*")
    ended = re.search(
        rb"_hparams_/session_end_info.*?hparams\x12\r\"\x0b\x08(.)\x11",
        file.read_bytes(),
        re.DOTALL,
    )
    assert ended and ended[1] == bytes([status])  # HParamsPluginData.session_end_info.status


@pytest.mark.parametrize(
    ("options", "collected"),
    [
        ({"collect_specified_data": "None"}, True),
        ({"keep_default_action": None}, True),
        ({"collect_specified_data": {"collect_metric": None}}, True),
        ({"collect_specified_data": {"collect_metric": None}, "keep_default_action": False}, False),
        (
            {"collect_specified_data": {"collect_metric": "None"}, "keep_default_action": False},
            False,
        ),
        ({"collect_specified_data": {"collect_metric": True}, "keep_default_action": False}, True),
    ],
    ids=str,
)
def test_what_is_collected_is_read_from_the_options_once(
    monitor, recording, tmp_path, options, collected
):
    drive(monitor(collect_freq=1, **options), 2)
    assert steps_of(recording(tmp_path), "loss/auto") == ([1, 2] if collected else [])


@pytest.mark.parametrize("several", [tuple, list])
def test_the_loss_is_the_first_of_several_outputs(monitor, recording, tmp_path, several):
    outputs = several([ms.Tensor(np.float32(0.25)), ms.Tensor(np.float32(8.0))])
    drive(monitor(collect_freq=1), 1, net_outputs=outputs)
    assert recording(tmp_path).scalars()["loss/auto", 1] == 0.25


def test_nothing_is_raised_into_a_training(monitor, recording, tmp_path, lines):
    class Broken:
        def __getattr__(self, name):
            raise RuntimeError(f"no {name}")

    drive(monitor(collect_freq=1), 3, train_dataset=Broken(), net_outputs=Broken(), network=None)
    callback = monitor()
    callback.on_train_begin(RunContext({}))
    callback.on_train_step_end(RunContext({}))
    callback.on_eval_end(RunContext({}))
    callback.on_train_end(RunContext({}))
    assert any("the lineage has no batch_size" in line for line in lines)
    assert any(line.startswith("on_train_step_end: KeyError") for line in lines)


def test_a_bad_loss_is_counted_and_the_rest_recorded(monitor, recording, tmp_path):
    callback = monitor(collect_freq=1)
    drive(
        callback,
        2,
        net_outputs="low",
        train_dataset_element=(ms.Tensor(np.zeros((1, 1, 2, 2), np.float32)),),
    )
    assert callback.stats.invalid_values == 2
    assert "end_step('loss', step 1)" in callback.stats.first_error
    assert recording(tmp_path).of("image").keys() == {
        ("input_data/auto", 1),
        ("input_data/auto", 2),
    }


def test_it_warns_of_mindspores_collector_in_the_same_training(model, monitor, tmp_path, lines):
    theirs = ms.SummaryCollector(
        str(tmp_path / "theirs"), collect_specified_data={"collect_landscape": None}
    )
    model.train(1, networks.rows(2), [monitor(), theirs], dataset_sink_mode=False)
    assert (
        len(
            [line for line in lines if "mindspore.SummaryCollector is in this training too" in line]
        )
        == 1
    )


def test_disabled_it_creates_nothing(model, tmp_path, monkeypatch):
    monkeypatch.setenv("SIGHTLINE_DISABLE", "1")
    monitor = SummaryMonitor(tmp_path / "run")
    model.train(1, networks.rows(2), [monitor], dataset_sink_mode=False)
    assert monitor.recorder is None and not (tmp_path / "run").exists()


def test_no_process_is_started(model, monitor):
    import multiprocessing
    import os

    children = f"/proc/self/task/{os.getpid()}/children"
    seen = []

    class Look(ms.Callback):
        def on_train_step_end(self, run_context):
            with open(children) as file:
                seen.append(file.read())

    before = open(children).read()
    model.train(1, networks.rows(3), [monitor(collect_freq=1), Look()], dataset_sink_mode=False)
    assert set(seen) == {before} and multiprocessing.active_children() == []

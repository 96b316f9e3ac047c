"""sightline.mindspore.Profiler: every option and method of MindSpore's, in the words of docs/profiler.md."""

import json
import warnings
from pathlib import Path

import mindspore as ms
import networks
import pytest
from sightline import profiler as spans
from sightline.mindspore import Profiler
from sightline.mindspore.profiler_files import run_sightline

STEPS = 8


class StopAtStep(ms.Callback):
    """As MindSpore's documents have it: profiles from one step to another, `again` too."""

    def __init__(self, profiler, *sessions):
        super().__init__()
        self.profiler, self.sessions = profiler, sessions

    def on_train_step_begin(self, run_context):
        step = run_context.original_args().cur_step_num
        if step in [first for first, _ in self.sessions]:
            self.profiler.start()

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num in [last for _, last in self.sessions]:
            with spans.span("my own work"):
                pass
            self.profiler.stop()


def train(*callbacks):
    model = networks.model(networks.Dense())
    model.train(1, networks.rows(STEPS), callbacks=list(callbacks), dataset_sink_mode=False)


def executions(folder, kind):
    """How often operators of a type ran, by MindSpore's own table."""
    for line in (Path(folder) / "FRAMEWORK/cpu_op_type_info_0.csv").read_text().splitlines():
        if line.startswith(f"{kind},"):
            return int(line.split(",")[1])
    return 0


def trace(folder):
    return json.loads((Path(folder) / "ASCEND_PROFILER_OUTPUT/trace_view.json").read_text())


def spans_of(events):
    return [
        event["name"]
        for event in events
        if event["ph"] == "X" and event["args"].get("type") == "HostCpuOps"
    ]


@pytest.fixture(scope="module")
def profiled(tmp_path_factory):
    """Two sessions of a training, of the steps 2 to 3 and 5 to 8, stopped and not yet analysed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # These options work: there is nothing to say about them.
        profiler = Profiler(
            output_path=str(tmp_path_factory.mktemp("profile")),
            start_profile=False,
            profile_memory=True,
            data_process=True,
        )
    profiler.add_metadata("network", "Dense")
    train(StopAtStep(profiler, (2, 3), (5, 8)))
    return profiler


@pytest.fixture(scope="module")
def analysed(profiled):
    profiled.analyse(pretty=True, step_list=[1, 2], mode="sync")
    return profiled


def sessions(profiler):
    return sorted(Path(profiler.folder).parent.iterdir())


def test_each_session_has_the_steps_from_its_start_to_its_stop(analysed):
    # MatMul runs forward and for two gradients, of which one is not needed.
    assert [executions(folder, "MatMul") for folder in sessions(analysed)] == [4, 8]
    assert all(folder.name.endswith("_ascend_ms") for folder in sessions(analysed))


def test_profile_memory_records_the_allocations(analysed):
    rows = (Path(analysed.folder) / "FRAMEWORK/cpu_ms_memory_record_0.txt").read_text().splitlines()
    assert rows[0].startswith("Timestamp(ns),Total Allocated(Byte)") and len(rows) > 1


def test_data_process_records_the_pipeline(analysed):
    pipeline = json.loads(
        (Path(analysed.folder) / "FRAMEWORK/pipeline_profiling_0.json").read_text()
    )
    assert [operator["op_type"] for operator in pipeline["op_info"]] == ["BatchOp", "GeneratorOp"]


def test_our_spans_are_in_the_profile(analysed):
    found = run_sightline(
        "profile", "ops", "--json", "--each", "--find", "own work", analysed.folder + "/sightline"
    )
    assert [json.loads(line)["count"] for line in found.splitlines()] == [1]
    # One profile: MindSpore's lanes, and the thread's that had the span.
    lanes = json.loads(run_sightline("profile", "info", "--json", analysed.folder))["lanes"]
    assert {"CPU OP", "Scope Layer"} < {lane["process"] for lane in lanes}


def test_step_list_keeps_these_steps_and_pretty_indents(analysed):
    # Of the steps 5 to 8 these are 5 and 6; each operator runs once in a step.
    ran = spans_of(trace(analysed.folder))
    assert len(ran) == 2 * len(set(ran)) > 0
    text = (Path(analysed.folder) / "ASCEND_PROFILER_OUTPUT/trace_view.json").read_text()
    assert text.startswith("[\n    {\n")


def test_metadata_is_in_its_file(analysed):
    for folder in sessions(analysed):
        assert json.loads((folder / "profiler_metadata.json").read_text()) == {"network": "Dense"}


def test_the_summary_is_there_and_in_its_file(analysed):
    assert json.loads((Path(analysed.folder) / "summary.json").read_text()) == analysed.summary
    assert all(
        finding["what"] and finding["evidence"] and finding["change"]
        for finding in analysed.summary
    )


def test_op_analyse_tells_types_and_their_shapes(analysed):
    answer = json.loads(analysed.op_analyse(["MatMul", "BiasAdd"]))
    assert answer["device_id"] == 0 and set(answer) == {"MatMul", "BiasAdd", "device_id"}
    assert sum(entry["op_occurrences"] for entry in answer["MatMul"]) == 8
    assert answer["BiasAdd"][0]["input_shape"].startswith("[2, 3];[3]")
    for entry in answer["MatMul"]:
        assert entry["op_avg_time(us)"] == pytest.approx(
            entry["op_total_time(us)"] / entry["op_occurrences"], rel=1e-3
        )
    with pytest.warns(UserWarning, match="no operator of type Conv2D ran"):
        assert "Conv2D" not in json.loads(analysed.op_analyse(["MatMul", "Conv2D"], device_id=3))


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ((1,), TypeError, "op_name must be a str or a list"),
        (("MatMul", "0"), TypeError, "device_id must be an int"),
        (([],), TypeError, "op_name must name operators"),
        (("Conv2D",), RuntimeError, "no operator of type Conv2D ran; there are .*MatMul"),
    ],
)
def test_op_analyse_refuses(analysed, arguments, error, message):
    with pytest.raises(error, match=message):
        analysed.op_analyse(*arguments)


def test_nothing_is_analysed_twice(analysed):
    with pytest.raises(RuntimeError, match="nothing to analyse"):
        analysed.analyse()


def test_offline_paths_and_another_process_are_analysed(analysed):
    folder = sessions(analysed)[0]
    path = folder / "ASCEND_PROFILER_OUTPUT/trace_view.json"
    for again in (
        lambda: Profiler.offline_analyse(str(folder.parent), pretty=False),
        lambda: Profiler(analyse_only=True).analyse(offline_path=str(folder)),
        lambda: (
            Profiler(analyse_only=True).analyse(offline_path=str(folder), mode="async"),
            Profiler.wait(),
        ),
    ):
        path.unlink()
        (folder / "summary.json").unlink()
        again()
        assert spans_of(json.loads(path.read_text()))
        assert (folder / "summary.json").exists()


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"mode": "later"}, ValueError, "mode is 'later'"),
        ({"step_list": 3}, TypeError, "step_list must be a list of ints"),
        ({"step_list": ["1"]}, TypeError, "step_list must be a list of ints"),
        ({"step_list": [1, 3]}, ValueError, "must be consecutive"),
        ({"offline_path": "/nowhere"}, RuntimeError, "no profile was found in or below it"),
    ],
)
def test_analyse_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        Profiler(analyse_only=True).analyse(**arguments)


def test_steps_that_are_not_there_are_refused(analysed):
    with pytest.raises(RuntimeError, match="steps 90 to 91 were not recorded; recorded are 1 to"):
        Profiler.offline_analyse(analysed.folder, step_list=[90, 91])


def test_starts_and_stops_out_of_order_are_refused(tmp_path):
    profiler = Profiler(output_path=str(tmp_path), start_profile=False)
    with pytest.raises(RuntimeError, match="has not started"):
        profiler.stop()
    profiler.start()
    try:
        with pytest.raises(RuntimeError, match="has started"):
            profiler.start()
        with pytest.raises(RuntimeError, match="another Profiler"):
            Profiler(output_path=str(tmp_path))
        with pytest.raises(RuntimeError, match="still collecting"):
            profiler.op_analyse("MatMul")
    finally:
        profiler.stop()
    with Profiler(output_path=str(tmp_path)) as started:
        pass
    with pytest.raises(RuntimeError, match="start_profile=False"):
        started.start()
    with pytest.raises(RuntimeError, match="analyse_only"):
        Profiler(analyse_only=True).start()


def test_the_end_of_the_process_stops_a_profiler(tmp_path, run_script):
    done = run_script(
        f"""
        from sightline.mindspore import Profiler
        from sightline.profiler import span
        profiler = Profiler(output_path={str(tmp_path / "data")!r})
        profiler.add_metadata("network", "none")
        with span("mine"):
            pass
        """
    )
    assert "Traceback" not in done.stderr
    (folder,) = (tmp_path / "data").iterdir()
    assert json.loads((folder / "profiler_metadata.json").read_text()) == {"network": "none"}
    assert b"mine" in next(folder.glob("sightline/*")).read_bytes()


def test_without_op_time_only_spans_are_recorded(tmp_path):
    with Profiler(output_path=str(tmp_path), op_time=False) as profiler:
        with spans.span("mine"):
            pass
    profiler.analyse()
    assert not list(Path(profiler.folder).glob("FRAMEWORK/cpu_op*"))
    assert [path.suffix for path in Path(profiler.folder).glob("sightline/*")] == [
        ".perfetto-trace"
    ]
    with pytest.raises(RuntimeError, match="it has no operators"):
        profiler.op_analyse("MatMul")


@pytest.mark.parametrize(
    "option",
    [
        {"profiler_level": ms.profiler.ProfilerLevel.Level1},
        {"profile_communication": True},
        {"parallel_strategy": True},
        {"aicore_metrics": 2},
        {"l2_cache": True},
        {"hbm_ddr": True},
        {"pcie": True},
        {"sync_enable": False},
        {"timeline_limit": 20},
        {"profile_framework": "all"},
        {"with_stack": True},
        {"data_simplification": False},
        {"env_enable": True},
    ],
    ids=lambda option: next(iter(option)),
)
def test_what_is_for_other_devices_gets_a_notice(option):
    with pytest.warns(
        UserWarning, match=f"{next(iter(option))} is for .*, and has no effect on the processor"
    ):
        Profiler(analyse_only=True, **option)


@pytest.mark.parametrize(
    "options, error, message",
    [
        (
            {"profile_memory": True, "op_time": False},
            ValueError,
            "profile_memory needs op_time=True",
        ),
        ({"with_stack": True, "op_time": False}, ValueError, "with_stack needs op_time=True"),
        ({"aicore_metrics": 7}, ValueError, "aicore_metrics is 7"),
        ({"timeline_limit": 0}, ValueError, "timeline_limit is 0"),
        ({"profile_framework": "some"}, ValueError, "profile_framework is 'some'"),
        ({"rank_id": -1}, ValueError, "rank_id is -1"),
        ({"profile_memory": 1}, TypeError, "profile_memory must be of type bool"),
        ({"rank_id": True}, TypeError, "rank_id must be of type int"),
        ({"output_path": 3}, TypeError, "output_path must be a str"),
        (
            {"schedule": None, "activities": []},
            TypeError,
            "Profiler has no option activities, schedule",
        ),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        Profiler(analyse_only=True, **options)


def test_rank_id_is_the_device_of_op_analyse(analysed):
    profiler = Profiler(analyse_only=True, rank_id=5)
    profiler._folder = analysed.folder
    assert json.loads(profiler.op_analyse("MatMul"))["device_id"] == 5


def test_metadata_that_cannot_be_added_is_left_out_with_a_notice():
    profiler = Profiler(analyse_only=True)
    profiler.add_metadata_json("shape", "[1, 2]")
    assert profiler._metadata == {"shape": [1, 2]}
    for add, arguments, message in (
        (profiler.add_metadata, ("a", 1), "must be strings"),
        (profiler.add_metadata_json, ("a", "{"), "it is not JSON"),
        (profiler.add_metadata_json, ("a", "[" * 100_000), "it is not JSON"),
        (profiler.add_metadata, ("a", "x" * (100 << 20)), "more than 100 MB"),
        (profiler.add_metadata, ("shape", "new"), "existed, and is replaced"),
    ):
        with pytest.warns(UserWarning, match=message):
            add(*arguments)
    assert profiler._metadata == {"shape": "new"}

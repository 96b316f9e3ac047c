"""MindInsight 2.3.1 reads profiles that we exported in MindSpore 2.0's layout: what its pages show is what was recorded."""

import json
import subprocess
from pathlib import Path

import pytest
from mindinsight.profiler.analyser.analyser_factory import AnalyserFactory

ROOT = Path(__file__).resolve().parents[2]
SIGHTLINE = ROOT / "build" / "dev" / "tools" / "sightline"
CORPUS = ROOT / "tests" / "corpus" / "profiler"


def run(*arguments):
    return subprocess.run(
        [SIGHTLINE, *arguments], check=True, capture_output=True, text=True
    ).stdout


def lines(*arguments):
    return [json.loads(line) for line in run(*arguments).splitlines()]


@pytest.fixture
def exported(tmp_path):
    """exported(profile) -> the folder, and MindInsight's answer to a question about it."""

    def export(profile):
        folder = tmp_path / "run" / "profiler"
        run("profile", "export", str(profile), "-o", str(folder))
        return lambda question: (
            AnalyserFactory.instance().get_analyser(question, str(folder), "0").query({})
        )

    return export


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "run"
    run("demo", "--profile", "--epochs", "1", "--overhead-pairs", "0", str(folder))
    return folder / "profile"


@pytest.mark.parametrize("profile", ["mindspore_2_7/dynamic_ascend_ms", "demo"])
def test_its_page_of_operators_has_ours(exported, demo, profile):
    path = demo if profile == "demo" else CORPUS / profile
    ask = exported(path)
    types = {row[0]: row for row in ask("cpu_op_type")["object"]}
    ours = lines("profile", "ops", "--json", str(path))
    assert set(types) == {row["type"] for row in ours}
    for row in ours:
        _, count, _, total, average, share = types[row["type"]]
        assert count == row["count"]
        # The trace, of which the export is made, has microseconds with three digits.
        assert total == pytest.approx(row["total_us"], abs=0.01 * count)
        assert average == pytest.approx(row["average_us"], abs=0.02)
        assert share == pytest.approx(100 * row["share"], abs=0.01)
    names = {row[3] for row in ask("cpu_op_info")["object"]}
    assert names == {row["name"] for row in lines("profile", "ops", "--each", "--json", str(path))}


def test_its_step_trace_has_our_steps(exported, demo):
    (ours,) = lines("profile", "steps", "--json", str(demo))
    answer = exported(demo)("step_trace")
    assert answer["size"] == len(ours["steps"]) == 44
    stages = {
        stage["name"]: stage["duration"]
        for lane in answer["training_trace_graph"]
        for stage in lane
    }
    for name, part in (
        ("iteration_interval", "gap_us"),
        ("fp_and_bp", "work_us"),
        ("tail", "tail_us"),
    ):
        assert stages[name] == pytest.approx(ours["mean"][part] / 1000, abs=2e-4)


def test_its_data_pipeline_has_our_queues(exported):
    ask = exported(CORPUS / "mindspore_2_0" / "minddata_slowgen")
    rows = {row[1]: row for row in ask("minddata_pipeline")["object"]}
    assert rows["GeneratorOp"][4] == pytest.approx(0.00625)

"""python3 -m sightline.export: Parquet files, read back by pyarrow and DuckDB."""

import json
import math
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet
import pytest
import sightline
from sightline import export as exporting
from sightline import runs as reading

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture
def export(tmp_path, capsys):
    """export(*arguments) -> (exit code, report or None, standard error), into tmp_path/out."""

    def run(*arguments):
        code = exporting.main(
            [*map(str, arguments), "--format", "parquet", "-o", str(tmp_path / "out"), "--json"]
        )
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else None, said.err

    return run


@pytest.fixture
def trainings(tmp_path):
    """Runs b, a/1 and a/2 with losses 0.5, 1.0 ... of steps 1 to 5, b with a tensor and a histogram."""
    for number, name in enumerate(("b", "a/1", "a/2")):
        with sightline.Recorder(tmp_path / "runs" / name) as recorder:
            for step in range(1, 6):
                recorder.add_scalar("loss", step, step / 2 + number, wall_time=step)
                recorder.add_scalar("lr", step, 0.125, wall_time=step)
            if name == "b":
                recorder.add_tensor("t", 2, np.arange(6, dtype=np.int16).reshape(2, 3), wall_time=2)
                recorder.add_histogram("h", 3, np.array([0, 1, math.nan], np.float32), wall_time=3)
                recorder.add_image("i", 3, np.zeros((1, 1, 2, 2), np.uint8))
    return tmp_path / "runs"


def read(tmp_path, kind):
    return pyarrow.parquet.read_table(tmp_path / "out" / kind)


def test_scalars_are_sorted_by_run_tag_and_step(export, trainings, tmp_path):
    code, report, _ = export(trainings)
    assert code == 0 and report["runs"] == 3 and report["written"]["scalar"] == 30
    rows = read(tmp_path, "scalars").to_pylist()
    assert [(row["run"], row["tag"], row["step"]) for row in rows] == [
        (run, tag, step)
        for run in ("a/1", "a/2", "b")
        for tag in ("loss", "lr")
        for step in range(1, 6)
    ]
    assert [row["value"] for row in rows[:5]] == [1.5, 2, 2.5, 3, 3.5]
    assert {(row["rank"], row["wall_time"] == row["step"]) for row in rows} == {(0, True)}


def test_runs_and_tags_are_dictionary_columns_of_few_files(export, trainings, tmp_path):
    export(trainings)
    (file,) = (tmp_path / "out" / "scalars").iterdir()
    schema = pyarrow.parquet.read_schema(file)
    assert [str(schema.field(name).type)[:10] for name in ("run", "tag")] == ["dictionary"] * 2
    column = pyarrow.parquet.read_metadata(file).row_group(0).column(0)
    assert "RLE_DICTIONARY" in column.encodings


def test_many_points_are_row_groups_and_files(export, trainings, tmp_path, monkeypatch):
    monkeypatch.setattr("sightline._tables.BATCH_POINTS", 7)
    monkeypatch.setattr(exporting, "ROWS_PER_FILE", 14)
    export(trainings)
    files = sorted((tmp_path / "out" / "scalars").iterdir())
    assert [pyarrow.parquet.read_metadata(file).num_rows for file in files] == [14, 14, 2]
    rows = [row for file in files for row in pyarrow.parquet.read_table(file).to_pylist()]
    assert [row["value"] for row in rows if row["tag"] == "loss"] == [
        x + y / 2 for x in (1, 2, 0) for y in range(1, 6)
    ]


def test_tensors_and_histograms_are_exact(export, trainings, tmp_path):
    export(trainings)
    (tensor,) = read(tmp_path, "tensors").to_pylist()
    assert (tensor["run"], tensor["tag"], tensor["step"], tensor["wall_time"]) == ("b", "t", 2, 2)
    array = np.frombuffer(tensor["data"], tensor["dtype"]).reshape(tensor["shape"])
    assert array.dtype == np.int16 and array.tolist() == [[0, 1, 2], [3, 4, 5]]
    (histogram,) = read(tmp_path, "histograms").to_pylist()
    recorded = sightline.open(trainings / "b").histograms("h")[3]
    assert (
        histogram["counts"] == recorded.counts.tolist()
        and histogram["left"] == recorded.left.tolist()
    )
    assert (histogram["count"], histogram["nan_count"], histogram["min"], histogram["max"]) == (
        3,
        1,
        0,
        1,
    )


def test_what_has_no_place_is_named(export, trainings):
    assert export(trainings)[1]["left_out"] == {"image: has no place in this format": 1}


def test_lineage_is_a_row_a_pair(export, tmp_path):
    with sightline.SummaryMonitor(
        tmp_path / "run", custom_lineage_data={"seed": 3, "note": "x"}, say=lambda line: None
    ) as monitor:
        monitor.begin(network="LeNet5")
        monitor.end_step(1, loss=0.5)
    export(tmp_path / "run")
    pairs = {
        row["name"]: row["number"] if row["text"] is None else row["text"]
        for row in read(tmp_path, "lineage").to_pylist()
    }
    assert pairs["network"] == "LeNet5" and pairs["seed"] == 3 and pairs["note"] == "x"


def test_tags_and_steps_select(export, trainings, tmp_path):
    export(trainings, "--tags", "^lo", "--steps", "2:3")
    assert {(row["tag"], row["step"]) for row in read(tmp_path, "scalars").to_pylist()} == {
        ("loss", 2),
        ("loss", 3),
    }
    assert not (tmp_path / "out" / "tensors").exists()
    export(trainings, "--tags", "t", "--steps", "2:", "--force")
    assert read(tmp_path, "tensors").num_rows == 1


@pytest.mark.parametrize(
    "arguments", [("--steps", "2"), ("--steps", "1:x"), ("--tags", "("), ("--tags", "(?!loss)")]
)
def test_a_wrong_selection_ends_with_2_and_leaves_nothing(export, trainings, tmp_path, arguments):
    code, _, said = export(trainings, *arguments)
    assert code == 2 and arguments[0] in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"]


def test_an_existing_folder_is_replaced_by_force_and_only_an_exports(export, trainings, tmp_path):
    assert export(trainings)[0] == 0
    assert export(trainings)[0] == 2
    assert export(trainings, "--force")[0] == 0
    (tmp_path / "out" / ".sightline-export").unlink()
    code, _, said = export(trainings, "--force")
    assert code == 2 and "an export did not write" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "runs"]


def test_a_failure_on_the_way_leaves_nothing(export, trainings, tmp_path, monkeypatch):
    def fail(*arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(exporting._KindFiles, "write", fail)
    code, _, said = export(trainings)
    assert code == 2 and "No space left" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"]


def test_damage_is_named_and_ends_with_1(export, trainings, tmp_path):
    (file,) = (trainings / "b").glob("*_MS")
    file.write_bytes(file.read_bytes()[:-3])
    code, report, said = export(trainings)
    assert code == 1 and f"{file}: skipped " in said and report["written"]["scalar"] == 30


def test_a_terminal_sees_progress_that_goes_away_and_a_pipe_nothing(export, trainings, monkeypatch):
    assert export(trainings)[2] == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _, _, said = export(trainings, "--force")
    assert said.startswith("\r\x1b[Ksightline export: 0 %, 0 of 3 runs") and said.endswith(
        "\r\x1b[K"
    )


def test_no_runs_are_an_error(export, tmp_path):
    (tmp_path / "empty").mkdir()
    code, _, said = export(tmp_path / "empty")
    assert code == 2 and "no event files" in said


def test_without_pyarrow_it_says_so_and_ends_with_2(run_script, trainings, tmp_path):
    done = run_script(
        """
        import sys
        sys.modules["pyarrow"] = None
        from sightline.export import main
        sys.exit(main([sys.argv[1], "--format", "parquet", "-o", sys.argv[2]]))
        """,
        trainings,
        tmp_path / "out",
        check=False,
    )
    assert done.returncode == 2 and not (tmp_path / "out").exists()
    assert (
        done.stderr
        == "sightline export: --format parquet needs the package pyarrow: pip install pyarrow\n"
    )


def test_the_program_runs_it(trainings, tmp_path):
    program = Path(sys.executable).parent / "sightline"
    done = subprocess.run(
        [
            program,
            "export",
            trainings,
            "--format",
            "parquet",
            "-o",
            tmp_path / "out",
            "--tags",
            "^loss$",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stdout == f"{tmp_path / 'out'}: 3 runs: scalar (15)\n", (
        done.stderr
    )
    assert read(tmp_path, "scalars").num_rows == 15


# --- Every file of the real programs, and DuckDB ---


@pytest.fixture
def corpus(request):
    return Path(request.config.getoption("--corpus") or CORPUS)


def test_every_value_of_the_corpus_is_there(export, corpus, tmp_path):
    code, report, _ = export(corpus / "mindspore", corpus / "tensorboard")
    assert code == 0
    found = {
        run.directory: run
        for root in ("mindspore", "tensorboard")
        for run in sightline.open_all(corpus / root, join=False)
    }
    expected = {"scalar": [], "histogram": [], "tensor": []}
    for run in found.values():
        for series in run.series:
            for i in range(len(series)) if series.kind in expected else ():
                value = series.values[i] if isinstance(series, reading.Scalars) else series.at(i)
                cell = (
                    value.tobytes()
                    if isinstance(value, np.generic | np.ndarray)
                    else value.counts.tolist()
                )
                expected[series.kind].append(
                    (series.tag, int(series.steps[i]), series.wall_times[i], cell)
                )
    written = {
        "scalar": [
            (*at(row), np.float64(row["value"]).tobytes())
            for row in read(tmp_path, "scalars").to_pylist()
        ],
        "histogram": [
            (*at(row), row["counts"]) for row in read(tmp_path, "histograms").to_pylist()
        ],
        "tensor": [(*at(row), row["data"]) for row in read(tmp_path, "tensors").to_pylist()],
    }
    for kind in expected:
        assert (
            sorted(written[kind]) == sorted(expected[kind])
            and len(expected[kind]) == report["written"][kind] > 0
        )


def at(row):
    return row["tag"], row["step"], row["wall_time"]


def test_duckdb_reads_what_pyarrow_wrote(export, trainings, tmp_path):
    export(trainings)
    answer = duckdb.sql(
        f"""
        select run, arg_max(value, step) as last
        from '{tmp_path}/out/scalars/*.parquet' where tag = 'loss' group by run order by last
        """
    )
    assert answer.fetchall() == [("b", 2.5), ("a/1", 3.5), ("a/2", 4.5)]


def question() -> str:
    """The one of docs/export.md."""
    page = (Path(__file__).parents[3] / "docs" / "export.md").read_text()
    return page.partition("```sql\n")[2].partition("```")[0]


def test_the_question_of_the_page_is_answered(export, tmp_path, monkeypatch):
    for lr in (0.1, 0.2):
        for seed in (1, 2, 3):
            with sightline.SummaryMonitor(
                tmp_path / "output" / f"{lr}_{seed}",
                custom_lineage_data={"lr": lr, "seed": seed},
                say=lambda line: None,
            ) as monitor:
                for step in range(1, 11):
                    monitor.end_step(step)
                    monitor.recorder.add_scalar("accuracy", step, min(0.9, lr * step) + seed / 1000)
    monkeypatch.chdir(tmp_path)
    assert export(tmp_path / "output")[0] == 0
    rows = duckdb.sql(question()).fetchall()
    assert [(lr, runs) for lr, runs, *_ in rows] == [(0.2, 3), (0.1, 3)]
    assert [best for *_, best, _ in rows] == pytest.approx([0.902, 0.902])
    assert [first for *_, first in rows] == [5, 9]

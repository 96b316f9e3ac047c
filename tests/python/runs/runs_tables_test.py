"""Runs as tables of pandas and pyarrow, and what needs other packages."""

import io

import ml_dtypes
import numpy as np
import pandas
import pyarrow
import pytest
import sightline
from PIL import Image as Pillow
from sightline.runs import Image

ROWS = [
    ("a", "loss", 0, 1, 0.5),
    ("a", "loss", 0, 2, 0.25),
    ("a", "lr", 0, 1, 0.125),
    ("b", "acc", 0, 1, 1.0),
    ("b", "acc", 1, 1, 2.0),
    ("b", "loss", 0, 1, 3.0),
]
COLUMNS = ["run", "tag", "rank", "step", "wall_time", "value"]


@pytest.fixture
def runs(tmp_path):
    for run, rank in {(row[0], row[2]) for row in ROWS}:
        with sightline.Recorder(
            tmp_path / run, rank=rank, world_size=2, device_id=rank
        ) as recorder:
            for name, tag, of_rank, step, value in ROWS:
                if (name, of_rank) == (run, rank):
                    recorder.add_scalar(tag, step, value, wall_time=step / 4)
    return sightline.open_all(tmp_path)


def rows(table):
    """Of a DataFrame or an Arrow table, without wall times, which are a quarter of the step."""
    frame = table.to_pandas() if isinstance(table, pyarrow.Table) else table
    assert list(frame.columns) == COLUMNS
    assert (frame["wall_time"] == frame["step"] / 4).all()
    return list(frame.drop(columns="wall_time").itertuples(index=False, name=None))


def test_runs_are_one_table_with_a_row_a_point(runs):
    assert rows(runs.to_pandas()) == ROWS
    assert rows(runs.to_arrow()) == ROWS
    assert rows(runs["b"].to_pandas()) == [row for row in ROWS if row[0] == "b"]
    assert rows(runs["b"].to_arrow()) == [row for row in ROWS if row[0] == "b"]


def test_runs_and_tags_are_categories(runs):
    frame = runs.to_pandas()
    assert [str(frame[name].dtype) for name in COLUMNS] == [
        "category",
        "category",
        "int32",
        "int64",
        "float64",
        "float64",
    ]
    assert pyarrow.types.is_dictionary(runs.to_arrow().schema.field("tag").type)


def test_a_table_of_no_points_has_the_columns(tmp_path):
    with sightline.Recorder(tmp_path / "run") as recorder:
        recorder.add_tensor("t", 1, np.ones(2))
    run = sightline.open(tmp_path / "run")
    assert rows(run.to_pandas()) == rows(run.to_arrow()) == []


def test_tables_are_put_together_from_batches(runs, monkeypatch):
    monkeypatch.setattr("sightline._tables.BATCH_POINTS", 2)
    assert rows(runs.to_pandas()) == ROWS
    assert rows(runs.to_arrow()) == ROWS


def test_a_series_is_a_table_without_a_copy(runs):
    loss = runs["a"].scalars("loss")
    frame = loss.to_pandas()
    assert frame.to_dict("list") == {"step": [1, 2], "wall_time": [0.25, 0.5], "value": [0.5, 0.25]}
    table = loss.to_arrow()
    assert table.column("value").chunk(0).buffers()[1].address == loss.values.ctypes.data
    assert table.to_pandas().equals(frame)


def test_lineages_are_a_table_of_pandas(runs):
    frame = pandas.DataFrame.from_dict(runs.lineages, orient="index")
    assert len(frame) == 2


@pytest.mark.parametrize("package", ["pandas", "pyarrow"])
def test_without_the_package_the_error_names_it(runs, run_script, package):
    done = run_script(
        f"""
        import sys
        sys.modules[{package!r}] = None
        import sightline
        (run, *_) = sightline.open_all(sys.argv[1])
        convert = "to_{package.removeprefix("py")}"
        for what in (run, run.scalars("loss"), sightline.open_all(sys.argv[1])):
            try:
                getattr(what, convert)()
            except ImportError as error:
                print(error)
        """,
        runs["a"].directory,
    )
    assert (
        done.stdout.splitlines() == [f"this needs the package {package}: pip install {package}"] * 3
    )


def test_bfloat16_comes_as_float32(tmp_path):
    array = np.array([1.5, -3.0, 0.1], ml_dtypes.bfloat16)
    with sightline.Recorder(tmp_path / "run") as recorder:
        recorder.add_tensor("t", 1, array)
    back = sightline.open(tmp_path / "run").tensors("t")[1]
    assert back.dtype == np.float32
    assert back.tolist() == array.astype(np.float32).tolist()


@pytest.mark.parametrize("format", ["gif", "jpeg", "png"])
def test_pixels_of_pictures_of_other_formats_come_by_pillow(format):
    file = io.BytesIO()
    Pillow.new("RGB", (5, 4), (255, 0, 0)).save(file, format)
    image = Image(5, 4, file.getvalue())
    assert image.format == format
    assert image.pixels.shape == (4, 5, 3)
    assert np.abs(image.pixels.astype(int) - (255, 0, 0)).max() <= 2

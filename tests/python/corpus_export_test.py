"""Every file that the real programs wrote, exported to each format: what is there is what sightline.open_all has, and
runs_test.py holds that against the twins of the files. Parquet: export_test.py."""

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import sightline

CORPUS = Path(__file__).parents[1] / "corpus"
ROOTS = ("mindspore", "tensorboard")


@pytest.fixture(scope="module")
def corpus(request):
    return Path(request.config.getoption("--corpus") or CORPUS)


@pytest.fixture(scope="module")
def series(corpus):
    """(name of the run in an export, series) of everything."""
    runs = [run for root in ROOTS for run in sightline.open_all(corpus / root)]
    return [(str(Path(run.directory).relative_to(corpus)), one) for run in runs for one in run.series]


@pytest.fixture
def export(corpus, tmp_path):
    """export(format) -> the output, and how many values of each kind it says it has."""

    def run(form):
        program = Path(sys.executable).parent / "sightline"
        out = tmp_path / f"out.{form}"
        command = [program, "export", *(corpus / root for root in ROOTS), "--format", form, "-o", out, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return out, json.loads(done.stdout)["written"]

    return run


def points(series):
    """(run, rank, tag, step, wall time, value) of every scalar, values to the bit."""
    return sorted(
        (run, one.rank, one.tag, int(step), float(time), np.float64(value).tobytes())
        for run, one in series
        if one.kind == "scalar"
        for step, time, value in zip(one.steps, one.wall_times, one.values)
    )


def count(series):
    """kind -> how many values there are."""
    counted = Counter()
    for _, one in series:
        counted[one.kind] += len(one)
    return counted


def path_of(run, kind, tag):
    return f"{run}/{kind}/{tag.replace('/', '%2F').replace(':', '%3A').replace(' ', '%20')}"


def test_csv_has_every_scalar(export, series):
    out, written = export("csv")
    with out.open(newline="") as file:
        rows = [
            (row["run"], int(row["rank"]), row["tag"], int(row["step"]), float(row["wall_time"]), np.float64(row["value"]).tobytes())
            for row in csv.DictReader(file)
        ]
    assert sorted(rows) == points(series) and len(rows) == written["scalar"] > 200


def test_json_lines_have_every_value(export, series):
    out, written = export("jsonl")
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    scalars = [
        (one["run"], one["rank"], one["tag"], one["step"], one["wall_time"], np.float64(one["value"]).tobytes())
        for one in lines
        if one["kind"] == "scalar"
    ]
    assert sorted(scalars) == points(series)
    counted = Counter(one.get("plugin", one["kind"]) for one in lines)
    assert counted == written
    assert all(counted[kind] == number for kind, number in count(series).items() if kind != "plugin")
    heavy = sorted((one["run"], one["tag"], one["step"]) for one in lines if one["kind"] in ("image", "tensor", "histogram"))
    expected = ((run, one.tag, int(step)) for run, one in series if one.kind in ("image", "tensor", "histogram") for step in one.steps)
    assert heavy == sorted(expected)


def test_npz_has_scalars_tensors_and_pictures(export, series):
    out, written = export("npz")
    seen = Counter()
    with np.load(out) as arrays:
        for run, one in series:
            if one.kind == "scalar":
                folder = path_of(run, "scalars", one.tag)
                for column in ("steps", "wall_times", "values"):
                    np.testing.assert_array_equal(arrays[f"{folder}/{column}"], getattr(one, column))
                seen["scalar"] += len(one)
            elif one.kind in ("tensor", "image"):
                for position in range(len(one)):
                    value = one.at(position)
                    step = int(one.steps[position])
                    again = sum(int(earlier) == step for earlier in one.steps[:position])
                    found = arrays[f"{path_of(run, one.kind + 's', one.tag)}/{step}{f'.{again + 1}' if again else ''}"]
                    np.testing.assert_array_equal(found, value if one.kind == "tensor" else value.pixels)
                    seen[one.kind] += 1
    assert seen.items() <= written.items() and len(seen) == 3


def test_tensorboards_files_read_back_have_the_same_values(export, series):
    out, written = export("tensorboard")
    back = {}
    for run in sightline.open_all(out):
        for one in run.series:
            back[str(Path(run.directory).relative_to(out)), one.kind, one.tag] = one
    seen = Counter()
    for run, one in series:
        if one.kind not in ("scalar", "image", "tensor", "text", "audio"):
            continue
        found = back[run, one.kind, one.tag]
        assert found.steps.tolist() == one.steps.tolist() and found.wall_times.tolist() == one.wall_times.tolist()
        if one.kind == "scalar":
            np.testing.assert_array_equal(found.values, one.values)
        for position in range(0 if one.kind == "scalar" else len(one)):
            value, again = one.at(position), found.at(position)
            if one.kind in ("image", "audio"):
                assert again.encoded == value.encoded
            elif one.kind == "tensor":
                np.testing.assert_array_equal(again, value)
            else:
                assert again == value
        seen[one.kind] += len(one)
    assert seen == {kind: written[kind] for kind in seen} and len(seen) == 5


def test_the_page_names_every_scalar(export, series):
    out, written = export("html")
    page = out.read_text()
    for run, one in series:
        if one.kind == "scalar":
            assert one.tag in page and run in page
    assert written["scalar"] == count(series)["scalar"]

"""What TensorFlow 2 and 1, PyTorch, tensorboardX, clu, flax and Lightning write is read as TensorBoard reads it.

Each test has a case for each kind of value of each writer: the functions of write_*.py, which also say what must be read.
"""

import json
import math
from typing import Any

import numpy as np
import pytest
from readings import (
    Runs,
    by_json_lines,
    by_tensorboard,
    flags,
    metadata_by_tensorboard,
    times_by_tensorboard,
    times_of_json_lines,
)

# Tensors that TensorBoard's make_ndarray cannot read: PyTorch's halves are bits of float32, and its uint8 are in a field of
# another type; TensorFlow 2's bfloat16 are bytes of a type that NumPy does not have. We read them.
UNREADABLE_FOR_TENSORBOARD = {
    "pytorch/tensors": {"float16", "bfloat16", "uint8"},
    "tensorflow2/tensors": {"bfloat16"},
}

NOT_SHOWN = {"tensorflow2/tensors": {"complex64"}}
# What has no tag, or another one.
EVENTS = {"graph", "graph_tagged_run_metadata", "hparams", "hparams_experiment", "hparams_end"}


def plain(value: Any) -> Any:
    """With lists for arrays and tuples, and a NaN that equals itself."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def of_kinds(runs: dict[str, Any], *kinds: str) -> Any:
    """These runs with these kinds only."""
    return plain(
        {
            run: {kind: tags for kind, tags in values.items() if kind in kinds}
            for run, values in runs.items()
            if any(kind in kinds for kind in values)
        }
    )


def without_kinds(runs: dict[str, Any], *kinds: str) -> Any:
    return of_kinds(runs, *({kind for values in runs.values() for kind in values} - {*kinds}))


def read(runs: dict[str, Any], case: str) -> dict[str, Any]:
    """What was read of the case's runs; runs without values do not count."""
    return {
        run: values
        for run, values in runs.items()
        if values and (run == case or run.startswith(f"{case}/"))
    }


def count(kind: str, steps: dict[int, Any]) -> int:
    """How many values: a value of a tensor of images or sounds has several."""
    return sum(len(value) if kind in ("image", "audio") else 1 for value in steps.values())


def test_tensorboard_reads_what_was_written(tensorboard, written, case):
    for tag in UNREADABLE_FOR_TENSORBOARD.get(case, ()):
        del written[case]["tensor"][tag]
    assert plain(read(tensorboard, case)) == plain(written)


def test_the_dashboard_serves_it(http, written, case):
    """But for what only exports have (docs/export.md): the devices of a step, and what the HPARAMS page has about an
    experiment and the end of a run."""
    served = read(http, case)
    for tag in NOT_SHOWN.get(case, ()):
        (answer,) = served[case]["tensor"].pop(tag)[1]
        assert "complex numbers are not shown" in answer
        del written[case]["tensor"][tag]
    assert plain(served) == without_kinds(
        written, "graph_tagged_run_metadata", "hparams_experiment", "hparams_end"
    )


@pytest.fixture(scope="session")
def info(run_sightline, logdir) -> dict[str, Any]:
    return {run["name"]: run for run in json.loads(run_sightline("info", "--json", logdir))["runs"]}


def test_info_counts_it(info, written):
    for run, values in written.items():
        counted = {
            (tag["kind"], tag["tag"]): (tag["values"], tag["first_step"], tag["last_step"])
            for tag in info[run]["tags"]
            if tag["kind"] != "hparams"
        }
        assert counted == {
            (kind, tag): (count(kind, steps), min(steps), max(steps))
            for kind, tags in written[run].items()
            if kind not in EVENTS
            for tag, steps in tags.items()
        }
        events = info[run]["events"]
        assert events.get("graph", 0) == len(values.get("graph", {}))
        assert events.get("run metadata", 0) == len(values.get("graph_tagged_run_metadata", {}))


def test_every_file_is_sound_and_is_an_event_file(info, case):
    for run in read(info, case).values():
        for file in run["files"]:
            assert (file["kind"], file["regions"]) == ("TensorBoard", [])
            assert "tfevents" in file["file"]


@pytest.fixture(scope="session")
def listings(run_sightline, logdir, tmp_path_factory) -> dict[str, dict[str, Any]]:
    """What `ls` lists, of the files and of the index that it made of them."""
    kept = ["--index-dir", tmp_path_factory.mktemp("index")]
    return {
        name: {
            run["name"]: run
            for run in json.loads(run_sightline("ls", "--json", logdir, *options))["runs"]
        }
        for name, options in {"files": ["--no-index"], "new index": kept, "index": kept}.items()
    }


@pytest.mark.parametrize("source", ["files", "new index", "index"])
def test_ls_has_its_hyper_parameters_and_last_values(listings, source, written):
    listed = listings[source]
    for run, values in written.items():
        assert flags(listed[run]["lineage"]) == values.get("hparams", {}).get("", {}).get(0, {})
        last = {s["tag"]: s["last"] for s in listed[run]["series"] if s["kind"] == "scalar"}
        assert last == {tag: steps[max(steps)] for tag, steps in values.get("scalar", {}).items()}


def test_cat_prints_it(run_sightline, logdir, written):
    """As it is in the files: what a restart superseded, too."""
    for run, values in written.items():
        printed = set()
        for event in map(json.loads, run_sightline("cat", logdir / run).splitlines()):
            for value in event.get("summary", {}).get("value", []):
                printed.add((value["tag"], int(event.get("step", 0))))
        assert printed >= {
            (tag, step)
            for kind, tags in values.items()
            if kind not in EVENTS
            for tag, steps in tags.items()
            for step in steps
        }


@pytest.fixture(scope="session")
def tensorboard_of_export(exported_logdir) -> Runs:
    return by_tensorboard(exported_logdir)


def test_the_export_for_tensorboard_has_what_it_had(tensorboard_of_export, tensorboard, case):
    assert plain(read(tensorboard_of_export, case)) == plain(read(tensorboard, case))


@pytest.fixture(scope="session")
def metadata(logdir, exported_logdir) -> tuple[Any, Any]:
    return metadata_by_tensorboard(logdir), metadata_by_tensorboard(exported_logdir)


def test_the_export_for_tensorboard_keeps_what_plugins_were_told(metadata, case):
    """Display names and descriptions, too, but for those of scalars."""
    before, after = (
        {
            run: {tag: m for tag, m in tags.items() if m.plugin_data.plugin_name != "scalars"}
            for run, tags in read(runs, case).items()
        }
        for runs in metadata
    )
    assert after == before


def test_csv_has_its_scalars(csv, written, case):
    assert plain(read(csv, case)) == of_kinds(written, "scalar")


def test_npz_has_its_numbers_and_pictures(npz, written, case):
    if case == "tensorboardx/videos":  # A GIF is not decoded.
        del written[case]["image"]
    arrays = read(npz, case)
    assert plain(arrays) == of_kinds(written, "scalar", "histogram", "image", "tensor")
    for run, values in written.items():
        for tag, steps in values.get("tensor", {}).items():
            found = arrays[run]["tensor"][tag]
            assert {step: array.dtype for step, array in found.items()} == {
                step: array.dtype for step, array in steps.items()
            }


@pytest.fixture(scope="session")
def json_values(json_lines, tmp_path_factory) -> tuple[Runs, Runs]:
    return by_json_lines(json_lines, tmp_path_factory.mktemp("from_json"))


def test_json_lines_have_all_of_it(json_values, tensorboard, written, case):
    scalars, others = json_values
    assert plain(read(scalars, case)) == of_kinds(written, "scalar")
    assert plain(read(others, case)) == without_kinds(read(tensorboard, case), "scalar")


@pytest.fixture(scope="session")
def times(json_lines, logdir) -> tuple[Any, Any]:
    return times_of_json_lines(json_lines), times_by_tensorboard(logdir)


def test_json_lines_have_the_times(times, written):
    ours, theirs = times
    for run in written:
        assert ours[run].items() <= theirs[run].items()

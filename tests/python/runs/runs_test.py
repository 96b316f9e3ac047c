"""sightline.open and open_all: what was recorded comes back, whoever wrote it."""

import base64
import gc
import hashlib
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
import sightline
from sightline import _runs, _series


@pytest.fixture
def record(tmp_path):
    """record(name, **options) -> an open Recorder of that folder."""
    opened = []

    def open_recorder(name="run", **options):
        opened.append(sightline.Recorder(tmp_path / name, **options))
        return opened[-1]

    yield open_recorder
    for recorder in opened:
        recorder.close()


@pytest.fixture
def losses(record, tmp_path):
    """A run with the losses 0.5, 1, 1.5 of steps 1 to 3, and 9 of step 3 again."""
    with record() as recorder:
        for step in (1, 2, 3):
            recorder.add_scalar("loss", step, step * 0.5)
        recorder.add_scalar("loss", 3, 9)
    return tmp_path / "run"


# --- Scalars ---


def test_a_scalar_is_three_columns(losses):
    loss = sightline.open(losses).scalars("loss")
    assert loss.steps.dtype == np.int64 and loss.steps.tolist() == [1, 2, 3, 3]
    assert loss.values.dtype == np.float64 and loss.values.tolist() == [0.5, 1, 1.5, 9]
    assert loss.wall_times.dtype == np.float64 and (np.diff(loss.wall_times) >= 0).all()
    assert len(loss) == 4 and list(loss) == [0.5, 1, 1.5, 9]


def test_the_columns_are_the_models_own_memory_and_cannot_be_written(losses):
    loss = sightline.open(losses).scalars("loss")
    for column in ("steps", "wall_times", "values"):
        array = getattr(loss, column)
        assert array.ctypes.data == getattr(loss, column).ctypes.data
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError):
            array[0] = 0


def test_a_column_outlives_its_run(losses):
    values = sightline.open(losses).scalars("loss").values
    gc.collect()
    for _ in range(10):  # What was freed would be taken again.
        sightline.open(losses)
    assert values.tolist() == [0.5, 1, 1.5, 9]


def test_a_step_gives_its_last_value(losses):
    loss = sightline.open(losses).scalars("loss")
    assert (loss[1], loss[np.int64(3)]) == (0.5, 9)
    assert 2 in loss and np.int32(3) in loss and 4 not in loss and "3" not in loss
    with pytest.raises(KeyError, match="'loss' has no value at step 7; near it are steps 3"):
        loss[7]


def test_an_unknown_tag_is_answered_with_those_near_it(losses):
    run = sightline.open(losses)
    with pytest.raises(KeyError, match="run: there is no scalar 'los'; it has 'loss'"):
        run.scalars("los")
    with pytest.raises(KeyError, match="there is no image 'loss'; it has none"):
        run.images("loss")
    with pytest.raises(KeyError, match="scalar 'loss' was not recorded by rank 3, but by 0"):
        run.scalars("loss", rank=3)


# --- Heavy values ---

ARRAYS = [
    np.array([True, False]),
    *(
        np.arange(6, dtype=dtype).reshape(2, 3)
        for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
    ),
    *(np.array([[0.1, -2.5], [np.inf, 7]], dtype) for dtype in ("f2", "f4", "f8")),
    np.array(3.25),
    np.empty((0, 4), np.float32),
]


def test_every_tensor_comes_back_as_it_was(record, tmp_path):
    with record(formats=("mindspore",)) as recorder:
        for step, array in enumerate(ARRAYS):
            assert recorder.add_tensor("t", step, array), recorder.stats.first_error
    tensors = sightline.open(tmp_path / "run").tensors("t")
    assert len(tensors) == len(ARRAYS)
    for array, back in zip(ARRAYS, tensors, strict=True):
        assert back.dtype == array.dtype and back.shape == array.shape
        np.testing.assert_array_equal(back, array)
    np.testing.assert_array_equal(tensors[1], ARRAYS[1])
    np.testing.assert_array_equal(tensors.at(-2), ARRAYS[-2])
    with pytest.raises(IndexError):
        tensors.at(len(ARRAYS))


def test_a_picture_has_its_pixels(record, tmp_path):
    pixels = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(1, 3, 4, 5)
    with record() as recorder:
        recorder.add_image("digits", 7, pixels)
    image = sightline.open(tmp_path / "run").images("digits")[7]
    assert (image.width, image.height, image.format) == (5, 4, "png")
    np.testing.assert_array_equal(np.asarray(image), pixels[0].transpose(1, 2, 0))
    assert image._repr_mimebundle_() == {"image/png": image.encoded}


def test_a_histogram_has_its_buckets(record, tmp_path):
    values = np.array([0, 1, 2, 3, np.nan, np.inf], np.float32)
    with record() as recorder:
        recorder.add_histogram("w", 1, values)
    histogram = sightline.open(tmp_path / "run").histograms("w")[1]
    assert histogram.counts.sum() == 4 and histogram.count == 6
    assert (histogram.nan_count, histogram.pos_inf_count, histogram.neg_inf_count) == (1, 1, 0)
    assert (histogram.min, histogram.max, histogram.sum) == (0, 3, 6)
    np.testing.assert_array_equal(histogram.edges[:-1], histogram.left)
    assert histogram.edges[-1] == pytest.approx(3)


def test_values_of_other_writers_keep_what_they_have_and_no_more():
    wild = Path(__file__).parents[2] / "corpus" / "wild"
    images = sightline.open(wild / "images_five").images("training data")
    assert len(images) == 10 and len({image.encoded for image in images}) == 10
    fractions = sightline.open(wild / "histogram_fractions").histograms("p")[0]
    assert fractions.counts.tolist() == [0.1, 0.4, 0.4, 0.1] and fractions.count == 1
    unknown = sightline.open(wild / "histograms_v2").histograms("normal")[0]
    assert (unknown.min, unknown.max, unknown.sum) == (-1, 1, None)
    assert unknown.counts.dtype == np.int64
    torch = sightline.open(wild / "torch_add_tensor").tensors("half")[0]
    assert torch.dtype == np.float16 and torch.tolist()[:2] == [1, -2.5]


# --- Runs as a whole ---


def test_a_run_says_what_it_holds(record, tmp_path):
    with record(formats=("mindspore", "tensorboard")) as recorder:
        recorder.add_scalar("b", 1, 1)
        recorder.add_scalar("a", 1, 1)
        recorder.add_tensor("t", 1, np.ones(2))
    run = sightline.open(tmp_path / "run")
    assert (run.name, run.directory, run.ranks) == ("run", str(tmp_path / "run"), (0,))
    assert run.tags == {"scalar": ["a", "b"], "tensor": ["t"]}
    assert {file.kind for file in run.files} >= {"MindSpore summary", "TensorBoard"}
    assert {file.session_id for file in run.files} == {recorder.session_id}
    assert run.damage == () and run.superseded == () and run.graph is None and run.graph_def is None
    assert run.started <= run.ended


def test_the_lineage_is_a_dict(tmp_path):
    with sightline.SummaryMonitor(
        tmp_path / "run", custom_lineage_data={"seed": 3, "note": "x"}, say=lambda line: None
    ) as monitor:
        monitor.begin(epochs=2, steps_per_epoch=1, network="LeNet5", batch_size=32)
        monitor.end_step(1, loss=0.5, learning_rate=0.25)
        monitor.end_step(2, loss=0.5, learning_rate=0.25)
    lineage = sightline.open(tmp_path / "run").lineage
    assert lineage["network"] == "LeNet5" and lineage["batch_size"] == 32
    assert lineage["seed"] == 3 and lineage["note"] == "x"


def test_ranks_are_series_of_their_own(record, tmp_path):
    for rank in (0, 1):
        with record(rank=rank, world_size=2, device_id=rank) as recorder:
            recorder.add_scalar("loss", 1, rank)
    run = sightline.open(tmp_path / "run")
    assert run.ranks == (0, 1)
    assert run.scalars("loss")[1] == 0 and run.scalars("loss", rank=1)[1] == 1
    assert run.tags == {"scalar": ["loss"]}


def test_the_state_of_a_live_run_and_of_a_closed_one(record, tmp_path):
    recorder = record()
    recorder.add_scalar("loss", 1, 0.5)
    run = sightline.open(tmp_path / "run")
    assert run.state == "running"
    assert run.scalars("loss").values.tolist() == [0.5]  # From the journal, before any flush.
    recorder.close()
    assert sightline.open(tmp_path / "run").state == "finished"


def test_a_resumed_run_says_what_was_superseded(record, tmp_path):
    with record() as recorder:
        for step in (1, 2, 3):
            recorder.add_scalar("loss", step, step)
    with record(resume_from_step=2) as recorder:
        recorder.add_scalar("loss", 2, 20)
    run = sightline.open(tmp_path / "run")
    assert run.scalars("loss").values.tolist() == [1, 20]
    (superseded,) = run.superseded
    assert superseded.values.tolist() == [2, 3]


def test_damage_is_named_and_the_rest_is_there(losses):
    (file,) = losses.glob("*_MS")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    run = sightline.open(losses)
    (damage,) = run.damage
    assert damage.file == str(file) and damage.reason == "payload checksum"
    assert damage.offset + damage.length == len(content)
    assert run.scalars("loss").values.tolist() == [0.5, 1, 1.5]
    assert "damaged" in repr(run)


def test_what_is_no_run_is_refused(tmp_path, losses):
    (file,) = losses.glob("*_MS")
    with pytest.raises(FileNotFoundError):
        sightline.open(tmp_path)
    with pytest.raises(NotADirectoryError, match="a run is the directory"):
        sightline.open(file)
    with pytest.raises(ValueError, match="s3://"):
        sightline.open("s3://bucket/run")
    with pytest.raises(OSError):
        sightline.open_all(tmp_path / "nothing")
    with pytest.raises(TypeError):
        sightline.open(1)


# --- Groups ---


@pytest.fixture
def trainings(record, tmp_path):
    for name, loss in [("b/two", 2.0), ("a/one", 1.0), ("c", 3.0)]:
        with record(name) as recorder:
            recorder.add_scalar("loss", 1, loss)
    return tmp_path


def test_directories_of_ranks_are_one_run_and_are_found_by_their_names(record, tmp_path):
    recorders = [record(f"out/rank_{rank}", rank=rank, world_size=2) for rank in range(2)]
    for step in (1, 2):
        for rank, recorder in enumerate(recorders):
            recorder.add_scalar("loss", step, rank)
    for recorder in recorders:
        recorder.close()
    runs = sightline.open_all(tmp_path)
    assert runs.names == ["out"]
    assert runs["out"].scalars("loss", rank=1).values.tolist() == [1, 1]
    assert runs["out/rank_1"].scalars("loss", rank=1).values.tolist() == [1, 1]
    with pytest.raises(KeyError, match="'out/rank_2'"):
        runs["out/rank_2"]
    assert sightline.open_all(tmp_path, join=False).names == ["out/rank_0", "out/rank_1"]


def test_runs_are_found_named_chosen_and_sorted(trainings):
    runs = sightline.open_all(trainings)
    assert runs.names == ["a/one", "b/two", "c"] and len(runs) == 3
    assert runs["b/two"].scalars("loss")[1] == 2 and runs[-1].name == "c"
    assert [run.name for run in runs[:2]] == ["a/one", "b/two"]
    assert runs.where("last('loss') > 1 and not name == 'c'").names == ["b/two"]
    assert repr(runs.where("name == 'c'")) == "<1 run: 'c'>"
    assert runs.sorted("last('loss')", descending=True).names == ["c", "b/two", "a/one"]
    assert sightline.open_all([trainings / "a", trainings / "b"]).names == [
        str(trainings / "a/one"),
        str(trainings / "b/two"),
    ]


def test_queries_ask_for_statistics_and_ranks(record, tmp_path):
    for rank, slow in enumerate((1, 2, 1)):
        with record("ranks", rank=rank, world_size=3, device_id=rank) as recorder:
            for step in (1, 2, 3):
                recorder.add_scalar("time", step, slow * step)
    with record("one") as recorder:
        recorder.add_scalar("time", 1, 4.0)
        recorder.add_scalar("time", 2, float("nan"))
    runs = sightline.open_all(tmp_path)
    assert runs.where("worst(mean('time', 2)) == 1 and spread(p95('time')) > 0.9").names == [
        "ranks"
    ]
    assert runs.where("rank(1, last('time')) == 6").names == ["ranks"]
    assert runs.where("first_nan('time') == 2").names == ["one"]
    assert runs.sorted("median('time')").names == ["ranks", "one"]


def test_repeated_runs_are_a_band_around_their_mean(trainings, record):
    with record("c") as recorder:
        recorder.add_scalar("loss", 2, 7.0)
    band = sightline.open_all(trainings).band("loss")
    assert band.steps.tolist() == [1, 2] and band.counts.tolist() == [3, 1]
    assert (
        band.mean.tolist() == [2, 7] and band.min.tolist() == [1, 7] and band.max.tolist() == [3, 7]
    )
    assert band.deviation[0] == 1 and np.isnan(band.deviation[1])
    with pytest.raises(KeyError, match="none of 3 runs has a scalar 'los'"):
        sightline.open_all(trainings).band("los")


def test_a_band_shows_itself_in_a_line(trainings):
    assert "\n" not in repr(sightline.open_all(trainings).band("loss"))
    assert repr(sightline.open_all(trainings).band("loss")).startswith("Band(")


def test_a_wrong_query_points_at_its_column(trainings):
    with pytest.raises(ValueError, match="column 8"):
        sightline.open_all(trainings).where("loss > ")
    with pytest.raises(KeyError, match="there is no run 'a/on'; there is 'a/one'"):
        sightline.open_all(trainings)["a/on"]


def test_refresh_says_what_came_and_went(trainings, record):
    runs = sightline.open_all(trainings)
    assert runs.refresh() == []
    kept = runs["a/one"]
    with record("d") as recorder:
        recorder.add_scalar("loss", 1, 4)
    for file in (trainings / "c").iterdir():
        file.unlink()
    appeared, gone = sorted(runs.refresh(), key=lambda change: change.kind)
    assert (appeared.kind, appeared.name, gone.kind, gone.name, gone.run) == (
        "appeared",
        "d",
        "gone",
        "c",
        None,
    )
    assert appeared.run.scalars("loss")[1] == 4
    assert (
        runs.names == ["a/one", "b/two", "d"]
        and runs["a/one"].scalars("loss")[1] == kept.scalars("loss")[1]
    )
    with pytest.raises(RuntimeError):
        runs.where("loss > 0").refresh()


# --- Following ---


def test_following_gives_what_is_appended_and_ends_with_the_run(record, tmp_path):
    recorder = record()
    recorder.add_scalar("loss", 1, 1)
    followed = sightline.open(tmp_path / "run").follow(interval=0)
    recorder.add_scalar("loss", 2, 2)
    recorder.add_scalar("lr", 2, 0.1)
    change = next(followed)
    assert change.kind == "changed"
    assert [(part.tag, part.appended_from, part.void_from) for part in change.series] == [
        ("loss", 1, None),
        ("lr", 0, None),
    ]
    assert change.run.scalars("loss").values.tolist() == [1, 2]
    recorder.add_scalar("loss", 3, 3)
    recorder.close()
    *_, last = followed
    assert last.run.scalars("loss").values.tolist() == [1, 2, 3]


def test_following_a_finished_run_ends_at_once_and_one_that_vanishes_is_gone(losses):
    run = sightline.open(losses)
    assert list(run.follow()) == []
    for file in losses.iterdir():
        file.unlink()
    (change,) = run.follow()
    assert (change.kind, change.run) == ("gone", None)


def test_following_runs_gives_what_any_of_them_gets_and_new_ones(trainings, record):
    followed = sightline.open_all(trainings).follow(interval=0.01)
    with record("d") as recorder:
        recorder.add_scalar("loss", 1, 4)
    change = next(followed)
    assert (change.kind, change.name) == ("appeared", "d")
    with record("a/one") as recorder:
        recorder.add_scalar("loss", 2, 5)
    change = next(change for change in followed if change.name == "a/one" and change.series)
    assert [(part.tag, part.appended_from) for part in change.series] == [("loss", 1)]


# --- Notebooks ---


def test_a_notebook_shows_charts_and_recorded_text_as_text(record, tmp_path):
    with record("<b>run") as recorder:
        for step in range(1000):
            recorder.add_scalar("<script>alert(1)</script>", step, 1e300 if step == 500 else step)
        recorder.add_scalar("nan", 1, float("nan"))
    runs = sightline.open_all(tmp_path)
    for html in (runs._repr_html_(), runs[0]._repr_html_(), runs[0].scalars("nan")._repr_html_()):
        assert "<svg" in html and "<script" not in html and "<b>run" not in html
    assert "&lt;script&gt;alert(1)" in runs[0]._repr_html_()


def test_no_spike_is_lost_in_a_small_chart(record, tmp_path):
    with record() as recorder:
        for step in range(10_000):
            recorder.add_scalar("x", step, 100 if step == 4321 else 0)
    html = sightline.open(tmp_path / "run").scalars("x")._repr_html_()
    assert " 1.0" in html  # The topmost line of the chart.


# --- Files of the real programs ---

CORPUS = Path(__file__).parents[2] / "corpus"
TYPES = {
    "DT_FLOAT": "f4",
    "DT_DOUBLE": "f8",
    "DT_INT32": "i4",
    "DT_INT64": "i8",
    "DT_BOOL": "?",
    "DT_HALF": "f2",
}


def corpus_of(config):
    return Path(config.getoption("--corpus") or CORPUS)


def pytest_generate_tests(metafunc):
    if "corpus_run" in metafunc.fixturenames:
        corpus = corpus_of(metafunc.config)
        logs = [
            *(corpus / "mindspore").rglob("*_MS.json"),
            *(corpus / "tensorboard").rglob("*tfevents*.json"),
        ]
        folders = sorted({log.parent for log in logs})
        metafunc.parametrize(
            "corpus_run", folders, ids=lambda folder: str(folder.relative_to(corpus))
        )


def twin_values(folder):
    """tag -> [(step, wall time, value as the writing program's own classes decode it)], in the order of a series."""
    values = {}
    for file in sorted(folder.glob("*.json")):
        for event in json.loads(file.read_text()):
            for value in event.get("summary", {}).get("value", []):
                values.setdefault(value["tag"], []).append(
                    (int(event.get("step", 0)), float(event["wall_time"]), value)
                )
    return {tag: sorted(points, key=lambda point: point[:2]) for tag, points in values.items()}


def number(text):
    return np.float32(float(text))


def tensor_of_twin(tensor):
    """Of TensorBoard's form."""
    shape = [int(dim["size"]) for dim in tensor["tensor_shape"].get("dim", [])]
    if "tensor_content" in tensor:
        return np.frombuffer(
            base64.b64decode(tensor["tensor_content"]), TYPES[tensor["dtype"]]
        ).reshape(shape)
    (field,) = tensor.keys() - {"dtype", "tensor_shape"}
    flat = np.array([float(x) for x in tensor[field]], TYPES[tensor["dtype"]])
    return np.resize(flat, shape) if shape else flat[0]


def test_a_series_of_every_kind_can_be_read():
    assert set(_runs.KINDS) == {"scalar", *_series.READERS}


def check_value(series, position, twin):
    """Whether a value is that of its twin."""
    if series.kind == "scalar":
        field = next((name for name in ("scalar_value", "simple_value") if name in twin), None)
        expected = number(twin[field]) if field else tensor_of_twin(twin["tensor"])
        np.testing.assert_array_equal(np.float32(series.values[position]), np.float32(expected))
        return
    value = series.at(position)
    if series.kind == "tensor":
        floats = np.array([float(x) for x in twin["tensor"]["float_data"]], np.float32)
        assert list(value.shape) == [int(size) for size in twin["tensor"].get("dims", [])]
        np.testing.assert_array_equal(value.astype(np.float32).ravel(), floats)
    elif series.kind == "image" and "pixels_sha256" in twin["image"]:
        assert list(value.pixels.shape) == twin["image"]["pixels_shape"]
        assert hashlib.sha256(value.pixels.tobytes()).hexdigest() == twin["image"]["pixels_sha256"]
    elif series.kind == "image" or series.kind == "audio":
        assert hashlib.sha256(value.encoded).hexdigest() == twin[series.kind]["encoded_sha256"]
    elif series.kind == "text":
        assert value == [base64.b64decode(text).decode() for text in twin["tensor"]["string_val"]]
    elif series.kind == "histogram":
        check_histogram(value, twin)
    else:
        assert isinstance(value, bytes) and value


def check_histogram(histogram, twin):
    if "histogram" in twin:
        buckets = twin["histogram"].get("buckets", [])
        assert histogram.counts.tolist() == [int(bucket["count"]) for bucket in buckets]
        assert histogram.left.tolist() == [bucket["left"] for bucket in buckets]
        assert histogram.width.tolist() == [bucket["width"] for bucket in buckets]
        assert histogram.count == int(twin["histogram"]["count"])
    elif "histo" in twin:
        assert histogram.counts.sum() == twin["histo"]["num"]
    else:
        assert histogram.counts.tolist() == tensor_of_twin(twin["tensor"])[:, 2].tolist()


def test_every_value_of_a_real_program_is_that_of_its_twin(corpus_run):
    run = sightline.open(corpus_run)
    assert run.damage == () and run.state != "killed"
    twins = twin_values(corpus_run)
    assert {series.tag for series in run.series} == twins.keys()
    for tag in twins:
        series = [one for one in run.series if one.tag == tag]
        assert len(series) == 1
        (series,) = series
        assert len(series) == len(twins[tag])
        for position, (step, wall_time, value) in enumerate(twins[tag]):
            assert (series.steps[position], series.wall_times[position]) == (step, wall_time)
            check_value(series, position, value)


def test_the_graph_of_mindspore_is_one_of_sightline_ir(request):
    graph = sightline.open(corpus_of(request.config) / "mindspore" / "lenet").graph
    operators = [node.operator for node in graph.nodes]
    assert len(operators) > 10 and any("Conv2D" in operator for operator in operators)


def test_the_graph_of_tensorboard_is_a_graph_def(request):
    run = sightline.open(corpus_of(request.config) / "tensorboard" / "torch")
    assert run.graph is None and b"Linear" in run.graph_def


def test_the_lineage_of_mindspore(request):
    lineage = sightline.open(corpus_of(request.config) / "mindspore" / "lenet").lineage
    assert lineage["network"] == "LeNet5" and lineage["learning_rate"] == 0.01


# --- The module ---


@pytest.mark.parametrize(
    "order", [*itertools.permutations(["_core", "_ir", "_profiler", "_runs"])], ids="".join
)
def test_the_compiled_modules_load_in_any_order(run_script, order):
    run_script("\n".join(f"import sightline.{name}" for name in order))


def test_a_training_does_not_load_what_reads(run_script):
    done = run_script(
        "import sightline, sys; print('sightline._runs' in sys.modules); sightline.open; print('sightline._runs' in sys.modules)"
    )
    assert done.stdout.split() == ["False", "True"]

"""Every file that the real programs wrote, exported to each format and read back by what the format is for: each value
is the one that MindSpore's and TensorBoard's own messages hold."""

import base64
import csv
import io
import json
import subprocess
import sys
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import mindspore_schema
import numpy as np
import pyarrow.parquet
import pytest
from google.protobuf import json_format
from PIL import Image
from recording import tensorboard_bins
from records import frame, read_records
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.data_compat import migrate_value
from tensorboard.util.tensor_util import make_ndarray

CORPUS = Path(__file__).parents[2] / "corpus"
ROOTS = ("mindspore", "tensorboard")
KINDS = {"scalar_value": "scalar", "simple_value": "scalar", "histo": "histogram"}
PLUGINS = {
    "scalars": "scalar",
    "images": "image",
    "histograms": "histogram",
    "text": "text",
    "audio": "audio",
}
ARRAYS = {
    "scalar": "scalars",
    "tensor": "tensors",
    "image": "images",
    "histogram": "histograms",
    "loss_landscape": "landscapes",
}


class Recorded(NamedTuple):
    run: str
    kind: str
    tag: str
    step: int
    wall_time: float
    value: Any  # Summary.Value of the program that wrote it.

    @property
    def of_tensorboard(self):
        return isinstance(self.value, Summary.Value)

    def scalar(self):
        return (
            float(make_ndarray(migrate_value(self.value).tensor))
            if self.of_tensorboard
            else self.value.scalar_value
        )

    def encoded(self):
        """The bytes of an image."""
        if not self.of_tensorboard:
            return self.value.image.encoded_image
        return make_ndarray(migrate_value(self.value).tensor)[2]

    def pixels(self):
        pixels = np.asarray(Image.open(io.BytesIO(self.encoded())))
        return pixels if pixels.ndim == 3 else pixels[:, :, np.newaxis]

    def tensor(self):
        return array_of_mindspore(self.value.tensor)

    def landscape(self):
        return {
            axis: array_of_mindspore(getattr(self.value.loss_landscape.landscape, axis))
            for axis in "xyz"
        }

    def buckets(self):
        """Rows of left, right and count."""
        if not self.of_tensorboard:
            return np.array(
                [(left, left + width, count) for left, width, count in self.bars()]
            ).reshape(-1, 3)
        if self.value.WhichOneof("value") == "tensor":
            return make_ndarray(self.value.tensor)
        edges = np.clip(
            [self.value.histo.min, *self.value.histo.bucket_limit],
            self.value.histo.min,
            self.value.histo.max,
        )
        return np.column_stack([edges[:-1], edges[1:], self.value.histo.bucket])

    def bars(self):
        """(left, width, count) of each bucket."""
        if not self.of_tensorboard:
            return [(one.left, one.width, one.count) for one in self.value.histogram.buckets]
        return [(left, right - left, count) for left, right, count in self.buckets().tolist()]


def array_of_mindspore(tensor):
    name = (
        tensor.DESCRIPTOR.fields_by_name["data_type"]
        .enum_type.values_by_number[tensor.data_type]
        .name
    )
    values = tensor.double_data if tensor.double_data else tensor.float_data
    return np.array(values).astype(name.removeprefix("DT_").lower()).reshape(tensor.dims)


def events_of(file):
    if "tfevents" in file.name:
        return [Event.FromString(record) for record in read_records(file)]
    return mindspore_schema.read_events(file)


def kind_of(value):
    if isinstance(value, Summary.Value) and value.HasField("metadata"):
        return PLUGINS.get(value.metadata.plugin_data.plugin_name, "plugin")
    name = value.WhichOneof("value")
    return KINDS.get(name, name)


@pytest.fixture(scope="module")
def corpus(request):
    return Path(request.config.getoption("--corpus") or CORPUS)


@pytest.fixture(scope="module")
def recorded(corpus):
    """Every value, those of a run and tag in the order of step and wall time."""
    found = []
    for root in ROOTS:
        for file in sorted([*(corpus / root).rglob("*_MS"), *(corpus / root).rglob("*tfevents*")]):
            if file.suffix == ".json":
                continue
            run = str(file.parent.relative_to(corpus))
            for event in events_of(file):
                found += [
                    Recorded(run, kind_of(one), one.tag, event.step, event.wall_time, one)
                    for one in event.summary.value
                ]
    assert len({one.kind for one in found}) == 8
    return sorted(found, key=lambda one: (one.run, one.kind, one.tag, one.step, one.wall_time))


def of_kind(recorded, *kinds):
    return [one for one in recorded if one.kind in kinds]


def series_of(recorded, kind):
    """(run, tag) -> its values."""
    series = defaultdict(list)
    for one in of_kind(recorded, kind):
        series[one.run, one.tag].append(one)
    return series


@pytest.fixture
def export_of(tmp_path):
    """export_of(format, *runs) -> the output, and how many values of each kind it says it has."""

    def run(form, *runs):
        program = Path(sys.executable).parent / "sightline"
        out = tmp_path / f"out.{form}"
        command = [program, "export", *runs, "--format", form, "-o", out, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return out, json.loads(done.stdout)["written"]

    return run


@pytest.fixture
def export(export_of, corpus):
    """export(format): of the corpus."""
    return lambda form: export_of(form, *(corpus / root for root in ROOTS))


def scalar_row(run, tag, step, wall_time, value):
    return run, tag, step, wall_time, repr(float(value))  # As text: NaN is not equal to itself.


def scalar_rows(recorded):
    return sorted(
        scalar_row(one.run, one.tag, one.step, one.wall_time, one.scalar())
        for one in of_kind(recorded, "scalar")
    )


def test_csv(export, recorded):
    out, written = export("csv")
    with out.open(newline="", encoding="utf-8") as file:
        rows = [
            scalar_row(
                row["run"], row["tag"], int(row["step"]), float(row["wall_time"]), row["value"]
            )
            for row in csv.DictReader(file)
        ]
    assert sorted(rows) == scalar_rows(recorded) and len(rows) == written["scalar"] > 200


def test_json_lines(export, recorded):
    out, _ = export("jsonl")
    lines = [line for line in map(json.loads, out.read_text().splitlines()) if "value" in line]
    rows = [
        scalar_row(*(line[key] for key in ("run", "tag", "step", "wall_time", "value")))
        for line in lines
        if line["kind"] == "scalar"
    ]
    assert sorted(rows) == scalar_rows(recorded)
    messages = {
        "mindspore": mindspore_schema.Event().summary.value.add,
        "tensorboard": Summary().value.add,
    }

    def message(line):
        parsed = json_format.ParseDict(
            line["value"], messages[line["dialect"].split()[0].lower()]()
        )
        return (
            line["run"],
            line["tag"],
            line["step"],
            line["wall_time"],
            parsed.SerializeToString(deterministic=True),
        )

    expected = (one for one in recorded if one.kind != "scalar")
    assert sorted(map(message, (line for line in lines if line["kind"] != "scalar"))) == sorted(
        (one.run, one.tag, one.step, one.wall_time, one.value.SerializeToString(deterministic=True))
        for one in expected
    )


def arrays_of(recorded):
    """The name in an export of each array -> the array."""
    arrays = {}
    for (run, tag), points in series_of(recorded, "scalar").items():
        folder = f"{run}/scalars/{quote(tag, safe='')}"
        arrays[f"{folder}/steps"] = np.array([one.step for one in points], np.int64)
        arrays[f"{folder}/wall_times"] = np.array([one.wall_time for one in points])
        arrays[f"{folder}/values"] = np.array([one.scalar() for one in points])
    for one in of_kind(recorded, *(ARRAYS.keys() - {"scalar"})):
        name = f"{one.run}/{ARRAYS[one.kind]}/{quote(one.tag, safe='')}/{one.step}"
        while name in arrays or f"{name}.x" in arrays:
            first, _, number = name.partition(f"/{one.step}.")
            name = f"{first}/{one.step}.{int(number) + 1}" if number else f"{name}.2"
        if one.kind == "loss_landscape":
            arrays.update(
                (f"{name}.{axis}", array.astype(np.float64))
                for axis, array in one.landscape().items()
            )
        else:
            arrays[name] = {"tensor": one.tensor, "image": one.pixels, "histogram": one.buckets}[
                one.kind
            ]()
    return arrays


def check_arrays(found, expected):
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name, strict=True)


def test_npz(export, recorded):
    out, _ = export("npz")
    with np.load(out) as arrays:
        check_arrays(arrays, arrays_of(recorded))


def test_npy(export, recorded):
    out, _ = export("npy")
    check_arrays(
        {str(file.relative_to(out))[: -len(".npy")]: np.load(file) for file in out.rglob("*.npy")},
        arrays_of(recorded),
    )


def shown(folder):
    """tag -> (step, wall time, plugin, value) of each value as TensorBoard reads it."""
    run = EventAccumulator(str(folder), size_guidance={"tensors": 0}).Reload()

    def values(tag):
        plugin = run.SummaryMetadata(tag).plugin_data
        for one in run.Tensors(tag):
            has_tensor = (
                one.tensor_proto.dtype != 0
            )  # Hyper-parameters are in the plugin's own bytes.
            yield (
                one.step,
                one.wall_time,
                plugin.plugin_name,
                make_ndarray(one.tensor_proto) if has_tensor else plugin.content,
            )

    return {tag: sorted(values(tag), key=lambda value: value[:2]) for tag in run.Tags()["tensors"]}


def shown_of_mindspore(values):
    """The same of MindSpore's values."""
    tags = defaultdict(list)
    for one in values:
        if one.kind == "scalar":
            found = {one.tag: ("scalars", np.float32(one.scalar()))}
        elif one.kind == "image":
            image = one.value.image
            found = {
                one.tag: (
                    "images",
                    np.array(
                        [b"%d" % image.width, b"%d" % image.height, image.encoded_image], object
                    ),
                )
            }
        elif one.kind == "histogram":
            found = {
                one.tag: (
                    "histograms",
                    np.array(tensorboard_bins(one.value.histogram), np.float32).reshape(-1, 3),
                )
            }
        elif one.kind == "tensor":
            found = {one.tag: ("sightline", one.tensor())}
        else:
            found = {
                f"{one.tag}/{axis}": ("sightline", array) for axis, array in one.landscape().items()
            }
        for tag, value in found.items():
            tags[tag].append((one.step, one.wall_time, *value))
    return tags


def test_tensorboard(export, recorded, corpus):
    out, _ = export("tensorboard")
    for run in sorted({one.run for one in recorded}):
        values = [one for one in recorded if one.run == run]
        expected = shown(corpus / run) if values[0].of_tensorboard else shown_of_mindspore(values)
        found = shown(out / run)
        assert expected and expected.keys() <= found.keys()
        for tag, points in expected.items():
            assert [point[:3] for point in found[tag]] == [point[:3] for point in points], tag
            for point, exported in zip(points, found[tag]):
                np.testing.assert_array_equal(exported[3], point[3], err_msg=tag, verbose=False)


class Page(HTMLParser):
    """run -> what the page shows: tables of lineage, and (tag, canvas' attributes or image's address) of its figures."""

    def __init__(self, text):
        super().__init__()
        self.runs = {}
        self._text = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self._text = ""
        if tag == "canvas":
            self._figures.append((self._caption, dict(attributes)))
        elif tag == "img":
            self._figures.append((self._caption, dict(attributes)["src"]))

    def handle_endtag(self, tag):
        if tag == "h2":
            self._figures = self.runs.setdefault(self._text, [])
        elif tag == "figcaption":
            self._caption = self._text

    def handle_data(self, data):
        self._text += data


def chart(canvas):
    """Steps, minima and maxima of a chart's columns."""
    columns = np.frombuffer(
        base64.b64decode(canvas["data-c"]), [("step", "<u4"), ("min", "<f4"), ("max", "<f4")]
    )
    return (
        int(canvas["data-s"]) + int(canvas["data-k"]) * columns["step"].astype(np.int64),
        columns["min"],
        columns["max"],
    )


def test_html(export, recorded):
    out, _ = export("html")
    page = Page(out.read_text(encoding="utf-8"))
    for (run, tag), points in series_of(recorded, "scalar").items():
        (canvas,) = (
            shown for name, shown in page.runs[run] if name == tag and isinstance(shown, dict)
        )
        values = np.array([one.scalar() for one in points], np.float32)
        values[~np.isfinite(values)] = np.nan
        steps, low, high = chart(canvas)
        assert steps.tolist() == [one.step for one in points]
        np.testing.assert_array_equal(low, values)
        np.testing.assert_array_equal(high, values)
    for (run, tag), images in series_of(recorded, "image").items():
        (address,) = (
            shown for name, shown in page.runs[run] if name == tag and isinstance(shown, str)
        )
        assert base64.b64decode(address.partition(";base64,")[2]) == images[-1].encoded()


def test_a_chart_in_html_has_the_extremes_of_all_points(export_of, tmp_path):
    values = np.random.default_rng(1).normal(size=12_345).astype(np.float32)
    values[[7, 5_000, 12_344]] = np.nan, 1e6, -1e6
    events = [Event(wall_time=1.7e9, step=3 * i) for i in range(len(values))]
    for event, value in zip(events, values):
        event.summary.value.add(tag="loss", simple_value=value)
    (tmp_path / "events.out.tfevents.1.vm").write_bytes(
        b"".join(frame(event.SerializeToString()) for event in events)
    )
    out, _ = export_of("html", tmp_path)
    (((_, canvas),),) = Page(out.read_text(encoding="utf-8")).runs.values()
    steps, low, high = chart(canvas)
    columns = [values[len(values) * i // 1000 : len(values) * (i + 1) // 1000] for i in range(1000)]
    assert steps.tolist() == [3 * (len(values) * i // 1000) for i in range(1000)]
    np.testing.assert_array_equal(low, [np.nanmin(column) for column in columns])
    np.testing.assert_array_equal(high, [np.nanmax(column) for column in columns])


def test_parquet(export, recorded):
    out, written = export("parquet")

    def rows(kind, *columns):
        read = pyarrow.parquet.read_table(out / f"{kind}s").to_pylist()
        assert len(read) == written[kind] > 0
        return sorted(
            (
                row["run"],
                row["tag"],
                row["step"],
                row["wall_time"],
                *(row[column] for column in columns),
            )
            for row in read
        )

    def expected(kind, cells):
        return sorted(
            (one.run, one.tag, one.step, one.wall_time, *cells(one))
            for one in of_kind(recorded, kind)
        )

    assert sorted(scalar_row(*row) for row in rows("scalar", "value")) == scalar_rows(recorded)
    found = [
        (*row[:4], list(zip(*row[4:], strict=True)))
        for row in rows("histogram", "left", "width", "counts")
    ]
    assert found == expected("histogram", lambda one: [one.bars()])
    assert rows("tensor", "dtype", "shape", "data") == expected("tensor", tensor_cells)


def tensor_cells(one):
    array = one.tensor()
    return str(array.dtype), list(array.shape), array.tobytes()


def lineage_of(corpus):
    """(run, name) -> value, of MindSpore's messages; and the hyper-parameters that tensorboardX wrote."""
    lineage = {
        ("tensorboard/tensorboardx/hp", name): value
        for name, value in {"lr": 0.2, "opt": "sgd", "bn": "true"}.items()
    }
    for file in sorted((corpus / "mindspore").rglob("*_lineage")):
        for event in mindspore_schema.read_events(file):
            train, evaluation = event.train_lineage, event.evaluation_lineage
            parts = [
                train.algorithm,
                train.hyper_parameters,
                train.train_dataset,
                evaluation.valid_dataset,
            ]
            pairs = {field.name: value for part in parts for field, value in part.ListFields()}
            if train.HasField("model"):
                pairs["model_size"] = train.model.size
            pairs.update(json.loads(evaluation.metric or "{}"))
            for one in event.user_defined_info.user_info:
                pairs.update({**one.map_str, **one.map_double, **one.map_int32})
            lineage.update(
                {
                    (str(file.parent.relative_to(corpus)), name): value
                    for name, value in pairs.items()
                }
            )
    return lineage


def as_single(value):
    return np.float32(value) if isinstance(value, (int, float)) else value


def test_lineage_in_parquet(export, corpus):
    out, written = export("parquet")
    rows = pyarrow.parquet.read_table(out / "lineage").to_pylist()
    found = {
        (row["run"], row["name"]): row["text"]
        if row["number"] is None
        else as_single(row["number"])
        for row in rows
    }
    assert found == {name: as_single(value) for name, value in lineage_of(corpus).items()}
    assert len(found) == len(rows) == written["lineage"] > 30

"""Scalars as CSV: Python's csv module reads what TensorBoard and MindSpore's own schema read."""

import csv
import io
import subprocess
from pathlib import Path

import pytest
from mindspore_schema import read_events
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator
from tensorboard.util.tensor_util import make_ndarray
from tensorboardX.event_file_writer import EventsWriter
from tensorboardX.proto.event_pb2 import Event

CORPUS = Path(__file__).parent.parent / "corpus"

TAGS = [
    "loss",
    "a,b",
    'say "x"',
    '"',
    "two\nlines",
    "CR\r\nLF",
    " blanks ",
    "",
    "损失/训练",
    "a;b\tc",
    "=1+1",
]


def read_csv(build, *paths):
    """The rows below the header, numbers converted."""
    printed = subprocess.run(
        [build / "tools" / "sightline", "cat", "--csv", *paths], check=True, stdout=subprocess.PIPE
    )
    rows = csv.reader(io.StringIO(printed.stdout.decode("utf-8"), newline=""), strict=True)
    assert next(rows) == ["step", "wall_time", "tag", "value"]
    return [
        (int(step), float(wall_time), tag, float(value)) for step, wall_time, tag, value in rows
    ]


def test_every_tag_and_number_comes_back(build, tmp_path):
    writer = EventsWriter(str(tmp_path / "events"))
    expected = []
    for step, tag in enumerate(TAGS):
        event = Event(step=step, wall_time=1.7e9 + step / 7)
        event.summary.value.add(tag=tag, simple_value=1 / (step + 3))
        expected.append((step, event.wall_time, tag, event.summary.value[0].simple_value))
        writer.write_event(event)
    writer.close()
    assert read_csv(build, tmp_path) == expected


@pytest.mark.parametrize("log", ["tensorboardx", "tensorboard_v2", "torch/both_a"])
def test_logs_of_tensorboard_have_the_rows_that_it_shows(build, log):
    accumulator = EventAccumulator(
        str(CORPUS / "tensorboard" / log), size_guidance={"tensors": 0}
    ).Reload()
    shown = [
        (event.step, event.wall_time, tag, make_ndarray(event.tensor_proto).item())
        for tag in accumulator.PluginTagToContent("scalars")
        for event in accumulator.Tensors(tag)
    ]
    # The directory's own files, as TensorBoard reads it: a table of the directory has the runs below it as well.
    files = [
        path for path in (CORPUS / "tensorboard" / log).glob("*tfevents*") if path.suffix != ".json"
    ]
    # As text: NaN is not equal to itself.
    assert sorted(map(repr, read_csv(build, *files))) == sorted(map(repr, shown))


def test_files_of_mindspore_have_the_rows_that_its_schema_reads(build):
    (file,) = (CORPUS / "mindspore" / "lenet").glob("*_MS")
    expected = [
        (event.step, event.wall_time, value.tag, value.scalar_value)
        for event in read_events(file)
        for value in event.summary.value
        if value.WhichOneof("value") == "scalar_value"
    ]
    assert expected and read_csv(build, file) == expected

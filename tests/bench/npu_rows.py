"""Rows of profiles of NPUs: clusters of up to 1,024 ranks, and a large database, beside msprof-analyze."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npu_cluster import REAL, grow_database, make_cluster
from ours import Ours
from run_rows import cost_of
from table import Row

PEER = "msprof-analyze 26.2.0"


def npu_rows(ours: Ours, peers: Any | None) -> Iterator[Row]:
    few, many = (2, 32) if ours.smoke else (64, 1024)
    what = f"a cluster of {many} ranks, small files"
    yield from _cluster(ours, what, many, Files(tables=True), 1.5, 100)
    if not REAL.exists():
        print(f"{REAL} is missing: no rows with the traces and databases of NPUs")
        return
    both = Files(tables=True, traces=True)
    yield from _cluster(ours, "  traces beside them", many, both, 1.5, 100)
    # The peer reads the small files, and no rank without them.
    peer = peers.msprof_cluster if peers else None
    yield from _cluster(ours, f"{few} ranks, both", few, both, peer=peer)
    traces = Files(traces=True)
    yield from _cluster(ours, f"{few} ranks, traces only", few, traces, 0.5, 40)
    yield from _cluster(ours, f"{many} ranks, traces only", many, traces, 7, 100)
    yield from _database(ours)


@dataclass
class Files:
    tables: bool = False
    traces: bool = False


def _cluster(
    ours: Ours,
    what: str,
    ranks: int,
    files: Files,
    seconds: float | None = None,
    megabytes: float | None = None,
    peer: Any | None = None,
) -> Iterator[Row]:
    folder = ours.scratch / "npus"
    make_cluster(folder, ranks, files.tables, files.traces)
    cost = cost_of(
        [ours.build / "tools" / "sightline", "profile", "cluster", folder], 1 if ours.smoke else 3
    )
    theirs = peer(folder) if peer else None
    yield Row(
        what,
        "s",
        cost.milliseconds / 1e3,
        seconds,
        at_most=True,
        peer=theirs.milliseconds / 1e3 if theirs else None,
        peer_name=PEER if theirs else "",
    )
    yield Row(
        "  memory",
        "MB",
        cost.megabytes,
        megabytes,
        at_most=True,
        peer=theirs.megabytes if theirs else None,
    )
    shutil.rmtree(folder)


def _database(ours: Ours) -> Iterator[Row]:
    megabytes = 10 if ours.smoke else 1000
    database = ours.scratch / "ascend_pytorch_profiler_1.db"
    grow_database(database, megabytes)
    sightline = ours.build / "tools" / "sightline"
    command: list[str | Path] = [sightline, "profile", "info", database]
    cost = cost_of(command, 1 if ours.smoke else 3)
    yield Row(
        f"a database of {database.stat().st_size / 1e6:,.0f} MB, to its first timeline",
        "s",
        cost.milliseconds / 1e3,
        10,
        at_most=True,
    )
    yield Row("  memory", "MB", cost.megabytes)
    limited = cost_of([*command, "--memory-limit", "512MB"], 1)
    yield Row("  with --memory-limit 512MB", "s", limited.milliseconds / 1e3)
    yield Row("  memory", "MB", limited.megabytes, 512, at_most=True)
    database.unlink()


def msprof_analyze() -> Path:
    """The peer's program, in an environment of its own."""
    root = Path(__file__).parents[2]
    requirements = Path(__file__).parent / "peers" / "msprof-analyze-requirements.txt"
    setup = [root / "tools" / "setup.sh", "--python", sys.executable, requirements]
    done = subprocess.run(setup, check=True, stdout=subprocess.PIPE, text=True)
    return Path(done.stdout.strip()).with_name("msprof-analyze")

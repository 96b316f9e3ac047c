#!/usr/bin/env python3
"""Measures what recording and reading cost, beside the peers, in one run on tmpfs, and prints a table.

Ratios to a peer travel between machines, absolute figures do not. Run it on a quiet machine. Exit code: 0 every
figure reaches what it must, 1 one misses it or a benchmark fails, 2 wrong usage, 3 none misses, but a peer cannot run.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ours import Ours
from rows import Peers, rows
from table import Table

ROOT = Path(__file__).resolve().parent.parent.parent


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--build",
        type=Path,
        help="build folder; default: build/release, which is then brought up to date",
    )
    parser.add_argument(
        "--smoke", action="store_true", help="everything once and short; no figure can miss"
    )
    parser.add_argument("--no-peers", action="store_true", help="ours only; needs no packages")
    return parser.parse_args()


def use_the_peers_python() -> None:
    """Starts this script again in the peers' environment, which tools/setup.sh makes."""
    if importlib.util.find_spec("tensorboardX"):
        return
    made = subprocess.run(
        [ROOT / "tools" / "setup.sh", "--peers"], check=True, stdout=subprocess.PIPE, text=True
    )
    python = made.stdout.strip()
    os.execv(python, [python, *sys.argv])


def build_release() -> Path:
    subprocess.run(["cmake", "--preset", "release", "--log-level=WARNING"], cwd=ROOT, check=True)
    subprocess.run(
        ["cmake", "--build", "--preset", "release", "--target", "benchmarks"], cwd=ROOT, check=True
    )
    return ROOT / "build" / "release"


def machine(build: Path) -> str:
    """What a figure depends on, without naming the machine."""
    settings = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", settings, re.MULTILINE)[1]
    version = subprocess.run(
        [compiler, "--version"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    build_type = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", settings, re.MULTILINE)[1]
    return f"{len(os.sched_getaffinity(0))} CPUs, {version.splitlines()[0]}, {build_type}"


def main() -> int:
    arguments = parse_arguments()
    if not arguments.no_peers:
        use_the_peers_python()
    build = arguments.build.resolve() if arguments.build else build_release()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="sightline_bench_", dir="/dev/shm") as scratch:
        ours = Ours(build, Path(scratch), arguments.smoke)
        peers = None if arguments.no_peers else Peers(Path(scratch), arguments.smoke)
        table.rows.extend(rows(ours, peers))
    for peer in peers.absent if peers else []:
        print(f"cannot run: {peer}")
    if arguments.smoke:
        print("\nEverything ran. (Shortened: the figures say nothing.)")
        return 0
    print(f"\n{machine(build)}\n\n{table.text()}")
    for row in table.missed:
        print(f"missed: {row.what.strip()}")
    if table.missed:
        return 1
    return 3 if peers and peers.absent else 0


if __name__ == "__main__":
    sys.exit(main())

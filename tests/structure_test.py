#!/usr/bin/env python3
"""The structure that docs/architecture.md describes, held against the files: ctest runs this as `structure_test`."""

import collections
import functools
import graphlib
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Each layer includes only those before it, and itself.
LAYERS = [
    "proto",
    "base",
    "recorder",
    "profiler",
    "collectors",
    "ir",
    "landscape",
    "import",
    "runs",
    "watch",
    "export",
    "dashboard",
    "tools",
    "python",
    "sdk",
]

# Folders of tests/ that test no single room, or hold what tests share.
SHARED_TESTS = {
    "bench",
    "conformance",
    "corpus",
    "docs",
    "faults",
    "fuzz",
    "install",
    "mindinsight",
    "python",
    "support",
    "writers",
}

MOST_FILES_IN_A_FOLDER = 40

INCLUDE = re.compile(r'^#include "sightline/([^"]+)"', re.M)


@functools.cache
def files() -> list[Path]:
    """The files that git knows or would add, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout.decode()
    return sorted(Path(name) for name in listed.split("\0") if name and (ROOT / name).exists())


@functools.cache
def includes() -> dict[Path, list[Path]]:
    """The headers of ours that each C++ file of the layers includes."""
    sources = [path for path in files() if path.suffix in {".cc", ".h"} and path.parts[0] in LAYERS]
    return {
        path: [Path(name) for name in INCLUDE.findall((ROOT / path).read_text(encoding="utf-8"))]
        for path in sources
    }


class StructureTest(unittest.TestCase):
    def test_no_layer_includes_a_layer_above_it(self):
        upward = [
            f"{path} includes {header}"
            for path, headers in includes().items()
            for header in headers
            if header.parts[0] not in LAYERS
            or LAYERS.index(header.parts[0]) > LAYERS.index(path.parts[0])
        ]
        self.assertEqual(upward, [])

    def test_no_rooms_include_each_other_in_a_circle(self):
        rooms = collections.defaultdict(set)
        for path, headers in includes().items():
            rooms[str(path.parent)].update(
                str(header.parent) for header in headers if header.parent != path.parent
            )
        try:
            graphlib.TopologicalSorter(rooms).prepare()
        except graphlib.CycleError as error:
            self.fail(f"these rooms include each other in a circle: {' <- '.join(error.args[1])}")

    def test_no_folder_holds_more_files_than_a_reader_can_survey(self):
        counts = collections.Counter(
            str(path.parent) for path in files() if path.parts[:2] != ("tests", "corpus")
        )
        self.assertEqual(
            {folder: count for folder, count in counts.items() if count > MOST_FILES_IN_A_FOLDER},
            {},
        )

    def test_each_folder_of_tests_is_that_of_a_layer_or_a_room(self):
        folders = {path.parent for path in files()}
        folders |= {parent for folder in folders for parent in folder.parents}
        strangers = {
            str(path.parent)
            for path in files()
            if path.parts[0] == "tests"
            and len(path.parts) > 2
            and path.parts[1] not in SHARED_TESTS
            if Path(*path.parts[1:-1]) not in folders
        }
        self.assertEqual(strangers - {"tests/dashboard/openapi", "tests/dashboard/web"}, set())


if __name__ == "__main__":
    unittest.main()

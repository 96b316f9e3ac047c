#!/usr/bin/env python3
"""What libsightline shows, held against what sightline.h declares: ctest runs this as `sdk_exports_test`.

usage: exports_test.py SHARED_LIBRARY [ARCHIVE]
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

HEADERS = sorted((Path(__file__).resolve().parents[2] / "sdk").glob("sightline*.h"))
LIBRARY = ""
ARCHIVE = ""

MOST_FUNCTIONS = 60


def declared() -> list[str]:
    """The functions that the header declares, and those that it includes."""
    text = "".join(header.read_text() for header in HEADERS)
    return re.findall(r"^SIGHTLINE_API [^;]*?\b(sightline_\w+)\(", text, re.M)


def symbols(*arguments: str) -> list[str]:
    """The symbols that `nm` prints, with their versions."""
    listed = subprocess.run(
        ["nm", "--defined-only", "--format=posix", *arguments],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return [line.split()[0] for line in listed.splitlines() if not line.endswith(":")]


class ExportsTest(unittest.TestCase):
    def test_exactly_the_declared_functions_are_visible_and_have_a_version(self):
        expected = [f"{name}@@SIGHTLINE_1" for name in declared()]
        self.assertEqual(sorted(symbols("--dynamic", LIBRARY)), sorted([*expected, "SIGHTLINE_1"]))

    def test_the_archive_shows_these_too_and_nothing_else(self):
        if ARCHIVE:  # It is made where the libraries that it holds are.
            self.assertEqual(sorted(symbols("--extern-only", ARCHIVE)), sorted(declared()))

    def test_the_interface_stays_small(self):
        self.assertGreater(len(declared()), 0)
        self.assertLessEqual(len(declared()), MOST_FUNCTIONS)


if __name__ == "__main__":
    LIBRARY, ARCHIVE = [*sys.argv[1:], ""][:2]
    del sys.argv[1:]
    unittest.main()

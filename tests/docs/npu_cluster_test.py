#!/usr/bin/env python3
"""Types the commands of docs/npu_cluster.md and compares what they print: ctest runs this as `npu_cluster_test`.

usage: npu_cluster_test.py PROGRAM

The profile may not be committed; it is read from ../shared/corpus/ascend.
"""

import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "ascend"
BLOCK = re.compile(r"^```\n\$ sightline (.*?)\n(.*?)^```$", re.M | re.S)
LEFT_OUT = "..."
PROGRAM = ""


def missing(shown: list[str], printed: list[str]) -> str | None:
    """The first shown line that the printed ones lack: they come in this order, with gaps only at "..."."""
    at, gap = 0, False
    for line in shown:
        if line == LEFT_OUT:
            gap = True
            continue
        found = next((i for i in range(at, len(printed)) if printed[i] == line), None)
        if found is None or (found > at and not gap):
            return line
        at, gap = found + 1, False
    return None if gap or at == len(printed) else printed[at]


class NpuClusterTest(unittest.TestCase):
    def test_the_commands_print_what_the_page_shows(self):
        if not CORPUS.exists():
            self.skipTest(f"{CORPUS} is missing")
        page = (ROOT / "docs" / "npu_cluster.md").read_text(encoding="utf-8")
        blocks = BLOCK.findall(page)
        self.assertGreaterEqual(len(blocks), 4)
        for command, shown in blocks:
            with self.subTest(command):
                run = subprocess.run(
                    [PROGRAM, *shlex.split(command)],
                    cwd=CORPUS,
                    stdout=subprocess.PIPE,
                    text=True,
                    check=True,
                )
                printed = [line.rstrip() for line in run.stdout.rstrip().splitlines()]
                self.assertIsNone(missing(shown.splitlines(), printed))


class MissingTest(unittest.TestCase):
    def test_lines_come_in_order_without_gaps_but_at_the_dots(self):
        printed = ["a", "b", "c"]
        for shown in (["a", "b", "c"], ["a", "..."], ["...", "b", "..."], ["a", "...", "c"]):
            self.assertIsNone(missing(shown, printed), shown)
        self.assertEqual(missing(["a", "c"], printed), "c")
        self.assertEqual(missing(["a", "b"], printed), "c")
        self.assertEqual(missing(["...", "x"], printed), "x")


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()

#!/usr/bin/env python3
"""What the profiler finds is said on the page in both languages: ctest runs this as `findings_test`."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHINESE = ROOT / "web" / "src" / "pages" / "profile" / "finding_text.ts"

# The literals that a finding's `what` is made of, as C++ joins them.
WHAT = re.compile(r'\bwhat = (?:fmt::format\(\s*)?((?:"[^"]*"\s*)+)')


def sentences() -> dict[str, str]:
    """What each finding says is wrong, and the file that says it."""
    found = {}
    for folder in ("analysis", "cluster"):
        for path in sorted((ROOT / "profiler" / folder).glob("*.cc")):
            for literals in WHAT.findall(path.read_text()):
                found["".join(re.findall(r'"([^"]*)"', literals))] = path.name
    return found


class FindingsTest(unittest.TestCase):
    def test_each_finding_has_a_chinese_sentence(self):
        translated = CHINESE.read_text()
        self.assertGreater(len(sentences()), 10)
        for sentence, path in sentences().items():
            with self.subTest(path):
                self.assertIn(f'"{sentence}"', translated)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""What the pages for users show, held against the program and against their translations: ctest runs this as `pages_test`.

usage: pages_test.py PROGRAM
"""

import functools
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ""

TRANSLATIONS = [("README.md", "README.zh.md"), ("docs/quickstart.md", "docs/quickstart.zh.md")]

BLOCK = re.compile(r"^```(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def blocks(page: str) -> list[str]:
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


@functools.cache
def help_of(verb: tuple[str, ...]) -> str | None:
    """What `sightline VERB --help` prints; None if there is no such verb."""
    run = subprocess.run(
        [PROGRAM, *verb, "--help"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return run.stdout if run.returncode == 0 else None


def commands(page: str) -> list[list[str]]:
    """The calls of `sightline` in the page's blocks of commands, which name no language."""
    found = []
    for block in blocks(page):
        if not block.startswith("\n"):
            continue
        for line in block.replace("\\\n", " ").splitlines():
            if re.match(r"sightline [a-z]", line):
                command = re.split(r" [|>&] | 2?> |  +#", line)[0]
                found.append(shlex.split(command, comments=True)[1:])
    return found


def faults(command: list[str]) -> list[str]:
    if "--" in command:  # What follows are another program's.
        command = command[: command.index("--")]
    verb = (command[0],)
    text = help_of(verb)
    if text is None:
        return [f"there is no verb '{command[0]}'"]
    if (
        len(command) > 1
        and re.search(rf"^ +{re.escape(command[1])}\b", text, re.M)
        and help_of((*verb, command[1]))
    ):
        text = help_of((*verb, command[1])) or ""
    options = [word.split("=")[0] for word in command if word.startswith("--")]
    return [
        f"'{option}' is missing in the help"
        for option in options
        if not re.search(rf"{option}(?![\w-])", text)
    ]


class PagesTest(unittest.TestCase):
    def test_each_command_of_a_page_is_one_the_program_has(self):
        pages = [
            "README.md",
            *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))),
        ]
        checked = 0
        for page in pages:
            for command in commands(page):
                checked += 1
                with self.subTest(page=page, command=shlex.join(command)):
                    self.assertEqual(faults(command), [])
        self.assertGreater(checked, 30)

    def test_a_translation_has_the_code_and_the_commands_of_the_page(self):
        for page, translation in TRANSLATIONS:
            with self.subTest(translation=translation):
                self.assertEqual(blocks(translation), blocks(page))

    def test_links_between_pages_lead_to_files(self):
        pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
        broken = [
            f"{page.relative_to(ROOT)}: {target}"
            for page in pages
            for target in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))
            if target != "..." and not (page.parent / target).exists()
        ]
        self.assertEqual(broken, [])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()

#!/usr/bin/env python3
"""Writes files that each include several sources, so that clang-tidy goes through their common headers once.

    tools/lint_groups.py BUILD OUT [FILE.cc ...]

Sources of one folder with equal flags are put together as far as what they name at file scope does not collide. BUILD has the
compile_commands.json that the sources (relative paths) are looked up in; those that are not in it are left out. OUT
gets the files and a compile_commands.json for them. Prints a line a group: the file to check, then its sources.
"""

import glob
import json
import os
import pathlib
import re
import shutil
import sys

from source_groups import group

INCLUDED = re.compile(r'^#include "(.*)"', re.M)


def flags_of(entry: dict[str, str]) -> str:
    return re.sub(r" -[oc] \S+", "", entry["command"])


def commands_of(build: pathlib.Path) -> dict[str, dict[str, str]]:
    """How each source is compiled; in a build with SIGHTLINE_UNITY those that are compiled as one each stand for themselves."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        sources = [entry["file"]]
        if os.path.basename(entry["file"]).startswith("unity_"):
            sources = INCLUDED.findall(pathlib.Path(entry["file"]).read_text(encoding="utf-8"))
        for source in sources:
            command = entry["command"].replace(entry["file"], source)
            commands[os.path.relpath(source)] = entry | {"file": source, "command": command}
    return commands


def main() -> None:
    build, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    commands = commands_of(build)
    shutil.rmtree(out, ignore_errors=True)
    # clang-tidy takes the configuration of the folder that a file is in.
    for configuration in [".clang-tidy", *glob.glob("*/.clang-tidy")]:
        place = out / configuration
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(os.path.abspath(configuration))
    entries = []
    for members in group(
        {
            file: (os.path.dirname(file), flags_of(commands[file]))
            for file in sys.argv[3:]
            if file in commands
        }
    ):
        entry = dict(commands[members[0]])
        if len(members) > 1:
            path = out / f"{members[0]}_and_{len(members) - 1}.cc"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                "".join(f'#include "{os.path.abspath(file)}"  // NOLINT\n' for file in members)
            )
            entry["command"] = entry["command"].replace(entry["file"], str(path.resolve()))
            entry["file"] = str(path.resolve())
        entries.append(entry)
        print(entry["file"], *members)
    (out / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


if __name__ == "__main__":
    main()

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

LARGEST_GROUP = 10  # Half of what one file costs is its headers; beyond ten nothing is gained.

ANONYMOUS = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
DECLARED = re.compile(
    r"^(?:template *<[^\n]*>\n?)?"
    r"(?:(?:class|struct|enum class|enum|union) (\w+)[^;\n]*$"
    r"|TEST(?:_[FP])?\((\w+, \w+)"
    r"|[A-Za-z_][\w:<>,*& ]*?[ &*](\w+)(?:\(|\{|\[| =|;))",
    re.M,
)
ALIAS = re.compile(r"^(?:namespace|using) (\w+) = ([^;]+);", re.M)
USING = re.compile(r"^using (?:::)?([\w:]+::(\w+));", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)


def names_of(path: str) -> dict[str, str]:
    """What `path` names at file scope for itself. Equal values may stand in one file."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    names = dict(ALIAS.findall(text)) | {name: target for target, name in USING.findall(text)}
    for name in MACRO.findall(text):
        names[name] = path
    for part in ANONYMOUS.findall(text):
        for match in DECLARED.finditer(part):
            if not match.group(0).startswith("using "):
                names[next(filter(None, match.groups()))] = path
    return names


def flags_of(entry: dict[str, str]) -> str:
    return re.sub(r" -[oc] \S+", "", entry["command"])


def group(files: dict[str, str]) -> list[list[str]]:
    """Groups files, given with their flags."""
    groups: list[tuple[tuple[str, str], list[str], dict[str, str]]] = []
    for file, flags in files.items():
        kind, names = (os.path.dirname(file), flags), names_of(file)
        for other, members, taken in groups:
            fits = all(taken.get(name, value) == value for name, value in names.items())
            if other == kind and len(members) < LARGEST_GROUP and fits:
                members.append(file)
                taken.update(names)
                break
        else:
            groups.append((kind, [file], names))
    return [members for _, members, _ in groups]


def main() -> None:
    build, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    database = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {os.path.relpath(entry["file"]): entry for entry in database}
    shutil.rmtree(out, ignore_errors=True)
    # clang-tidy takes the configuration of the folder that a file is in.
    for configuration in [".clang-tidy", *glob.glob("*/.clang-tidy")]:
        place = out / configuration
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(os.path.abspath(configuration))
    entries = []
    for members in group({file: flags_of(commands[file]) for file in sys.argv[3:] if file in commands}):
        entry = dict(commands[members[0]])
        if len(members) > 1:
            path = out / f"{members[0]}_and_{len(members) - 1}.cc"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'#include "{os.path.abspath(file)}"  // NOLINT\n' for file in members))
            entry["command"] = entry["command"].replace(entry["file"], str(path.resolve()))
            entry["file"] = str(path.resolve())
        entries.append(entry)
        print(entry["file"], *members)
    (out / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


if __name__ == "__main__":
    main()

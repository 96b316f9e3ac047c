#!/usr/bin/env python3
"""Which sources can be compiled as one: their common headers are read once, which is half and more of a file's time.

Sources stand together as far as what they name at file scope does not collide. tools/lint_groups.py groups for
clang-tidy; cmake/SightlineUnity.cmake for the compiler, by running this file: it reads lines `KIND FILE` (absolute paths)
and prints lines `KIND NUMBER FILE` for the files of a kind that share a number with others.
"""

import pathlib
import re
import sys

LARGEST_GROUP = 10  # Beyond ten nothing is gained.

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


def group(files: dict[str, object]) -> list[list[str]]:
    """Groups files, given with their kinds; only files of one kind stand together."""
    groups: list[tuple[object, list[str], dict[str, str]]] = []
    for file, kind in files.items():
        names = names_of(file)
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
    kinds: dict[str, list[str]] = {}
    for line in sys.stdin:
        kind, file = line.rstrip("\n").split(" ", 1)
        if "hwy/foreach_target.h" not in pathlib.Path(file).read_text(encoding="utf-8"):  # Compiled once a machine.
            kinds.setdefault(kind, []).append(file)
    for kind, files in kinds.items():
        for number, members in enumerate(group(dict.fromkeys(files, kind))):
            if len(members) > 1:
                print("\n".join(f"{kind} {number} {file}" for file in members))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Which sources can be compiled as one: their common headers are read once, which is half and more of a file's time.

Sources form a group as long as none uses a name that another one defines at file scope. tools/lint_groups.py groups for
clang-tidy; cmake/SightlineUnity.cmake for the compiler, by running this file: it reads lines `KIND FILE` (absolute
paths) and prints lines `KIND NUMBER FILE` for the files of a kind that share a number with others.
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
COMMENT = re.compile(r"//.*")
# A name as it is looked up, not a member's or one of a namespace that is named.
USED = re.compile(r"(?<![\w.>:])([A-Za-z_]\w+)")
TYPE = re.compile(r"^(?:class|struct|enum class|union) (\w+)", re.M)


def names_of(path: str) -> dict[str, str]:
    """The names that `path` defines at file scope. Equal definitions may be in one file."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    names = dict(ALIAS.findall(text)) | {name: target for target, name in USING.findall(text)}
    for name in MACRO.findall(text):
        names[name] = path
    for part in ANONYMOUS.findall(text):
        for match in DECLARED.finditer(part):
            if not match.group(0).startswith("using "):
                names[next(filter(None, match.groups()))] = path
    return names


def used_in(path: str) -> set[str]:
    return set(USED.findall(COMMENT.sub("", pathlib.Path(path).read_text(encoding="utf-8"))))


def types_of_headers() -> set[str]:
    """The types of all headers. If a file defines one of these names, it hides the type from the headers after that file."""
    root = pathlib.Path(__file__).resolve().parent.parent
    headers = (
        path
        for folder in root.iterdir()
        if folder.name != "build"
        for path in folder.glob("**/*.h")
    )
    return {name for path in headers for name in TYPE.findall(path.read_text(encoding="utf-8"))}


class Group:
    def __init__(self, kind: object):
        self.kind = kind
        self.members: list[str] = []
        self.names: dict[str, str] = {}
        self.used: set[str] = set()

    def fits(self, kind: object, names: dict[str, str], used: set[str]) -> bool:
        if self.kind != kind or len(self.members) == LARGEST_GROUP:
            return False
        equal = {name for name, value in names.items() if self.names.get(name) == value}
        return not (names.keys() - equal) & self.used and not (self.names.keys() - equal) & used

    def add(self, file: str, names: dict[str, str], used: set[str]) -> None:
        self.members.append(file)
        self.names.update(names)
        self.used |= used | names.keys()


def group(files: dict[str, object]) -> list[list[str]]:
    """Groups files, given with their kinds; only files of one kind stand together."""
    hidden = types_of_headers()
    groups: list[Group] = []
    for file, kind in files.items():
        names, used = names_of(file), used_in(file)
        if any(value == file and name in hidden for name, value in names.items()):
            kind = file  # By itself.
        for candidate in groups:
            if candidate.fits(kind, names, used):
                candidate.add(file, names, used)
                break
        else:
            groups.append(Group(kind))
            groups[-1].add(file, names, used)
    return [group.members for group in groups]


def main() -> None:
    kinds: dict[str, list[str]] = {}
    for line in sys.stdin:
        kind, file = line.rstrip("\n").split(" ", 1)
        if "hwy/foreach_target.h" not in pathlib.Path(file).read_text(
            encoding="utf-8"
        ):  # Compiled once a machine.
            kinds.setdefault(kind, []).append(file)
    for kind, files in kinds.items():
        for number, members in enumerate(group(dict.fromkeys(files, kind))):
            if len(members) > 1:
                print("\n".join(f"{kind} {number} {file}" for file in members))


if __name__ == "__main__":
    main()

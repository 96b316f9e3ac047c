#!/usr/bin/env python3
"""Writes the docstrings of a class in a stub as constants of a C++ header, so that they are written once.

usage: docstrings.py STUB CLASS HEADER

The class C gives docstrings::kC, and a method or property C.f of it docstrings::kCF.
Paragraphs are wrapped for a terminal of 80 columns.
"""

import ast
import sys
import textwrap
from pathlib import Path


def constant(*names: str) -> str:
    words = [word for name in names for word in name.split("_")]
    return "k" + "".join(word[:1].upper() + word[1:] for word in words)


def documented(tree: ast.Module, wanted: str):
    """(constant, docstring) of the class, and of each of its methods and properties."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or node.name != wanted:
            continue
        yield constant(node.name), ast.get_docstring(node)
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                yield constant(node.name, member.name), ast.get_docstring(member)


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    stub, wanted, header = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    lines = [f"// Made by python/native/docstrings.py of {stub.name}.", "#pragma once", ""]
    lines += ["namespace sightline::python::docstrings {", ""]
    for name, text in documented(ast.parse(stub.read_text()), wanted):
        if text:
            wrapped = "\n\n".join(textwrap.fill(paragraph, 80) for paragraph in text.split("\n\n"))
            lines.append(f'inline constexpr char {name}[] = R"doc({wrapped})doc";')
    lines += ["", "}  // namespace sightline::python::docstrings", ""]
    header.write_text("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())

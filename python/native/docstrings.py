#!/usr/bin/env python3
"""Writes the docstrings of a stub as constants of a C++ header, so that they are written once.

usage: docstrings.py STUB HEADER

A class C gives docstrings::kC, a method or property C.f of it docstrings::kCF, and a function f docstrings::kF.
Paragraphs are wrapped for a terminal of 80 columns.
"""

import ast
import sys
import textwrap
from pathlib import Path


def constant(*names: str) -> str:
    words = [word for name in names for word in name.split("_")]
    return "k" + "".join(word[:1].upper() + word[1:] for word in words)


def documented(tree: ast.Module):
    """(constant, docstring) of each class, function, method and property."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        yield constant(node.name), ast.get_docstring(node)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield constant(node.name, member.name), ast.get_docstring(member)


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    stub, header = map(Path, sys.argv[1:])
    lines = [f"// Made by python/native/docstrings.py of {stub.name}.", "#pragma once", ""]
    lines += ["namespace sightline::python::docstrings {", ""]
    for name, text in documented(ast.parse(stub.read_text())):
        if text:
            wrapped = "\n\n".join(textwrap.fill(paragraph, 80) for paragraph in text.split("\n\n"))
            lines.append(f'inline constexpr char {name}[] = R"doc({wrapped})doc";')
    lines += ["", "}  // namespace sightline::python::docstrings", ""]
    header.write_text("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())

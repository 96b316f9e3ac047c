"""The stubs say what the extension modules have: every docstring is there at run time, and every default is the same."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest
import sightline

MODULES = ["_core", "_ir", "_landscape", "_profiler", "_profiles", "_runs"]


def stub(module):
    """(dotted name, syntax tree) of every class, function and property of a stub that has a name of its own."""
    tree = ast.parse((Path(sightline.__file__).parent / f"{module}.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            yield from (
                (f"{node.name}.{child.name}", child)
                for child in node.body
                if isinstance(child, ast.FunctionDef)
            )


def found(module, name):
    thing = importlib.import_module(f"sightline.{module}")
    for part in name.split("."):
        thing = (
            inspect.getattr_static(thing, part) if inspect.isclass(thing) else getattr(thing, part)
        )
    return thing.__func__ if isinstance(thing, staticmethod) else thing


def words(text):
    return " ".join((text or "").split())


NAMES = [(module, name, node) for module in MODULES for name, node in stub(module)]
PUBLIC = [each for each in NAMES if not any(part.startswith("_") for part in each[1].split("."))]


@pytest.mark.parametrize(
    ("module", "name", "node"), PUBLIC, ids=[f"{module}.{name}" for module, name, _ in PUBLIC]
)
def test_help_says_what_it_is(module, name, node):
    thing = found(module, name)
    told = words(thing.__doc__)
    documented = words(ast.get_docstring(node))
    assert documented in told
    # nanobind puts the signatures in front, a line each.
    lines = [
        line for line in (thing.__doc__ or "").splitlines() if not line.startswith(f"{node.name}(")
    ]
    assert words(" ".join(lines)), "there is only a signature"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_what_it_is(module):
    tree = ast.parse((Path(sightline.__file__).parent / f"{module}.pyi").read_text())
    assert importlib.import_module(f"sightline.{module}").__doc__ == ast.get_docstring(tree)


def defaults_of_stub(node):
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(
            positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True
        )
    ]
    pairs += [
        (name, value)
        for name, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if value
    ]
    return {name.arg: ast.literal_eval(value) for name, value in pairs}


def defaults_at_run_time(thing):
    """None where they cannot be asked for."""
    if hasattr(thing, "__nb_signature__"):
        overloads = thing.__nb_signature__
        if len(overloads) != 1:
            return None
        text, values = overloads[0][0], overloads[0][2] if len(overloads[0]) > 2 else ()
        function = ast.parse(text.replace("\\", "defaults_") + ": ...").body[0]
        pairs = {}
        arguments = function.args
        if arguments.vararg or arguments.kwarg:
            return None
        positional = [*arguments.posonlyargs, *arguments.args]
        named = [
            *zip(
                positional[len(positional) - len(arguments.defaults) :],
                arguments.defaults,
                strict=True,
            )
        ]
        named += [
            (name, value)
            for name, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if value
        ]
        for name, value in named:
            is_placed = isinstance(value, ast.Name) and value.id.startswith("defaults_")
            pairs[name.arg] = (
                values[int(value.id.removeprefix("defaults_"))]
                if is_placed
                else ast.literal_eval(value)
            )
        return pairs
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL) for each in parameters):
        return None
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def test_every_default_that_can_be_asked_for_is_the_stubs():
    compared = 0
    for module, name, node in NAMES:
        stubs = defaults_of_stub(node) if isinstance(node, ast.FunctionDef) else {}
        actual = defaults_at_run_time(found(module, name)) if stubs else None
        if actual is not None:
            assert actual == stubs, f"{module}.{name}"
            compared += 1
    assert compared > 10


def default_in_cpp(header, field):
    """The default of a field of RecorderOptions, as Python's options spell it."""
    match = re.search(rf"^  (\S+) {field}(?: = |)(.*?);", header, re.MULTILINE)
    kind, text = match[1], match[2]
    if kind == "std::chrono::milliseconds":
        return int(text.strip("{}")) / 1000
    if shifted := re.fullmatch(r"std::\w+\{(\d+)\} << (\d+)", text):
        return int(shifted[1]) << int(shifted[2])
    if words := re.findall(r"::k(\w+)", text):
        names = tuple(word.lower() for word in words)
        return names if text.startswith("{") else names[0]
    return (
        {"{}": None, "std::nullopt": None, "false": False}[text]
        if not text.isdigit()
        else int(text)
    )


def test_the_recorders_defaults_are_those_of_the_library():
    header = (Path(__file__).parents[3] / "recorder/writing/recorder_options.h").read_text()
    (node,) = (node for module, name, node in NAMES if name == "Recorder.__init__")
    for name, default in defaults_of_stub(node).items():
        assert default_in_cpp(header, name) == default, name

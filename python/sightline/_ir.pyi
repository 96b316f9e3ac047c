"""The extension module of sightline.ir, which re-exports it."""

import os
from typing import Literal, TypeAlias

_Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]

class Type:
    """A type as a dump prints it, such as "<Ref[Tensor[Float32]], (3, 4), ref_key=f.weight, is_parameter>"."""

    @property
    def text(self) -> str:
        """The type as the dump prints it."""
    @property
    def name(self) -> str:
        """ "Ref[Tensor[Float32]]", "Int64", "Func"; empty if it is not known."""
    @property
    def element(self) -> str:
        """The element type of a tensor, of a reference to one, or of a number: "Float32". Empty for others."""
    @property
    def shape(self) -> tuple[int, ...] | None:
        """The sizes of a tensor's dimensions; -1 for an unknown size, a single -2 for an unknown number of dimensions.
        None for others.
        """
    @property
    def ref_key(self) -> str:
        """The parameter that a reference refers to; empty for others."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Location:
    """A place in the user's source."""

    @property
    def text(self) -> str:
        """The location as the dump prints it."""
    @property
    def path(self) -> str:
        """The path of the source, on the machine that compiled it."""
    @property
    def first_line(self) -> int:
        """The first line, from 1."""
    @property
    def last_line(self) -> int:
        """The last line, from 1."""
    @property
    def columns(self) -> tuple[int, int] | None:
        """The columns from 0, the end exclusive; None for a whole function."""
    @property
    def code(self) -> str:
        """The first line of the source, with its indentation."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Problem:
    """Something that the grammar of dumps does not explain, or a count that does not hold."""

    @property
    def line(self) -> int:
        """The line in the file, from 1."""
    @property
    def column(self) -> int:
        """The column in bytes, from 1."""
    @property
    def message(self) -> str:
        """What is wrong."""

class Parameter:
    """A parameter of a subgraph."""

    @property
    def name(self) -> str:
        """The name without the number."""
    @property
    def number(self) -> int:
        """The number, such as 3 of "%para3_x"; 0 for all parameters of a subgraph in analyze_fail.ir."""
    @property
    def type(self) -> Type | None:
        """The type; None if the dump has none."""
    @property
    def has_default(self) -> bool:
        """Whether it is a weight of the network, with a value, and not an input."""
    @property
    def subgraph(self) -> Subgraph | None:
        """The subgraph to which it belongs."""
    @property
    def users(self) -> list[Node]:
        """The nodes that take its value or call it, each once."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Node:
    """A statement of a subgraph: what it calls, and with which inputs."""

    @property
    def name(self) -> str:
        """A name such as "CNode_12"; several nodes may have the same."""
    @property
    def number(self) -> int | None:
        """The number of "%3", which is its place in the subgraph; None for a Return."""
    @property
    def kind(
        self,
    ) -> Literal["return", "primitive", "meta", "call", "closure", "foreign", "parameter"]:
        """What it calls: a primitive, a subgraph ("call"), or a value that is a function."""
    @property
    def operator(self) -> str:
        """The primitive's printed name, "Return", or a name for the kind of call; see Module.operators."""
    @property
    def callee(self) -> Node | Parameter | Subgraph | str | None:
        """What it calls: the subgraph or value, a primitive's name, or None if the dump does not have it."""
    @property
    def calls(self) -> list[Subgraph]:
        """The subgraphs that it may call."""
    @property
    def inputs(self) -> list[Node | Parameter | Subgraph | str | None]:
        """For each operand the element that it comes from, the text of a constant, or None if the dump does not have
        it.
        """
    @property
    def users(self) -> list[Node]:
        """The nodes that take its value or call it, each once."""
    @property
    def subgraph(self) -> Subgraph | None:
        """The subgraph to which it belongs."""
    @property
    def attributes(self) -> dict[str, dict[str, str | None]]:
        """The attributes by group: {"primitive_attrs": {"group": "I64(1)"}}. The group "" has the instance name."""
    @property
    def input_types(self) -> list[Type]:
        """The type of each input; empty in dumps without types."""
    @property
    def output_types(self) -> list[Type]:
        """The types of the result; empty in dumps without types."""
    @property
    def scope(self) -> str:
        """ "Default/network-WithLossCell/conv1-Conv2d"; empty if it is not known."""
    @property
    def name_in_scope(self) -> str:
        """ "Conv2D-op0"; empty in dumps that print only the scope."""
    @property
    def locations(self) -> list[Location]:
        """Its source locations: the outermost call first, the node's own line last."""
    @property
    def line(self) -> int:
        """The line in the file, from 1."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Subgraph:
    """A function of the dump."""

    @property
    def name(self) -> str:
        """The name; several subgraphs may have the same."""
    @property
    def instance(self) -> str:
        """The address that distinguishes subgraphs with one name; empty if the dump has none."""
    @property
    def parent(self) -> Subgraph | None:
        """The subgraph whose values it may use."""
    @property
    def parameters(self) -> list[Parameter]:
        """Its parameters, in their order."""
    @property
    def nodes(self) -> list[Node]:
        """Its statements, in their order."""
    @property
    def attributes(self) -> dict[str, str | None]:
        """Its attributes, as the dump lists them above it."""
    @property
    def users(self) -> list[Node]:
        """The nodes that take it as input or may call it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Module:
    """A dump with its names resolved."""

    @property
    def form(self) -> Literal["graph", "failure", "actors", "actor sections"]:
        """The form of the dump; "failure" is analyze_fail.ir. Actor sets have only problems and operators."""
    @property
    def entry(self) -> Subgraph | None:
        """The subgraph of the whole network."""
    @property
    def subgraphs(self) -> list[Subgraph]:
        """All subgraphs, in the file's order."""
    @property
    def nodes(self) -> list[Node]:
        """The nodes of all subgraphs, in the file's order."""
    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of the entry, as the header lists them."""
    @property
    def attributes(self) -> dict[str, str | None]:
        """The attributes of the file."""
    @property
    def operators(self) -> dict[str, int]:
        """The number of nodes by what they call: a primitive's name, "Return", "call", "closure", "xclosure",
        "paramcall", "meta".
        """
    @property
    def problems(self) -> list[Problem]:
        """The first 1,000 problems."""
    @property
    def problem_count(self) -> int:
        """How many problems there are in all."""
    def to_bytes(self) -> bytes:
        """The dump as .ir text; if it was read from such a text, the same bytes."""
    def find(
        self,
        *,
        operator: str | None = None,
        name: str | None = None,
        attribute: str | None = None,
        value: str | None = None,
        scope: str | None = None,
        parameter: str | None = None,
        file: str | None = None,
        line: int | None = None,
        subgraph: str | None = None,
    ) -> list[Node]:
        """The nodes that meet every condition. Texts are patterns: * stands for any text, ? for one byte.

        operator: "MatMul" is also "PrimFunc_MatMul". attribute, value: a key, and its value. scope: a scope that
        contains the node. parameter: the name of a parameter that it takes. file, line: the end of a source path, and a
        line there.
        """

_Element: TypeAlias = Node | Parameter | Subgraph

class PropertyChange:
    """A property that differs."""

    @property
    def name(self) -> str:
        """The name as in `sightline ir diff`: "callee", "input", "type of result", "attribute"."""
    @property
    def key(self) -> str | None:
        """The key of an attribute: "primitive_attrs.strides", or "less_bn" of a subgraph. None for other properties."""
    @property
    def position(self) -> int:
        """The position among properties with this name and key, such as inputs; from 0."""
    @property
    def before(self) -> _Element | str | None:
        """The value in the first dump: an element, or a text without addresses; None if there was none."""
    @property
    def after(self) -> _Element | str | None:
        """The value in the second dump."""

class Change:
    """An element that is not the same in both dumps."""

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        """What happened to the element."""
    @property
    def before(self) -> _Element | None:
        """The element in the first dump; None if it was added."""
    @property
    def after(self) -> _Element | None:
        """The element in the second dump; None if it was removed."""
    @property
    def ambiguous(self) -> bool:
        """Whether another element would match as well, since nothing distinguishes them."""
    @property
    def moved(self) -> bool:
        """Whether it is in another subgraph."""
    @property
    def reordered(self) -> bool:
        """Whether it is at another place in its subgraph."""
    @property
    def properties(self) -> list[PropertyChange]:
        """What changed. Empty for elements that were added or removed, or that only moved."""

class Diff:
    """The differences of two dumps. Ids, addresses, scopes, source lines and the order of subgraphs do not count."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
    @property
    def changes(self) -> list[Change]:
        """All changes: of subgraphs, parameters and nodes."""
    @property
    def added(self) -> list[Change]:
        """Elements that only the second dump has."""
    @property
    def removed(self) -> list[Change]:
        """Elements that only the first dump has."""
    @property
    def changed(self) -> list[Change]:
        """Elements with other properties. They may also have moved."""
    @property
    def moved(self) -> list[Change]:
        """Elements that are in another subgraph."""
    @property
    def reordered(self) -> list[Change]:
        """Elements that are at another place in their subgraph."""
    def partner(self, element: _Element) -> _Element | None:
        """The same element in the other dump; None if it was added or removed. Raises ValueError for an element of any
        other dump.
        """

def diff(a: Module, b: Module) -> Diff:
    """Compares two dumps, as docs/ir.md describes ("How graphs are compared"). Raises ValueError for actor sets."""

def load(path: _Path) -> Module:
    """Reads a dump. Raises OSError for a file that cannot be read, ValueError for one that is not a dump.

    Damage raises nothing: what is not understood is in Module.problems, everything else is there.
    """

def parse(dump: bytes) -> Module:
    """The same for the bytes of a dump; any bytes are allowed."""

def parse_graph(message: bytes) -> Module:
    """Reads the GraphProto of a graph event in MindSpore's summary file. Raises OSError for other bytes."""

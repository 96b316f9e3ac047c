"""The extension module of sightline.ir, which re-exports it."""

import os
from typing import Literal, TypeAlias

_Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]

class Type:
    """A type as a dump prints it, such as "<Ref[Tensor[Float32]], (3, 4), ref_key=f.weight, is_parameter>"."""

    @property
    def text(self) -> str:
        """As the dump prints it."""
    @property
    def name(self) -> str:
        """ "Ref[Tensor[Float32]]", "Int64", "Func"; empty where it is not known."""
    @property
    def element(self) -> str:
        """The element type of a tensor, of a reference to one, or of a number: "Float32". Empty for others."""
    @property
    def shape(self) -> tuple[int, ...] | None:
        """Sizes of a tensor; -1 for one that is not known, a single -2 for an unknown number of them. None for others."""
    @property
    def ref_key(self) -> str:
        """The parameter that a reference refers to; empty for others."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Location:
    """A place in the user's source."""

    @property
    def text(self) -> str:
        """As the dump prints it."""
    @property
    def path(self) -> str:
        """On the machine that compiled."""
    @property
    def first_line(self) -> int:
        """1-based."""
    @property
    def last_line(self) -> int:
        """1-based."""
    @property
    def columns(self) -> tuple[int, int] | None:
        """0-based, the end exclusive; None for a whole function."""
    @property
    def code(self) -> str:
        """The first line of the source, with its indentation."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Problem:
    """Something that the grammar of dumps does not explain, or a count that does not hold."""

    @property
    def line(self) -> int:
        """1-based, of the file."""
    @property
    def column(self) -> int:
        """1-based, in bytes."""
    @property
    def message(self) -> str:
        """What is wrong."""

class Parameter:
    """A parameter of a subgraph."""

    @property
    def name(self) -> str:
        """Without its number."""
    @property
    def number(self) -> int:
        """Of "%para3_x"; 0 for all of a subgraph in analyze_fail.ir."""
    @property
    def type(self) -> Type | None:
        """None if the dump has none."""
    @property
    def has_default(self) -> bool:
        """Whether it is a weight of the network with a value, no input."""
    @property
    def subgraph(self) -> Subgraph | None:
        """The subgraph that takes it."""
    @property
    def users(self) -> list[Node]:
        """The nodes that take its value or call it, each once."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Node:
    """A statement of a subgraph: what is called, with which inputs."""

    @property
    def name(self) -> str:
        """ "CNode_12"; several nodes may have it."""
    @property
    def number(self) -> int | None:
        """ "%3": its place in the subgraph; None for a Return."""
    @property
    def kind(self) -> Literal["return", "primitive", "meta", "call", "closure", "foreign", "parameter"]:
        """What is called: a primitive, a subgraph ("call"), or a value that is a function."""
    @property
    def operator(self) -> str:
        """The primitive's printed name, "Return", or a name for the kind of call; see Module.operators."""
    @property
    def callee(self) -> Node | Parameter | Subgraph | str | None:
        """What is called: the subgraph or value, a primitive's name, None if the dump does not have it."""
    @property
    def calls(self) -> list[Subgraph]:
        """The subgraphs that it may call."""
    @property
    def inputs(self) -> list[Node | Parameter | Subgraph | str | None]:
        """Where each operand comes from; the text of a constant, None if the dump does not have it."""
    @property
    def users(self) -> list[Node]:
        """The nodes that take its value or call it, each once."""
    @property
    def subgraph(self) -> Subgraph | None:
        """The subgraph that it is a statement of."""
    @property
    def attributes(self) -> dict[str, dict[str, str | None]]:
        """By group: {"primitive_attrs": {"group": "I64(1)"}}. The instance name is in the group ""."""
    @property
    def input_types(self) -> list[Type]:
        """One for each input; empty in dumps without types."""
    @property
    def output_types(self) -> list[Type]:
        """Of its result; empty in dumps without types."""
    @property
    def scope(self) -> str:
        """ "Default/network-WithLossCell/conv1-Conv2d"; empty where it is not known."""
    @property
    def name_in_scope(self) -> str:
        """ "Conv2D-op0"; empty in dumps that print the scope alone."""
    @property
    def locations(self) -> list[Location]:
        """The outermost call first, the node's own line last."""
    @property
    def line(self) -> int:
        """Of the file, 1-based."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Subgraph:
    """A function of the dump."""

    @property
    def name(self) -> str:
        """Several subgraphs may have it."""
    @property
    def instance(self) -> str:
        """The address that tells subgraphs of one name apart; empty where the dump has none."""
    @property
    def parent(self) -> Subgraph | None:
        """The subgraph whose values it may use."""
    @property
    def parameters(self) -> list[Parameter]:
        """In their order."""
    @property
    def nodes(self) -> list[Node]:
        """Its statements, in their order."""
    @property
    def attributes(self) -> dict[str, str | None]:
        """As the dump lists them above it."""
    @property
    def users(self) -> list[Node]:
        """The nodes that take it as input or may call it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Module:
    """A dump with its names resolved."""

    @property
    def form(self) -> Literal["graph", "failure", "actors", "actor sections"]:
        """ "failure" is analyze_fail.ir. Of actor sets nothing but problems and operators is here."""
    @property
    def entry(self) -> Subgraph | None:
        """The subgraph that is the whole."""
    @property
    def subgraphs(self) -> list[Subgraph]:
        """All, in the file's order."""
    @property
    def nodes(self) -> list[Node]:
        """Of all subgraphs, in the file's order."""
    @property
    def parameters(self) -> list[Parameter]:
        """Of the entry, as the header lists them."""
    @property
    def attributes(self) -> dict[str, str | None]:
        """Of the file."""
    @property
    def operators(self) -> dict[str, int]:
        """Nodes by what they call: a primitive's name, "Return", "call", "closure", "xclosure", "paramcall", "meta"."""
    @property
    def problems(self) -> list[Problem]:
        """The first 1,000."""
    @property
    def problem_count(self) -> int:
        """How many there are in all."""
    def to_bytes(self) -> bytes:
        """The dump as .ir text; of one that was read from such, its bytes."""
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

        operator: "MatMul" is also "PrimFunc_MatMul". attribute, value: a key, and the value of that key. scope: one that
        the node is in. parameter: a name that it takes. file, line: the end of a source path, and a line there.
        """

_Element: TypeAlias = Node | Parameter | Subgraph

class PropertyChange:
    """A property that is another one."""

    @property
    def name(self) -> str:
        """As `sightline ir diff` names it: "callee", "input", "type of result", "attribute"."""
    @property
    def key(self) -> str | None:
        """Of an attribute: "primitive_attrs.strides", of a subgraph's "less_bn". None for others."""
    @property
    def position(self) -> int:
        """Among those of its name and key, such as inputs; from 0."""
    @property
    def before(self) -> _Element | str | None:
        """The element of the first dump that it is, or a text without addresses; None if there was none."""
    @property
    def after(self) -> _Element | str | None:
        """The same of the second dump."""

class Change:
    """An element that is not the same in both dumps."""

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        """What became of the element."""
    @property
    def before(self) -> _Element | None:
        """In the first dump; None for an added one."""
    @property
    def after(self) -> _Element | None:
        """In the second dump; None for a removed one."""
    @property
    def ambiguous(self) -> bool:
        """Whether it might as well have been another element: nothing tells them apart."""
    @property
    def moved(self) -> bool:
        """Whether it stands in another subgraph."""
    @property
    def reordered(self) -> bool:
        """Whether it stands at another place of its subgraph."""
    @property
    def properties(self) -> list[PropertyChange]:
        """What changed. Empty for added and removed ones, and for those that moved only."""

class Diff:
    """What two dumps differ in; ids, addresses, scopes, source lines and the order of subgraphs are put aside."""

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
    @property
    def changes(self) -> list[Change]:
        """All: subgraphs, parameters, nodes."""
    @property
    def added(self) -> list[Change]:
        """Elements that only the second dump has."""
    @property
    def removed(self) -> list[Change]:
        """Elements that only the first dump has."""
    @property
    def changed(self) -> list[Change]:
        """Those with other properties. They may have moved too."""
    @property
    def moved(self) -> list[Change]:
        """Elements that stand in another subgraph."""
    @property
    def reordered(self) -> list[Change]:
        """Elements that stand at another place of their subgraph."""
    def partner(self, element: _Element) -> _Element | None:
        """The same element in the other dump; None for an added or removed one. ValueError for one of another dump."""

def diff(a: Module, b: Module) -> Diff:
    """Compares two dumps, as docs/ir.md says ("How graphs are compared"). Raises ValueError for actor sets."""

def load(path: _Path) -> Module:
    """Reads a dump. Raises OSError for a file that cannot be read, ValueError for one that is no dump.

    Damage raises nothing: what is not understood is in Module.problems, everything else is there.
    """

def parse(dump: bytes) -> Module:
    """The same of a dump's bytes, which may be anything."""

def parse_graph(message: bytes) -> Module:
    """The same of the GraphProto that a graph event of MindSpore's summary file holds. Raises OSError for other bytes."""

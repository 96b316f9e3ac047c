"""MindSpore's graph dumps (save_graphs) as Python objects.

    import sightline.ir

    dump = sightline.ir.load("graphs/20_validate_0074.ir")
    for node in dump.find(operator="MatMul", scope="Default/*/attention*"):
        print(node.name, node.output_types[0].shape, node.locations[-1].path)

    for change in sightline.ir.diff(dump, sightline.ir.load("graphs/22_task_emit_0086.ir")).changes:
        print(change)

`load` reads what `sightline ir` reads: .ir of MindSpore 2, .dot, .pb, compressed dumps, and the first graph
of a summary file. The words are those of docs/ir.md. Objects are views of their dump and keep it alive;
two are equal when they are the same element of the same dump. Texts that are no UTF-8 are decoded with
"surrogateescape". Thread rule: immutable; any thread.
"""

from sightline._ir import (
    Change,
    Diff,
    Location,
    Module,
    Node,
    Parameter,
    Problem,
    PropertyChange,
    Subgraph,
    Type,
    diff,
    load,
    parse,
)

__all__ = [
    "Change",
    "Diff",
    "Location",
    "Module",
    "Node",
    "Parameter",
    "Problem",
    "PropertyChange",
    "Subgraph",
    "Type",
    "diff",
    "load",
    "parse",
]

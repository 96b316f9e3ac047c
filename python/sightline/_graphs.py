"""Converts models of PyTorch and ONNX to events with a graph that TensorBoard draws."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from sightline import _core

# Name, operation, inputs, shape of the output if it is known, attributes.
_Node: TypeAlias = tuple[str, str, Sequence[str], Sequence[int] | None, str]


def of_torch(model: Any, inputs: Any, verbose: bool, strict: bool) -> bytes:
    """The graph that torch.jit.trace records of the model in evaluation mode, called with the inputs.

    A node is an operation's output, named by the modules around it: Net/Linear[fc1]/12. Raises what tracing raises.
    """
    import torch

    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"a model is a torch.nn.Module, not {type(model).__name__}")
    if inputs is None:
        raise ValueError("input_to_model is None, but the model is called with it")
    with _evaluating(model):
        trace = torch.jit.trace(model, inputs, strict=strict)
    if verbose:
        print(trace.inlined_graph)
    return _core._graph_event(_torch_nodes(trace))


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def _torch_nodes(trace: Any) -> Iterator[_Node]:
    graph = trace.inlined_graph
    names: dict[str, str] = {}  # Names of nodes, by the value that they make.
    scopes = _Scopes(trace)
    for value in graph.inputs():
        if _is_module(value) or not value.uses():
            continue
        names[value.debugName()] = name = "input/" + value.debugName()
        yield name, "IO Node", [], _sizes(value), ""
    for node in graph.nodes():
        scope = scopes.of(node)
        inputs = [names[value.debugName()] for value in node.inputs() if value.debugName() in names]
        attributes = str(
            {key: getattr(node, node.kindOf(key))(key) for key in node.attributeNames()}
        )
        for value in node.outputs():
            if _is_module(value):
                continue  # A module, which is in the scopes.
            names[value.debugName()] = name = f"{scope}/{value.debugName()}"
            yield name, node.kind(), inputs, _sizes(value), attributes.replace("'", " ")
    for i, value in enumerate(graph.outputs()):
        inputs = [names[value.debugName()]] if value.debugName() in names else []
        yield f"output/output.{i + 1}", "IO Node", inputs, _sizes(value), ""


class _Scopes:
    """The modules around the nodes of a trace, as Net/Linear[fc1]."""

    def __init__(self, trace: Any) -> None:
        self._top = trace.original_name
        self._names = {
            path: f"{module.original_name}[{path.split('.')[-1]}]"
            for path, module in trace.named_modules(prefix="__module")
        }
        self._attributes: dict[str, str] = {}  # The origin of each value of prim::GetAttr.

    def of(self, node: Any) -> str:
        scope = node.scopeName()
        if node.kind() == "prim::GetAttr":
            owner = self._attributes.get(node.input().debugName(), "")
            path = f"{owner.split('/')[-1] or '__module'}.{node.s('name')}"
            scope = f"{owner}/{path}" if owner else path
            self._attributes[node.output().debugName()] = scope
        parts = [self._names.get(part, part.split(".")[-1]) for part in scope.split("/") if part]
        return "/".join([self._top, *parts])


def _is_module(value: Any) -> bool:
    return bool(value.type().kind() == "ClassType")


def _sizes(value: Any) -> Sequence[int] | None:
    return value.type().sizes() if value.isCompleteTensor() else None


def of_onnx(path: str) -> bytes:
    """The graph of an ONNX file. Needs the package onnx."""
    import onnx

    return _core._graph_event(_onnx_nodes(onnx.load(path).graph))


def _onnx_nodes(graph: Any) -> Iterator[_Node]:
    names: dict[str, str] = {}

    def sizes(value: Any) -> list[int]:
        return [dimension.dim_value for dimension in value.type.tensor_type.shape.dim]

    for value in graph.input:
        names[value.name] = name = "input/" + value.name
        yield name, "IO Node", [], sizes(value), ""
    for node in graph.node:
        for output in node.output:
            names[output] = node.output[0]
        attributes = ", ".join(f"{one.name} = {_onnx_attribute(one)}" for one in node.attribute)
        inputs = [names[one] for one in node.input if one in names]
        yield node.output[0], node.op_type, inputs, None, attributes
    for value in graph.output:
        inputs = [names[value.name]] if value.name in names else []
        yield "output/" + value.name, "IO Node", inputs, sizes(value), ""


def _onnx_attribute(attribute: Any) -> str:
    import onnx

    return str(onnx.helper.get_attribute_value(attribute))

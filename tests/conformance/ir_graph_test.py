"""A graph dump as `sightline ir dot --graphdef` writes it, read by the `tensorboard` package."""

import json
import subprocess
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.graph_pb2 import GraphDef

CORPUS = Path(__file__).parent.parent / "corpus" / "ir"


@pytest.fixture(
    params=[
        "html/20_validate_0542.ir",
        "control_flow_grad/01_type_inference_0001.ir",
        "transformer_level1/20_validate_0074.ir",
    ]
)
def dump(request: pytest.FixtureRequest) -> Path:
    return CORPUS / request.param


def graph_of(build: Path, directory: Path, dump: Path) -> GraphDef:
    program = build / "tools" / "sightline"
    subprocess.run([program, "ir", "dot", "--graphdef", "-o", directory, dump], check=True)
    accumulator = EventAccumulator(str(directory)).Reload()
    return GraphDef.FromString(accumulator.Graph().SerializeToString())


def test_every_statement_is_a_node_and_every_edge_leads_to_one(
    build: Path, tmp_path: Path, dump: Path
):
    program = build / "tools" / "sightline"
    info = json.loads(
        subprocess.run(
            [program, "ir", "info", "--json", dump], check=True, stdout=subprocess.PIPE
        ).stdout
    )
    graph = graph_of(build, tmp_path, dump)
    names = [node.name for node in graph.node]
    assert len(names) == len(set(names))
    assert sum(node.op != "Parameter" for node in graph.node) == info["statements"]
    assert {edge.lstrip("^") for node in graph.node for edge in node.input} <= set(names)


def test_operators_stand_in_their_scopes_with_their_shapes(build: Path, tmp_path: Path):
    graph = graph_of(build, tmp_path, CORPUS / "transformer_level1/20_validate_0074.ir")
    (matmul, *_) = [
        node for node in graph.node if node.op == "MatMul" and "0-Block/q-Dense" in node.name
    ]
    assert matmul.name.startswith(
        "Default/network-WithLoss/net-Transformer/blocks-CellList/0-Block/q-Dense/"
    )
    (shape,) = matmul.attr["_output_shapes"].list.shape
    assert [dim.size for dim in shape.dim] == [32, 16]

"""sightline.ir: dumps of the corpus as Python objects, held against counts.json and the text itself."""

import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sightline import ir

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "ir"
COUNTS = json.loads((CORPUS / "counts.json").read_text())
MLP = CORPUS / "mlp_level1" / "20_validate_0074.ir"


@pytest.fixture(scope="module")
def mlp():
    return ir.load(MLP)


def candidate_lines(text):
    """Source lines that a note below a statement introduces: they are of other nodes."""
    count, of_others = 0, False
    for line in text.split("\n"):
        if re.match(r"\s*(%\d+\(|Return\(|})", line):
            of_others = False
        elif re.search(r"# ?Corresponding .* candidate:", line):
            of_others = True
        elif of_others and re.search(r"# ?(inlined:)?In file ", line):
            count += 1
    return count


@pytest.mark.parametrize("name", COUNTS)
def test_every_dump_has_what_an_independent_parser_counted(name):
    path = CORPUS / name
    dump = ir.load(path)
    expected = COUNTS[name]
    assert len(dump.subgraphs) == expected["subgraphs"]
    assert len(dump.parameters) == expected["params"]
    assert len(dump.nodes) == expected["statements"]
    others = candidate_lines(path.read_text(errors="replace"))
    assert sum(len(node.locations) for node in dump.nodes) == expected["location_lines"] - others
    assert dump.operators == expected["ops"]
    assert dump.problem_count == len(dump.problems) == 0
    assert dump.to_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", COUNTS)
def test_inputs_and_users_are_two_sides_of_one_thing(name):
    dump = ir.load(CORPUS / name)
    for node in dump.nodes:
        for source in (*node.inputs, node.callee):
            assert source is not None
            if isinstance(source, (ir.Node, ir.Parameter)):
                assert node in source.users
        for user in node.users:
            assert node in user.inputs or node == user.callee


def test_every_object_says_at_the_prompt_what_it_is(mlp):
    entry = mlp.subgraphs[0]
    assert repr(mlp) == f"Module(subgraphs={len(mlp.subgraphs)}, nodes={len(mlp.nodes)})"
    assert repr(entry) == f"Subgraph({entry.name})"
    assert repr(mlp.parameters[0]) == f"Parameter({mlp.parameters[0].name})"
    node = next(node for node in mlp.nodes if node.locations)
    assert repr(node) == f"Node({node.name} = {node.operator})"
    assert repr(node.output_types[0]) == f"Type({node.output_types[0]})"
    assert repr(node.locations[0]) == f"Location({node.locations[0]})"
    (problem,) = ir.parse(b"subgraph @g() {\n  ?\n}\n").problems
    assert (
        repr(problem) == f"Problem(line {problem.line}, column {problem.column}: {problem.message})"
    )


def test_a_node_says_what_its_lines_say(mlp):
    text = MLP.read_text().splitlines()
    for node in mlp.nodes:
        head = text[node.line - 1]
        assert head.startswith(
            "  Return(" if node.number is None else f"  %{node.number}({node.name}) = "
        )
        types = text[node.line]
        assert types.startswith("      : (")
        for type_ in (*node.input_types, *node.output_types):
            assert str(type_) in types
        below = iter(text[node.line + 1 :])
        assert all(
            any(line == f"      # {location}" for line in below) for location in node.locations
        )


def test_the_inputs_of_a_product_are_what_is_multiplied(mlp):
    product = mlp.find(operator="MatMul")[0]
    assert (product.kind, product.operator) == ("primitive", "PrimFunc_MatMul")
    assert product.callee == "PrimFunc_MatMul"
    weight = next(each for each in product.inputs if isinstance(each, (ir.Node, ir.Parameter)))
    assert product in weight.users
    assert all(
        type_.element == "Float32" and len(type_.shape) == 2 for type_ in product.output_types
    )
    assert product.scope.startswith("Default/")
    assert product.name_in_scope.startswith("MatMul-op")
    assert product.locations[-1].first_line > 0
    assert product.locations[-1].path.endswith(".py")


def test_attributes_are_grouped(mlp):
    groups = [node.attributes for node in mlp.nodes if node.attributes]
    assert groups
    assert all(
        isinstance(value, (str, type(None)))
        for group in groups
        for each in group.values()
        for value in each.values()
    )


def test_the_entry_is_the_subgraph_that_the_header_names(mlp):
    assert f"# IR entry: @{mlp.entry.name}\n" in MLP.read_text()
    assert mlp.entry in mlp.subgraphs
    assert mlp.entry.parameters == mlp.parameters
    assert all(node.subgraph == mlp.entry for node in mlp.entry.nodes)
    assert mlp.entry.nodes[-1].kind == "return"


def test_calls_lead_from_subgraph_to_subgraph():
    dump = ir.load(CORPUS / "control_flow_grad" / "01_type_inference_0001.ir")
    called = {each.name for node in dump.nodes for each in node.calls}
    assert called <= {each.name for each in dump.subgraphs}
    for subgraph in dump.subgraphs:
        for user in subgraph.users:
            assert subgraph in user.calls or subgraph in user.inputs
    assert any(each.parent is not None for each in dump.subgraphs)


def test_find_takes_every_condition_that_the_program_takes(mlp):
    some = mlp.find(operator="MatMul")[0]
    place = some.locations[-1]
    assert some in mlp.find(name=some.name)
    assert some in mlp.find(scope=some.scope)
    assert some in mlp.find(file=Path(place.path).name, line=place.first_line)
    assert some in mlp.find(subgraph=some.subgraph.name, operator="Mat*")
    assert mlp.find(operator="MatMul", name="nothing") == []
    key = next(key for node in mlp.nodes for group in node.attributes.values() for key in group)
    assert mlp.find(attribute=key)


def test_elements_are_equal_by_what_they_are(mlp):
    first, same, other = mlp.nodes[0], mlp.nodes[0], ir.load(MLP).nodes[0]
    assert first == same
    assert len({first, same}) == 1
    assert first != other
    assert first != mlp.nodes[1]
    assert first != "a node"
    assert mlp.nodes[0].input_types == other.input_types


def test_an_element_keeps_its_dump_alive():
    node = ir.load(MLP).nodes[-1]
    assert node.subgraph.nodes[-1] == node


def counts(diff):
    return [
        len(each) for each in (diff.added, diff.removed, diff.changed, diff.moved, diff.reordered)
    ]


def test_a_dump_and_itself_have_no_diff(mlp):
    same = ir.diff(mlp, ir.load(MLP))
    assert same.equal
    assert same.changes == []
    assert counts(same) == [0, 0, 0, 0, 0]


def test_a_diff_says_what_was_added_removed_changed_and_moved():
    folder = CORPUS / "mlp_level3"
    before = ir.load(folder / "opt_substep_opt_a_r1_j0_1_switch_simplify_0036.ir")
    after = ir.load(folder / "opt_substep_opt_a_r1_j0_3_a_1_0040.ir")
    diff = ir.diff(before, after)
    assert not diff.equal
    assert all(each.kind == "removed" and each.after is None for each in diff.removed)
    assert {type(each.before) for each in diff.removed} == {ir.Node, ir.Parameter, ir.Subgraph}
    assert diff.moved
    for change in diff.moved:
        assert change.kind == "changed"
        assert change.before.operator == change.after.operator
        assert change.before in before.nodes
        assert change.after in after.nodes
        assert diff.partner(change.before.subgraph) != change.after.subgraph
    backwards = ir.diff(after, before)
    assert counts(backwards)[:2] == counts(diff)[1::-1]
    assert all(
        each.before is None and each.after in before.nodes
        for each in backwards.added
        if isinstance(each.after, ir.Node)
    )


def test_a_diff_says_which_property_changed(mlp):
    text = MLP.read_bytes()
    relu = mlp.find(operator="ReLU")[0]
    diff = ir.diff(mlp, ir.parse(text.replace(b"PrimFunc_ReLU(", b"PrimFunc_GeLU(")))
    (change,) = diff.changes
    assert (change.kind, change.before, change.after.operator) == ("changed", relu, "PrimFunc_GeLU")
    assert not (change.ambiguous or change.moved or change.reordered)
    (prop,) = change.properties
    assert (prop.name, prop.key, prop.position) == ("callee", None, 0)
    assert (prop.before, prop.after) == ("PrimFunc_ReLU", "PrimFunc_GeLU")
    assert [each.before for each in diff.changed] == [relu]
    assert repr(change).startswith("Change(changed Node(")


def test_an_input_that_changed_is_of_its_own_dump(mlp):
    number, name = mlp.entry.nodes[-1].inputs[0].number, mlp.entry.nodes[-1].inputs[0].name
    text = MLP.read_text()
    other = ir.parse(text.replace(f"Return(%{number})", f"Return(%{number - 1})").encode())
    change = next(each for each in ir.diff(mlp, other).changes if each.before.kind == "return")
    (prop,) = change.properties
    assert (prop.name, prop.position) == ("input", 0)
    assert prop.before.name == name
    assert prop.before in mlp.nodes
    assert prop.after in other.nodes
    assert prop.after.number == number - 1


TWINS = """# IR entry: @f

# Params:
%para1_x: <null>

subgraph @f() {{
{statements}  Return(%{last})
}}
"""


def twins(length, first_id):
    statements = [f"  %{i}(CNode_{first_id + i}) = ReLU(%para1_x)\n" for i in range(length)]
    return ir.parse(TWINS.format(statements="".join(statements), last=length - 1).encode())


def test_one_of_several_equal_nodes_is_ambiguous():
    (removed,) = ir.diff(twins(4, 10), twins(3, 70)).removed
    assert removed.ambiguous
    assert "ambiguous" in repr(removed)
    (added,) = ir.diff(twins(3, 70), twins(4, 10)).added
    assert added.ambiguous


def test_partners_are_the_same_element(mlp):
    other = ir.load(MLP)
    diff = ir.diff(mlp, other)
    for mine, its in (
        (mlp.nodes, other.nodes),
        (mlp.subgraphs, other.subgraphs),
        (mlp.parameters, other.parameters),
    ):
        assert [diff.partner(each) for each in mine] == its
        assert [diff.partner(each) for each in its] == mine
    short = twins(3, 70)
    longer = ir.diff(twins(4, 10), short)
    assert longer.partner(longer.removed[0].before) is None
    with pytest.raises(ValueError, match="neither dump"):
        longer.partner(mlp.nodes[0])


def test_a_diff_keeps_its_dumps_alive():
    change = ir.diff(twins(4, 10), twins(3, 70)).removed[0]
    assert change.before.subgraph.name == "f"


def test_actor_sets_have_no_diff_here(mlp):
    actors = ir.load(CORPUS / "mlp_level1" / "actor_set" / "final_actor_set_kernel_graph_0.ir")
    for a, b in ((actors, actors), (mlp, actors), (actors, mlp)):
        with pytest.raises(ValueError, match="actor set"):
            ir.diff(a, b)


def test_dot_and_pb_are_read(tmp_path):
    others = [path for path in CORPUS.rglob("*") if path.suffix in (".dot", ".pb")]
    assert {path.suffix for path in others} == {".dot", ".pb"}
    for path in others:
        assert ir.load(path).nodes


def test_the_graph_of_a_compile_error_is_read():
    dump = ir.load(next(CORPUS.rglob("analyze_fail.ir")))
    assert dump.form == "failure"
    assert len(dump.subgraphs) == 5
    assert len({each.name for each in dump.subgraphs}) == 4


def test_damage_is_named_and_the_rest_is_there():
    text = MLP.read_bytes()
    at = text.index(b"  %1(")
    dump = ir.parse(text[:at] + b"  %1 is \xff missing\n" + text[text.index(b"\n", at) + 1 :])
    problem = dump.problems[0]
    assert (problem.line, problem.column) == (text[:at].count(b"\n") + 1, 1)
    assert problem.message
    assert len(dump.nodes) == len(ir.load(MLP).nodes) - 1


def test_text_that_is_no_utf8_comes_through():
    dump = ir.parse(MLP.read_bytes().replace(b"Default/", b"D\xff\xe9fault/"))
    scopes = {node.scope for node in dump.nodes}
    assert any(
        scope.encode("utf-8", "surrogateescape").startswith(b"D\xff\xe9fault/") for scope in scopes
    )


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x00" * 100])
def test_what_is_no_dump_is_a_value_error(tmp_path, content):
    path = tmp_path / "x.ir"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a dump"):
        ir.load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.ir"):
        ir.load(tmp_path / "missing.ir")


def test_a_folder_is_no_dump(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        ir.load(tmp_path)


def test_a_path_is_text_bytes_or_path_like():
    assert ir.load(str(MLP)).operators == ir.load(bytes(MLP)).operators == ir.load(MLP).operators
    with pytest.raises(TypeError):
        ir.load(1)


def test_threads_read_one_dump(mlp):
    found = []

    def read():
        found.append(sum(len(node.users) for node in mlp.nodes))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_recording_does_not_load_it():
    code = "import sys, sightline; sys.exit('sightline._ir' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

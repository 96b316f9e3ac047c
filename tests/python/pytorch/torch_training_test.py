"""A PyTorch training loop with sightline.torch.SummaryWriter, run by a Python that has PyTorch (--torch-python), read
back by the real tensorboard here. Without --torch-python conftest.py leaves this file out."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboard
from docs_test import scripts
from google.protobuf import text_format
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.util.tensor_util import make_ndarray

TRAIN = """
import json, sys, warnings
{imports}
from sightline.torch import SummaryWriter

torch.manual_seed(1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.randn(64, 4)
target = data @ torch.tensor([[1.0], [-2.0], [3.0], [0.5]])
losses = []
warnings.filterwarnings("error", message="Converting a tensor with requires_grad")
with SummaryWriter(sys.argv[1]) as writer:
    for step in range(20):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(data), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        writer.add_scalar("loss", loss, step)  # A tensor with a gradient.
        writer.add_histogram("weight", model.weight, step)
    writer.add_histogram("gradient", model.weight.grad.t(), step)  # Not contiguous.
    writer.add_tensor("half", torch.arange(4).half(), step)
    writer.add_tensor("brain", torch.arange(4).bfloat16(), step)
    writer.add_tensor("bool", torch.arange(4) > 1, step)
    writer.add_image("picture", torch.rand(3, 4, 5), step)
    writer.add_hparams({"rate": loss}, {"loss": loss}, run_name="row")
    stats = writer.recorder.stats
    assert stats.first_error is None, stats.first_error
with sightline.SummaryMonitor(sys.argv[1] + "_monitor", collect_freq=1, say=lambda line: None) as monitor:
    monitor.end_step(1, loss, learning_rate=loss, scalars={"loss": loss}, parameters=model.named_parameters())
    monitor.log({"logged": loss}, 1)
    monitor.recorder.add_scalar("own", 1, loss)
    assert monitor.stats.first_error is None, monitor.stats.first_error
print(json.dumps(losses))
"""

# The same calls of both writers. A bool hyper-parameter is a number in PyTorch's files, and a truth value in ours.
CALLS = """
import sys
sys.path.append(sys.argv[3])  # tensorboard, behind this Python's own packages.
import numpy as np
import torch
import sightline.torch
import torch.utils.tensorboard

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.Dropout())
        self.head = torch.nn.Linear(2 * 6 * 6, 3)
        self.register_buffer("scale", torch.ones(3))

    def forward(self, pictures, bias):
        return self.head(self.features(pictures).flatten(1)) * self.scale + bias

torch.manual_seed(1)
model = Net()
random = np.random.default_rng(1)
for writer in (torch.utils.tensorboard.SummaryWriter(sys.argv[1]), sightline.torch.SummaryWriter(sys.argv[2])):
    writer.add_text("note", "**text**", 1, walltime=5.5)
    writer.add_scalar("new", 0.1, 1, new_style=True)
    writer.add_scalar("double", 0.1, 1, new_style=True, double_precision=True)
    labels, predictions = torch.arange(50) % 3 == 1, torch.linspace(0, 1, 50)
    writer.add_pr_curve("curve", labels.float(), predictions, 2, num_thresholds=20)
    writer.add_pr_curve_raw("raw curve", *np.arange(18.0).reshape(6, 3), global_step=2, num_thresholds=3)
    writer.add_mesh("mesh", torch.ones(1, 4, 3), torch.full((1, 4, 3), 9), torch.zeros(1, 2, 3), {"a": [1]}, 3)
    writer.add_custom_scalars({"c": {"m": ["Multiline", ["a", "b"]], "n": ["Margin", ["a", "b", "c"]]}})
    writer.add_histogram_raw("h", 0, 3, 6, 9.5, 20, [1, 2, 3], [1, 2, 3], 4)
    writer.add_audio("beep", torch.sin(torch.arange(100) / 10)[None], 5, sample_rate=8000)
    writer.add_hparams({"rate": 0.5, "name": "adam", "n": 3, "no": None}, {"acc": 1.0}, {"name": ["adam", "sgd"]}, "trial")
    writer.add_graph(model, (torch.zeros(1, 1, 8, 8), torch.zeros(3)))
    assert model.training
    writer.add_embedding(torch.eye(3), ["a", "b", "c"], torch.rand(3, 3, 4, 4), 7, "all/of it")
    writer.close()
"""

SIGNATURES = """
import ast, inspect, pathlib
import torch
from sightline.torch import SummaryWriter
source = pathlib.Path(torch.__file__).parent / "utils" / "tensorboard" / "writer.py"
(peer,) = (node for node in ast.parse(source.read_text()).body if getattr(node, "name", "") == "SummaryWriter")
for method in peer.body:
    if not isinstance(method, ast.FunctionDef) or (method.name.startswith("_") and method.name != "__init__"):
        continue
    ours = list(inspect.signature(getattr(SummaryWriter, method.name)).parameters.values())
    theirs = [argument.arg for argument in method.args.args]
    assert [parameter.name for parameter in ours][: len(theirs)] == theirs, method.name  # Newer versions have more.
"""


@pytest.mark.parametrize(
    "imports",
    ["import sightline\nimport torch", "import torch\nimport sightline"],
    ids=["first", "last"],
)
def test_a_training_loop_is_recorded_with_sightline_imported(
    torch_python, run_script, tmp_path, imports
):
    done = run_script(TRAIN.replace("{imports}", imports), tmp_path / "run", python=torch_python)
    run = EventAccumulator(
        str(tmp_path / "run"), size_guidance={"scalars": 0, "histograms": 0, "tensors": 0}
    ).Reload()
    losses = json.loads(done.stdout)
    np.testing.assert_allclose([event.value for event in run.Scalars("loss")], losses, rtol=1e-6)
    assert len(losses) == 20 and losses[-1] < losses[0]
    assert [event.histogram_value.num for event in run.Histograms("weight")] == [4] * 20
    assert run.Histograms("gradient")[0].histogram_value.num == 4
    assert {"half", "brain", "bool"} <= set(run.Tags()["tensors"])
    assert run.Tags()["images"] == ["picture"]


def recorded(directory: Path) -> dict[tuple, object]:
    """What a run's files say: (run, step, tag, plugin, its content) -> the value."""
    found = {}
    for file in sorted(directory.rglob("*tfevents*")):
        for event in map(Event.FromString, RawEventFileLoader(str(file)).Load()):
            for value in event.summary.value:
                plugin = value.metadata.plugin_data
                key = (
                    file.parent.relative_to(directory),
                    event.step,
                    value.tag,
                    plugin.plugin_name,
                    comparable(plugin),
                )
                found[key] = content(value)
    return found


def comparable(plugin: Any) -> Any:
    """Of hparams the message, since a map has no order."""
    return (
        str(HParamsPluginData.FromString(plugin.content))
        if plugin.plugin_name == "hparams"
        else plugin.content
    )


def content(value: Any) -> Any:
    if not value.HasField("tensor"):
        return value.WhichOneof("value") and getattr(value, value.WhichOneof("value"))
    array = make_ndarray(value.tensor)
    if array.dtype == object:
        return array.tolist()
    return array.dtype.name, array.shape, array.astype(float).round(5).tolist()


def graph_of(directory: Path) -> list[tuple]:
    """(name, operation, inputs that are nodes, what else is said) of each node; values without a name have numbers,
    which tracing draws anew."""
    (encoded,) = (
        event.graph_def
        for file in directory.glob("*tfevents*")
        for event in map(Event.FromString, RawEventFileLoader(str(file)).Load())
        if event.graph_def
    )
    graph = GraphDef.FromString(encoded)
    names = {node.name: re.sub(r"/\d+$", "/#", node.name) for node in graph.node}
    return sorted(
        (names[node.name], node.op, [names[name] for name in node.input if name in names],
         str(node.attr["attr"]), str(node.attr["_output_shapes"]))
        for node in graph.node
    )  # fmt: skip


@pytest.fixture
def both_writers(torch_python, run_script, tmp_path):
    """The same calls, recorded by PyTorch's writer and by ours."""
    packages = str(Path(tensorboard.__file__).parents[1])
    run_script(CALLS, tmp_path / "theirs", tmp_path / "ours", packages, python=torch_python)
    return tmp_path / "theirs", tmp_path / "ours"


def test_pytorchs_writer_and_ours_say_the_same(both_writers):
    theirs, ours = map(recorded, both_writers)
    assert len(theirs) == 15
    assert set(ours) == set(theirs)
    for key, value in theirs.items():
        assert ours[key] == value, key
    theirs, ours = map(graph_of, both_writers)
    assert "Net/Sequential[features]/Conv2d[0]/weight/weight" in str(ours)
    assert ours == theirs


def test_the_projectors_files_are_pytorchs(both_writers):
    theirs, ours = both_writers
    for name in ("tensors.tsv", "metadata.tsv"):
        (path,) = theirs.rglob(name)
        assert (ours / path.relative_to(theirs)).read_text() == path.read_text()
    configs = (
        text_format.Parse((run / "projector_config.pbtxt").read_text(), ProjectorConfig())
        for run in both_writers
    )
    assert next(configs) == next(configs)


def test_every_public_method_has_the_parameters_of_pytorchs(torch_python, run_script):
    run_script(SIGNATURES, python=torch_python)


def test_the_script_of_the_page_trains_and_records(torch_python, run_script, tmp_path, monkeypatch):
    (script,) = scripts("run with torch")
    monkeypatch.chdir(tmp_path)
    run_script(script, python=torch_python)
    run = EventAccumulator(str(tmp_path / "run_torch"), size_guidance={"scalars": 0}).Reload()
    losses = [event.value for event in run.Scalars("loss")]
    assert len(losses) == 100 and losses[-1] < losses[0]
    assert set(run.Tags()["histograms"]) == {"weight", "bias"}


def test_a_graph_needs_a_module_and_what_it_is_called_with(torch_python, run_script, tmp_path):
    run_script(
        """
        import sys, torch
        from sightline.torch import SummaryWriter

        with SummaryWriter(sys.argv[1]) as writer:
            for arguments, wrong in ((("net", torch.ones(2)), "not str"), ((torch.nn.Linear(2, 2),), "input_to_model is None")):
                try:
                    writer.add_graph(*arguments)
                    raise AssertionError(arguments)
                except (TypeError, ValueError) as error:
                    assert wrong in str(error), error
        """,
        tmp_path,
        python=torch_python,
    )

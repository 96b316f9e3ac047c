"""A PyTorch training loop with sightline.torch.SummaryWriter, run by a Python that has PyTorch (--torch-python), read
back by the real tensorboard here. Without --torch-python conftest.py leaves this file out."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

TRAIN = """
import json, sys
{imports}
from sightline.torch import SummaryWriter

torch.manual_seed(1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.randn(64, 4)
target = data @ torch.tensor([[1.0], [-2.0], [3.0], [0.5]])
losses = []
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
    stats = writer.recorder.stats
    assert stats.first_error is None, stats.first_error
print(json.dumps(losses))
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
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in ours):
        continue  # Refuses every call.
    assert [parameter.name for parameter in ours] == [argument.arg for argument in method.args.args], method.name
"""


@pytest.mark.parametrize("imports", ["import sightline\nimport torch", "import torch\nimport sightline"], ids=["first", "last"])
def test_a_training_loop_is_recorded_with_sightline_imported(torch_python, run_script, tmp_path, imports):
    done = run_script(TRAIN.replace("{imports}", imports), tmp_path / "run", python=torch_python)
    run = EventAccumulator(str(tmp_path / "run"), size_guidance={"scalars": 0, "histograms": 0, "tensors": 0}).Reload()
    losses = json.loads(done.stdout)
    np.testing.assert_allclose([event.value for event in run.Scalars("loss")], losses, rtol=1e-6)
    assert len(losses) == 20 and losses[-1] < losses[0]
    assert [event.histogram_value.num for event in run.Histograms("weight")] == [4] * 20
    assert run.Histograms("gradient")[0].histogram_value.num == 4
    assert {"half", "brain", "bool"} <= set(run.Tags()["tensors"])
    assert run.Tags()["images"] == ["picture"]


def test_every_public_method_has_the_parameters_of_pytorchs(torch_python, run_script):
    run_script(SIGNATURES, python=torch_python)


def test_the_script_of_the_page_trains_and_records(torch_python, run_script, tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
    (script,) = re.findall(r"<!-- run with torch -->\n```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    run_script(script, python=torch_python)
    run = EventAccumulator(str(tmp_path / "run_torch"), size_guidance={"scalars": 0}).Reload()
    losses = [event.value for event in run.Scalars("loss")]
    assert len(losses) == 100 and losses[-1] < losses[0]
    assert set(run.Tags()["histograms"]) == {"weight", "bias"}

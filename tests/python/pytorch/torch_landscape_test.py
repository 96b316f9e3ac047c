"""sightline.landscape with a PyTorch module, run by a Python that has PyTorch (--torch-python); see conftest.py."""

import json
import re
import subprocess
from pathlib import Path

import pytest

TRAIN = """
import json, sys
from concurrent.futures import ProcessPoolExecutor
import numpy as np
import torch
import sightline
from sightline import landscape

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = torch.nn.Linear(4, 8)
        self.norm = torch.nn.BatchNorm1d(8)
        self.dropout = torch.nn.Dropout(0.5)
        self.fc2 = torch.nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(self.dropout(torch.relu(self.norm(self.fc1(x)))))

def measured(outputs, targets):
    return torch.nn.functional.cross_entropy(outputs, targets), (outputs.argmax(1) == targets).float().mean()

if __name__ == "__main__":
    run = sys.argv[1]
    torch.manual_seed(1)
    model = Net()
    data, target = torch.randn(40, 4), torch.randint(0, 3, (40,))
    batches = [(data[i : i + 16], target[i : i + 16]) for i in range(0, 40, 16)]  # The last one is smaller.
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = {"landscape_size": 4, "unit": "epoch", "num_samples": 40, "intervals": [[1, 2, 3]]}
    monitor = sightline.SummaryMonitor(
        run,
        collect_specified_data={"collect_landscape": options},
        save_checkpoint=lambda path: landscape.save_module(model, path),
    )
    with monitor:
        monitor.begin(epochs=3, steps_per_epoch=3, network="Net")
        for step in range(1, 10):
            inputs, targets = batches[(step - 1) % 3]
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(inputs), targets)
            loss.backward()
            optimizer.step()
            monitor.end_step(step, loss=loss.item())
    trained = {name: value.clone() for name, value in model.state_dict().items()}
    for train in (False, True):
        torch.manual_seed(3)  # Another one than the points'.
        loss = landscape.of_module(model, measured, batches, train=train, seed=7)
        alone = landscape.generate(run, loss, output=f"{run}_alone_{train}", result=True)
        with ProcessPoolExecutor(2) as executor:
            spread = landscape.generate(run, loss, executor=executor, output=f"{run}_spread_{train}", result=True)
        model.load_state_dict(trained)
        torch.manual_seed(7)
        model.train(train)
        with torch.no_grad():
            of_batches = [[float(value) for value in measured(model(x), y)] for x, y in batches]
        print(json.dumps({
            "same": [bool((a.metrics == b.metrics).all()) for a, b in zip(alone, spread)],
            "tags": [made.tag for made in spread],
            "range": float(np.ptp(spread[0].z)),
            "shape": spread[0].metrics.shape,
            "last": spread[0].path.z[-1],
            "expected": np.average(of_batches, axis=0, weights=[16, 16, 8])[0],
        }))
"""


def test_dropout_and_batch_norm_are_the_same_at_every_point(torch_python, run_script, tmp_path):
    lines = [
        json.loads(line)
        for line in run_script(TRAIN, tmp_path / "run", python=torch_python).stdout.splitlines()
    ]
    for done in lines:  # In eval mode, then in training mode.
        # In whatever order and process: neither dropout nor the buffers depend on the points before.
        assert done["same"] == [True, True]
        assert done["tags"] == ["landscape_[1, 3]", "landscape_[3]"]
        assert done["shape"] == [4, 4, 2]
        assert done["range"] > 0
        # The last checkpoint's loss is the bare module's, with its own buffers and the same generator.
        assert abs(done["last"] - done["expected"]) < 1e-6
    assert len(lines) == 2 and lines[0]["last"] != lines[1]["last"]


PARALLEL = """
from concurrent.futures import ProcessPoolExecutor
import sys
import torch
from sightline import landscape

def loss(parameters):
    return float(torch.ones(1_000_000).sum())  # By several threads where there are several processors.

if __name__ == "__main__":
    loss({})
    with ProcessPoolExecutor(2, torch.multiprocessing.get_context("fork")) as executor:
        for made in landscape.generate(sys.argv[1], loss, executor=executor):
            print(made.z.min() == made.z.max() == 1_000_000)
"""


def test_forked_processes_compute_in_parallel_after_their_parent_did(
    torch_python, run_script, tmp_path
):
    run_script(SAVE, tmp_path / "run", python=torch_python)
    assert run_script(PARALLEL, tmp_path / "run", python=torch_python).stdout == "True\n"


REFUSED = """
import numpy as np
import torch
from sightline import landscape

def refused(call):
    try:
        call()
    except ValueError as error:
        print(error)

model = torch.nn.Linear(2, 1)
refused(lambda: landscape.of_module(model, torch.nn.functional.mse_loss, []))
loss = landscape.of_module(model, torch.nn.functional.mse_loss, [(torch.ones(3, 2), torch.ones(3, 1))])
refused(lambda: loss({"weight": np.zeros((1, 2), np.float32)}))
refused(lambda: loss({"weight": np.zeros((1, 3), np.float32), "bias": np.zeros(1, np.float32)}))
"""


def test_what_does_not_fit_the_module_is_named(torch_python, run_script):
    assert run_script(REFUSED, python=torch_python).stdout.splitlines() == [
        "batches is empty, but a loss needs one at least",
        "the checkpoints have no parameter 'bias', which the module has",
        "parameter 'weight' is (1, 3) in the checkpoints, but (1, 2) in the module",
    ]


BUFFERS = """
import torch
from sightline import landscape

model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
batches = [(torch.randn(8, 2), torch.randn(8, 2))]
state = {name: value.numpy().copy() for name, value in model.state_dict().items()}
parameters = {name: state[name] for name, _ in model.named_parameters()}
quiet = landscape.of_module(model, torch.nn.functional.mse_loss, batches)
before = quiet(state)
moving = landscape.of_module(model, torch.nn.functional.mse_loss, batches, train=True)
for checkpoint in (state, parameters):  # With BatchNorm's statistics, and without.
    moving(checkpoint)
    assert not torch.equal(model[1].running_mean, torch.zeros(2))
    print(quiet(checkpoint) == before)
"""


def test_buffers_are_restored_before_each_point(torch_python, run_script):
    assert run_script(BUFFERS, python=torch_python).stdout.split() == ["True", "True"]


MODEL = """
import torch

def make_model():
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))

def make_loss():
    return torch.nn.CrossEntropyLoss()

def make_batches():
    torch.manual_seed(2)
    return [(torch.randn(8, 4), torch.randint(0, 3, (8,))) for _ in range(2)]
"""

SAVE = (
    MODEL
    + """
import json, sys
from pathlib import Path
from sightline import landscape

folder = Path(sys.argv[1]) / "ckpt_dir"
folder.mkdir(parents=True)
model = make_model()
files = {}
for number in (1, 2, 3):
    files[str(number)] = str(folder / f"net_{number}.npz")
    landscape.save_module(model, files[str(number)])
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
metadata = {"epoch_group": {"0": [1, 2, 3]}, "model_params_file_map": files, "landscape_size": 3,
            "create_landscape": {"train": True, "result": False}}
(folder / "train_metadata.json").write_text(json.dumps(metadata))
(made,) = landscape.generate(sys.argv[1], landscape.of_module(model, make_loss(), make_batches()), output=sys.argv[1] + "_here")
print(json.dumps(made.z.tolist()))
"""
)


def test_the_example_of_a_loss_program_in_the_docs_computes_the_same_as_of_module(
    torch_python, run_script, recording, tmp_path
):
    run = tmp_path / "run"
    expected = json.loads(run_script(SAVE, run, python=torch_python).stdout)
    docs = Path(__file__).parents[3] / "docs" / "landscape.md"
    example = re.search(
        r"```python\n(import sys\nfrom safetensors.*?)```", docs.read_text(), re.DOTALL
    )
    assert len(example[1].strip().splitlines()) <= 12
    (tmp_path / "loss.py").write_text(MODEL + example[1])
    program = Path(torch_python).parent / "sightline"
    command = [
        program,
        "landscape",
        "run",
        "--loss",
        f"{torch_python} {tmp_path / 'loss.py'}",
        "--jobs",
        "2",
        run,
    ]
    subprocess.run(command, check=True)
    (value,) = recording(run).of("loss_landscape").values()
    z = value["landscape"]["z"]["float_data"]
    assert z == pytest.approx([loss for row in expected for loss in row], rel=1e-5)

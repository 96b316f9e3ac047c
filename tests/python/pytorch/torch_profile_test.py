"""Traces of a real torch.profiler, run by a Python that has PyTorch (--torch-python): the program `sightline` says of
them what PyTorch's own table says. Without --torch-python conftest.py leaves this file out."""

import json
import subprocess
from pathlib import Path

import pytest

TRAIN = """
import json, sys
import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from sightline.profiler import on_trace_ready

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ready = on_trace_ready(sys.argv[1], worker_name="rank0")
table = {}

def keep(profiler):
    ready(profiler)
    for row in profiler.key_averages():
        table[row.key] = [row.count, row.cpu_time_total]

with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=3),
             record_shapes=True, on_trace_ready=keep) as profiler:
    for step in range(5):
        with record_function("forward"):
            loss = model(torch.randn(16, 32)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        profiler.step()
print(json.dumps(table))
"""


@pytest.fixture
def trained(torch_python, run_script, tmp_path):
    """PyTorch's table of operators, {name: [count, microseconds]}, and what `sightline profile VERB --json` prints."""
    table = json.loads(
        run_script(TRAIN, tmp_path / "traces", python=torch_python).stdout.splitlines()[-1]
    )

    def lines(verb, *options):
        command = [
            Path(torch_python).parent / "sightline",
            "profile",
            verb,
            "--json",
            *options,
            tmp_path / "traces",
        ]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return table, lines


def test_operators_have_pytorchs_counts_and_times(trained):
    table, lines = trained
    ours = {row["name"]: row for row in lines("ops", "--each")}
    operators = {name: row for name, row in table.items() if name.startswith("aten::")}
    assert len(operators) > 10
    for name, (count, microseconds) in operators.items():
        assert ours[name]["count"] == count, name
        # PyTorch adds up whole microseconds in its older versions.
        assert ours[name]["total_us"] == pytest.approx(microseconds, abs=count + 1), name


def test_steps_are_those_of_the_schedule(trained, tmp_path):
    _, lines = trained
    (steps,) = lines("steps")
    assert not steps["inferred"]
    (trace,) = (tmp_path / "traces").iterdir()
    written = json.loads(trace.read_text())
    events = (
        written if isinstance(written, list) else written["traceEvents"]
    )  # PyTorch 1.13 writes a list.
    marks = {event["name"]: event for event in events if event["name"].startswith("ProfilerStep#")}
    assert len(marks) == 3
    assert [f"ProfilerStep#{step['step']}" for step in steps["steps"]] == sorted(marks)
    assert [step["total_us"] for step in steps["steps"]] == pytest.approx(
        [marks[name]["dur"] for name in sorted(marks)]
    )
    assert all(step["work_us"] > 0 for step in steps["steps"])


def test_every_event_is_accounted_for(trained):
    _, lines = trained
    (profile,) = lines("info")
    for file in profile["files"]:
        assert file["events"] > 0
        assert file["modelled"] == file["events"], profile["not_understood"]

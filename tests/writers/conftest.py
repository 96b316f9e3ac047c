"""What every writer wrote, once, and how each interface reads it."""

import ast
import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import without_tensorflow  # noqa: F401
from readings import Runs, by_csv, by_http, by_npz, by_tensorboard

HERE = Path(__file__).parent
SIGHTLINE = HERE.parent.parent / "build" / "dev" / "tools" / "sightline"
WRITERS = sorted(path.stem.removeprefix("write_") for path in HERE.glob("write_*.py"))


def written_by(writer: str) -> list[str]:
    """What the writer's script writes: its public functions."""
    body = ast.parse((HERE / f"write_{writer}.py").read_text()).body
    return [f.name for f in body if isinstance(f, ast.FunctionDef) and f.name[0] != "_"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        cases = [f"{writer}/{name}" for writer in WRITERS for name in written_by(writer)]
        metafunc.parametrize("case", cases)


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder that every writer wrote into, a process each, one after the other, and what must be read, by run."""
    logdir, answers = tmp_path_factory.mktemp("logs"), tmp_path_factory.mktemp("answers")
    environment = os.environ | {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "JAX_PLATFORMS": "cpu",
    }
    runs = {}
    for writer in WRITERS:
        command = [sys.executable, f"write_{writer}.py", logdir / writer, answers / writer]
        subprocess.run(command, check=True, cwd=HERE, env=environment)
        answer = pickle.loads((answers / writer).read_bytes())
        runs |= {f"{writer}/{run}": values for run, values in answer.items()}
    return logdir, runs


@pytest.fixture(scope="session")
def logdir(logs: tuple[Path, dict[str, Any]]) -> Path:
    return logs[0]


@pytest.fixture
def written(logs: tuple[Path, dict[str, Any]], case: str) -> dict[str, Any]:
    """What must be read of the case's runs: run -> kind -> tag -> step -> value."""
    return {
        run: copy.deepcopy(values)
        for run, values in logs[1].items()
        if run == case or run.startswith(f"{case}/")
    }


@pytest.fixture(scope="session")
def run_sightline():
    """run_sightline(arguments) -> what it printed; it must end with 0."""

    def run(*arguments: Any) -> str:
        command = [SIGHTLINE, *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    return run


@pytest.fixture(scope="session")
def export(run_sightline, logdir: Path, tmp_path_factory: pytest.TempPathFactory):
    """export(format) -> the file or folder that all runs were exported to."""

    def export_as(form: str) -> Path:
        out = tmp_path_factory.mktemp("export") / f"out.{form}"
        run_sightline("export", logdir, "--format", form, "-o", out)
        return out

    return export_as


@pytest.fixture(scope="session")
def tensorboard(logdir: Path) -> Runs:
    return by_tensorboard(logdir)


@pytest.fixture(scope="session")
def http(logdir: Path) -> Runs:
    return by_http(SIGHTLINE, logdir)


@pytest.fixture(scope="session")
def exported_logdir(export) -> Path:
    return export("tensorboard")


@pytest.fixture(scope="session")
def csv(export) -> Runs:
    return by_csv(export("csv"))


@pytest.fixture(scope="session")
def npz(export) -> Runs:
    return by_npz(export("npz"))


@pytest.fixture(scope="session")
def json_lines(export) -> Path:
    return export("jsonl")

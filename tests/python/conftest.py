"""What the tests of the Python package share: scripts in processes of their own, and readers of what was recorded."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest
import sightline
from sightline.torch import SummaryWriter

# The tests of trainings with PyTorch are there when a Python is named that has it.
TORCH_TESTS = {
    "torch_capture_test.py",
    "torch_landscape_test.py",
    "torch_ranks_test.py",
    "torch_profile_test.py",
    "torch_training_test.py",
    "lightning_test.py",
    "transformers_test.py",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--torch-python",
        help="a Python with PyTorch, torch-requirements.txt and this package; default: those tests are left out",
    )
    parser.addoption(
        "--corpus", help="the folder of the real programs' files; default: tests/corpus"
    )
    parser.addoption(
        "--user-python",
        help="a Python that pip install . was run for; default: its test is left out",
    )


def has_mpi() -> bool:
    """Whether mpi4py finds an MPI: if not, its test is left out, which run.sh says. Importing it here would start MPI."""
    return (
        subprocess.run(
            [sys.executable, "-c", "from mpi4py import MPI"], capture_output=True
        ).returncode
        == 0
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if collection_path.name in TORCH_TESTS and not config.getoption("--torch-python"):
        return True
    if collection_path.name == "mpi_landscape_test.py" and not has_mpi():
        return True
    if collection_path.name == "user_install_test.py" and not config.getoption("--user-python"):
        return True
    return None


@pytest.fixture(autouse=True, scope="session")
def users_cache_left_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is read of runs is kept there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def torch_python(request: pytest.FixtureRequest) -> str:
    return request.config.getoption("--torch-python")


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def dask_executor(tmp_path: Path) -> Iterator[Executor]:
    """An executor of a cluster of Dask: two processes of this machine."""
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(temporary_directory=tmp_path),
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
        client.get_executor() as executor,
    ):
        yield executor


@pytest.fixture
def run_script(tmp_path: Path) -> Run:
    """run_script(text, *arguments, python=, check=, **environment): a script in a process of its own."""

    def run(
        text: str,
        *arguments: object,
        python: str = sys.executable,
        check: bool = True,
        **environment: str,
    ) -> "subprocess.CompletedProcess[str]":
        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(text))
        done = subprocess.run(
            [python, script, *map(str, arguments)],
            env={
                **os.environ,
                "PYTHONFAULTHANDLER": "1",
                **environment,
            },  # A crash names its place.
            capture_output=True,
            text=True,
            timeout=120,
        )
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def lines() -> list[str]:
    """What a monitor says."""
    return []


@pytest.fixture
def monitor(tmp_path: Path, lines: list[str]) -> Callable[..., sightline.SummaryMonitor]:
    """monitor(**options) -> SummaryMonitor of tmp_path."""
    return lambda **options: sightline.SummaryMonitor(tmp_path, say=lines.append, **options)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SummaryWriter]:
    with SummaryWriter(tmp_path / "run") as writer:
        yield writer


class Recording:
    """What a directory holds, read by the wheel's program `sightline`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.events = [json.loads(line) for line in self._run("cat", "--bytes").splitlines()]
        self.values = [
            (int(event.get("step", 0)), value)
            for event in self.events
            for value in event.get("summary", {}).get("value", [])
        ]

    def _run(self, *arguments: str) -> str:
        program = shutil.which("sightline", path=sysconfig.get_path("scripts"))
        assert program, "the wheel's program sightline is not installed beside this Python"
        return subprocess.run(
            [program, *arguments, self.directory], check=True, capture_output=True, text=True
        ).stdout

    def info(self) -> dict[str, Any]:
        """What sightline info says of the one run in the directory."""
        (run,) = json.loads(self._run("info", "--json"))["runs"]
        return run

    def scalars(self) -> dict[tuple[str, int], float]:
        """(tag, step) -> value, of either dialect."""
        return {
            (value["tag"], step): value[field]
            for step, value in self.values
            for field in ("scalar_value", "simple_value")
            if field in value
        }

    def of(self, kind: str) -> dict[tuple[str, int], dict]:
        """(tag, step) -> value of MindSpore's dialect, of one kind: "tensor", "image" or "histogram"."""
        return {(value["tag"], step): value[kind] for step, value in self.values if kind in value}


@pytest.fixture(scope="session")
def recording() -> type[Recording]:
    return Recording

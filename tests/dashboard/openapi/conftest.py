"""The dashboard's server on runs of tests/corpus, for the tests of dashboard/openapi.yaml."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "tests" / "corpus"


NPY = (
    b"\x93NUMPY\x01\x00\x76\x00"
    + b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }".ljust(117)
    + b"\n"
    + bytes(8)
)


class Server:
    """`sightline serve` on a copy of the corpus; `address` ends with a slash."""

    def __init__(self, program: Path, directory: Path):
        self._program = program
        self._directory = directory
        for name, source in {
            "lenet": "mindspore/lenet",
            "landscape": "mindspore/lenet_landscape",
            "values": "mindspore/values",
            "tb": "tensorboard",
            "profiles": "profiler",
            "dumps": "ir/side",
        }.items():
            shutil.copytree(CORPUS / source, directory / name)
        exported = directory / "lenet" / "export_1" / "tensor"
        exported.mkdir(parents=True)
        (exported / "weight_1.npy").write_bytes(NPY)
        (directory / "lenet" / "console.log").write_text("one\ntwo\n")
        (directory / "net.py").write_text("import mindspore\n")
        command = [
            program,
            "serve",
            directory,
            "--port",
            "0",
            "--allow-write",
            "--source-root",
            directory,
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        printed = ""
        for line in self._process.stdout:
            printed += line
            if found := re.search(r"(http://\S+/)#token=(\S+)", line):
                self.address, self.token = found.groups()
                return
        raise RuntimeError(f"the server printed no address: {printed}")

    def compared(self, a: str, b: str, *options: str) -> str:
        """What `sightline compare --json` prints about two of the runs."""
        command = [self._program, "compare", self._directory / a, self._directory / b]
        return subprocess.run(
            [*command, *options, "--json"], stdout=subprocess.PIPE, text=True, check=False
        ).stdout

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--program",
        type=Path,
        default=ROOT / "build" / "dev" / "tools" / "sightline",
        help="our program",
    )


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    state = tmp_path_factory.mktemp("state")
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_STATE_HOME", str(state))
    patch.setenv("XDG_CACHE_HOME", str(state))
    started = Server(
        request.config.getoption("--program").resolve(), tmp_path_factory.mktemp("served") / "runs"
    )
    yield started
    started.stop()
    patch.undo()

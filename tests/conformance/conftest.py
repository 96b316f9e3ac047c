"""What the conformance tests share: our programs, and what they recorded."""

import subprocess
from pathlib import Path

import pytest
from recording import Recording

ROOT = Path(__file__).parent.parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--build", type=Path, default=ROOT / "build" / "dev", help="build folder with our programs"
    )


@pytest.fixture(scope="session")
def build(request: pytest.FixtureRequest) -> Path:
    return request.config.getoption("--build").resolve()


@pytest.fixture(scope="session")
def record_values(build: Path, tmp_path_factory: pytest.TempPathFactory):
    """record_values(manifest, *flags, directory) -> Recording; the manifest has (step, kind, tag, .npy file)."""

    def record(
        manifest: list[tuple[int, str, str, Path]], *flags: str, directory: Path | None = None
    ) -> Recording:
        directory = directory or tmp_path_factory.mktemp("run")
        lines = "".join(f"{step} {kind} {tag} {path}\n" for step, kind, tag, path in manifest)
        program = build / "tests" / "conformance" / "record_values"
        subprocess.run([program, directory, *flags], input=lines, text=True, check=True)
        return Recording(directory)

    return record


@pytest.fixture(scope="session")
def demo(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """The demo, every step and everything recorded in both dialects."""
    directory = tmp_path_factory.mktemp("demo")
    subprocess.run(
        [build / "tools" / "sightline", "demo", "--overhead-pairs", "0", directory], check=True
    )
    return Recording(directory)

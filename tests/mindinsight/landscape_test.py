"""MindInsight 2.3.1 shows our landscapes: what its page asks the server for is what was recorded."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SIGHTLINE = Path(__file__).resolve().parents[2] / "build" / "dev" / "tools" / "sightline"
EPOCHS = 4
PATIENCE_SECONDS = 120


class Server:
    """MindInsight on the runs below a folder."""

    def __init__(self, runs: Path, workspace: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        tools = Path(sys.executable).parent
        # It starts gunicorn by its name alone.
        self._environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
        self._program = tools / "mindinsight"
        self._run(
            "start",
            "--port",
            str(self._port),
            "--summary-base-dir",
            str(runs),
            "--workspace",
            str(workspace),
        )

    def stop(self) -> None:
        self._run("stop", "--port", str(self._port))

    def ask(self, path: str, body: Any = None, **arguments: str) -> Any:
        address = f"http://127.0.0.1:{self._port}/v1/mindinsight/datavisual/{path}?{urllib.parse.urlencode(arguments)}"
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(
            urllib.request.Request(address, data, {"Content-Type": "application/json"})
        ) as answer:
            return json.load(answer)

    def wait_until_loaded(self, run: str) -> None:
        """It reads a run when it is asked for, and after a while."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            try:
                self.ask("train-job-caches", {"train_ids": [run]})
                jobs = self.ask("single-job", plugin_name="loss_landscape", train_id=run)[
                    "train_jobs"
                ]
                if len(jobs[0]["tags"]) == 2:
                    return
            except urllib.error.HTTPError:
                pass  # It does not know the run yet.
            time.sleep(0.5)
        raise TimeoutError(f"MindInsight shows no landscapes of {run}")

    def _run(self, *arguments: str) -> None:
        subprocess.run(
            [self._program, *arguments], check=True, env=self._environment, timeout=PATIENCE_SECONDS
        )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A run with landscapes of 7 x 7 points, and what was recorded, by tag."""
    folder = tmp_path_factory.mktemp("runs")
    run = folder / "run"
    demo = [
        SIGHTLINE,
        "demo",
        "--epochs",
        str(EPOCHS),
        "--landscape-size",
        "7",
        "--overhead-pairs",
        "0",
        run,
    ]
    subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
    exported = tmp_path_factory.mktemp("exported")
    subprocess.run(
        [SIGHTLINE, "landscape", "export", "--format", "npz", "-o", exported, run], check=True
    )
    return {"folder": folder} | {path.stem: np.load(path) for path in exported.glob("*.npz")}


@pytest.fixture(scope="module")
def server(recorded: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(recorded["folder"], tmp_path_factory.mktemp("workspace"))
    try:
        started.wait_until_loaded("./run")
        yield started
    finally:
        started.stop()


def landscape_of(server: Server, **which: str) -> dict[str, Any]:
    (found,) = server.ask("landscape/landscapes", train_id="./run", metadata="true", **which)[
        "landscapes"
    ]
    return found


def expect_shown(shown: dict[str, Any], recorded: Any) -> None:
    for axis in ("x", "y", "z"):
        np.testing.assert_allclose(shown["points"][axis], recorded[axis], rtol=1e-6)
    assert np.ptp(shown["points"]["z"]) > 0
    # "Basic info" of the page.
    metadata = shown["metadata"]
    assert (metadata["unit"], metadata["network"], metadata["optimizer"]) == (
        "epoch",
        "DigitsNet",
        "Momentum",
    )
    assert float(metadata["learning_rate"]) > 0
    assert metadata["step_per_epoch"] > 0


def test_the_landscape_of_an_interval_is_shown_with_its_path(
    server: Server, recorded: dict[str, Any]
) -> None:
    (interval,) = server.ask("landscape/intervals", train_id="./run")["intervals"]
    assert interval["value"] == [1, EPOCHS]
    shown = landscape_of(server, type="interval", interval_id=interval["id"])
    made = recorded[f"landscape_1_{EPOCHS}"]
    expect_shown(shown, made)
    assert shown["metadata"]["decomposition"] == "PCA"
    assert shown["path"]["intervals"] == [*range(1, EPOCHS + 1)]
    for axis in ("x", "y", "z"):
        np.testing.assert_allclose(shown["path"][axis], made[f"path_{axis}"], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(shown["convergence_point"], [0, 0, made["path_z"][-1]], rtol=1e-6)


def test_the_landscape_of_the_result_is_shown(server: Server, recorded: dict[str, Any]) -> None:
    shown = landscape_of(server, type="final")
    expect_shown(shown, recorded[f"landscape_{EPOCHS}"])
    assert shown["metadata"]["decomposition"] == "Random"
    assert shown["convergence_point"][2] == pytest.approx(
        recorded[f"landscape_{EPOCHS}"]["z"][3, 3], rel=1e-6
    )


def test_the_training_beside_it_is_still_shown(server: Server) -> None:
    """A landscape is recorded at step 0: MindSpore's own makes MindInsight drop what was recorded before."""
    jobs = server.ask("single-job", plugin_name="scalar", train_id="./run")["train_jobs"]
    (loss,) = [tag for tag in jobs[0]["tags"] if tag.startswith("loss")]
    points = server.ask("scalar/metadata", train_id="./run", tag=loss)["metadatas"]
    assert len(points) > 10

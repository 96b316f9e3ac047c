"""The real TensorBoard web server on loopback, over one log directory."""

import json
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

# The server keeps a sample of each series; more than any series here has. (0, documented as everything, is nothing
# to the pages' queries.)
EVERYTHING = ",".join(f"{plugin}=100000" for plugin in ("scalars", "histograms", "images", "text"))


class TensorBoardServer:
    """`load_fast`: "true" for the data server (Rust), "false" for the readers in Python."""

    def __init__(self, logdir: Path, load_fast: str, log: Path):
        self._log = log
        command = [
            sys.executable,
            "-m",
            "tensorboard.main",
            "--logdir",
            str(logdir),
            "--host",
            "127.0.0.1",
        ]
        command += ["--port", "0", "--load_fast", load_fast, "--samples_per_plugin", EVERYTHING]
        self._process = subprocess.Popen(command, stdout=log.open("w"), stderr=subprocess.STDOUT)
        self._url = self._when(
            lambda: re.search(r"TensorBoard \S+ at (http://\S+/)", log.read_text())
        )[1]

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()

    def get_bytes(self, route: str, **query: str) -> bytes:
        with urllib.request.urlopen(
            f"{self._url}data/plugin/{route}?{urllib.parse.urlencode(query)}"
        ) as answer:
            return answer.read()

    def get(self, route: str, **query: str) -> Any:
        return json.loads(self.get_bytes(route, **query))

    def time_series(self, plugin: str, tag: str, **request: Any) -> list[dict[str, Any]]:
        """The points of `tag` in the run ".", as the page Time Series gets them; other pages get a sample."""
        requests = [{"plugin": plugin, "run": ".", "tag": tag, **request}]
        (answer,) = self.get("timeseries/timeSeries", requests=json.dumps(requests))
        return answer["runToSeries"]["."]

    def wait_until_loaded(self, tag: str, steps: int, run: str = ".") -> None:
        """Until the scalars of `tag` in the run are there, all of them."""
        self._when(lambda: tag in self.get("scalars/tags").get(run, {}))
        self._when(lambda: len(self.get("scalars/scalars", run=run, tag=tag)) == steps)

    def _when(self, answer: Any, seconds: float = 60) -> Any:
        """The first true answer; the server tells nobody when it is ready, so it is asked."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if result := answer():
                return result
            assert self._process.poll() is None, f"TensorBoard ended: {self._log.read_text()}"
            time.sleep(0.1)
        raise AssertionError(f"TensorBoard did not get ready: {self._log.read_text()}")

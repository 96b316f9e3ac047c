"""Runs our Google Benchmark programs and the demo, and gives their figures."""

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REPETITIONS = 7


@dataclass
class Ours:
    """Each program runs once, when its first figure is asked for; `scratch` is a folder on tmpfs."""

    build: Path
    scratch: Path
    smoke: bool
    environment: dict[str, str] = field(default_factory=dict)
    _results: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def benchmark(self, program: str, name: str) -> dict[str, Any]:
        """The result of the benchmark whose name, without arguments and options, is `name`: medians."""
        if program not in self._results:
            self._results[program] = self._run(program)
        options = (
            r"(/(real_time|process_time|manual_time|iterations:\d+|repeats:\d+|min_time:[\d.]+))*"
        )
        for result in self._results[program]:
            if not re.fullmatch(re.escape(name) + options, result["run_name"]):
                continue
            if result.get("error_occurred"):
                raise RuntimeError(f"{program}: {name}: {result['error_message']}")
            if result.get("aggregate_name") == "median":
                return result
        known = ", ".join({result["run_name"]: None for result in self._results[program]})
        raise RuntimeError(f"{program} has no benchmark {name}; it has {known}")

    def demo(self) -> dict[str, Any]:
        """What `sightline demo --json` prints."""
        command = [self.build / "tools" / "sightline", "demo", "--json", self.scratch / "demo"]
        if self.smoke:
            command += ["--epochs", "1", "--overhead-pairs", "1"]
        else:
            command += ["--overhead-pairs", "25"]
        print("running the demo", flush=True)
        done = subprocess.run(
            command,
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self._environment(),
        )
        return json.loads(done.stdout)

    def _run(self, program: str) -> list[dict[str, Any]]:
        path = self.build / "tests" / "bench" / program
        if not path.exists():
            raise RuntimeError(
                f"{path} is not built: configure with SIGHTLINE_BUILD_BENCHMARKS=ON and build"
            )
        output = self.scratch / f"{program}.json"
        command = [
            path,
            f"--benchmark_out={output}",
            "--benchmark_out_format=json",
            # What is compared runs in turns: a machine has slow minutes.
            f"--benchmark_repetitions={2 if self.smoke else REPETITIONS}",
            "--benchmark_enable_random_interleaving",
            f"--benchmark_min_time={0.001 if self.smoke else 0.2}",
        ]
        print(f"running {program}", flush=True)
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self._environment(),
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program} ended with {done.returncode}:\n{done.stdout}")
        return json.loads(output.read_text())["benchmarks"]

    def _environment(self) -> dict[str, str]:
        return os.environ | {"TMPDIR": str(self.scratch)} | self.environment

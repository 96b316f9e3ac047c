"""The dashboard's server under a memory limit: what it takes at most while many clients ask for everything."""

import json
import os
import random
import re
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

CLIENTS = 20
TAGS = ["loss", *(f"metric{i}" for i in range(1, 20))]
PAUSE = 0.5  # Seconds between two looks at the memory.


def pss(pid: int) -> float:
    """Megabytes of this process, what it shares divided by those who share it."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1]) / 1000


class Server:
    def __init__(self, program: Path, folder: Path, home: Path, limit: str | None = None):
        environment = os.environ | {
            name: str(home) for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
        }
        limited = [] if limit is None else ["--memory-limit", limit]
        self._process = subprocess.Popen(
            [program, "serve", folder, "--port", "0", *limited],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        found = re.search(r"(http://\S+/)#token=(\S+)", self._process.stdout.readline())
        self.address, self.token = found.groups()
        self.pid = self._process.pid

    def ask(self, path: str, body: dict[str, Any] | None = None) -> bytes:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(
            urllib.request.Request(f"{self.address}api/v1/{path}", data, headers), timeout=120
        ) as answer:
            return answer.read()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


class Load:
    """Clients that ask for lists, for charts of few and of all runs, and for parts of them, until they are told to end."""

    def __init__(self, server: Server, runs: list[str], steps: int):
        self.server, self.runs, self.steps = server, runs, steps
        self.answers = self.refused = 0
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._client, args=(seed,)) for seed in range(CLIENTS)
        ]
        for thread in self._threads:
            thread.start()

    def _client(self, seed: int) -> None:
        choose = random.Random(seed)
        while not self._end.is_set():
            begin = choose.randrange(self.steps)
            wish = choose.choice(
                [
                    ("runs", None),
                    (f"run?run={choose.choice(self.runs)}", None),
                    ("tags", {}),
                    (
                        "series",
                        {
                            "runs": choose.sample(self.runs, min(20, len(self.runs))),
                            "tags": TAGS,
                            "columns": 300,
                        },
                    ),
                    (
                        "series",
                        {
                            "runs": self.runs,
                            "tags": [choose.choice(TAGS)],
                            "columns": 100,
                            "times": False,
                        },
                    ),
                    (
                        "series",
                        {
                            "runs": [choose.choice(self.runs)],
                            "tags": TAGS,
                            "columns": 2000,
                            "from": begin,
                            "to": begin + 500,
                        },
                    ),
                ]
            )
            try:
                self.server.ask(*wish)
                with self._lock:
                    self.answers += 1
            except urllib.error.HTTPError as error:
                error.read()
                with self._lock:
                    self.refused += 1

    def stop(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()


def measure(
    program: Path, folder: Path, home: Path, limit: str, steps: int, seconds: float
) -> dict[str, float]:
    """The highest memory from the start on, and that of the last third by that of the middle one."""
    server = Server(program, folder, home, limit)
    samples: list[tuple[float, float]] = []
    try:
        began = time.monotonic()
        while json.loads(server.ask("status"))["loading"]:
            samples.append((-1, pss(server.pid)))
            time.sleep(0.1)
        read = time.monotonic() - began
        runs = [run["id"] for run in json.loads(server.ask("runs"))["runs"]]
        load = Load(server, runs, steps)
        began = time.monotonic()
        try:
            while (at := time.monotonic() - began) < seconds:
                samples.append((at, pss(server.pid)))
                time.sleep(PAUSE)
        finally:
            load.stop()
    finally:
        server.stop()

    def mean(first: float, last: float) -> float:
        part = [memory for at, memory in samples if first * seconds <= at <= last * seconds]
        return sum(part) / len(part)

    return {
        "most": max(memory for _, memory in samples),
        "grown": mean(2 / 3, 1) / mean(1 / 3, 2 / 3),
        "read": read,
        "answers": load.answers,
        "refused": load.refused,
    }

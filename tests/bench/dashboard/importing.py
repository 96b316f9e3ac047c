"""How long clients wait for points of a run while the server imports large profiles."""

import http.client
import json
import threading
import time
import urllib.parse
from pathlib import Path

from dashboard.memory import Server

CLIENTS = 8
PAUSE = 0.02  # Seconds between two requests of a client.
POLL = 0.5  # Seconds between two requests for a profile.
TRACES = 4
SERIES = "series?run=one&tag=loss&columns=600"
STEP = 1000  # Microseconds.

OPERATOR = (
    '{{"ph":"X","cat":"cpu_op","name":"aten::layer{0}","pid":1,"tid":{1},"ts":{2},"dur":{3},"args":{{"External id":{4},'
    '"Input Dims":[[4096,4096],[4096,1024]],"Input type":["c10::BFloat16","c10::BFloat16"],"Ev Idx":{4}}}}}'
)


def write_traces(folder: Path, megabytes: int) -> list[str]:
    """Files in Chrome's JSON with operators of 8 threads in PyTorch's form. The names of the files."""
    folder.mkdir()
    names = [f"{i}.pt.trace.json" for i in range(TRACES)]
    for name in names:
        with (folder / name).open("w") as file:
            file.write(
                '[{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"training"}}'
            )
            number = 0
            while file.tell() < megabytes * 1_000_000 // TRACES:
                events = (
                    OPERATOR.format(i % 40, i % 8, i // 8 * STEP, 100 + i * 7 % 400, i)
                    for i in range(number, number + 1000)
                )
                file.write("," + ",".join(events))
                number += 1000
            file.write("]")
    return names


class Connection:
    """One that stays open, as a browser's does."""

    def __init__(self, server: Server):
        self._headers = {"Authorization": f"Bearer {server.token}"}
        self._connection = http.client.HTTPConnection(
            urllib.parse.urlsplit(server.address).netloc, timeout=120
        )

    def get(self, path: str) -> tuple[int, bytes]:
        self._connection.request("GET", f"/api/v1/{path}", headers=self._headers)
        response = self._connection.getresponse()
        return response.status, response.read()


class Load:
    """Clients that ask for the points of one series, until they are told to end. `waits` in milliseconds."""

    def __init__(self, server: Server):
        self.waits: list[float] = []
        self._end = threading.Event()
        self._threads = [
            threading.Thread(target=self._client, args=(server,)) for _ in range(CLIENTS)
        ]
        for thread in self._threads:
            thread.start()

    def _client(self, server: Server) -> None:
        connection = Connection(server)
        while not self._end.wait(PAUSE):
            began = time.monotonic()
            status, _ = connection.get(SERIES)
            self.waits.append(1000 * (time.monotonic() - began))
            assert status == 200, status

    def stop(self) -> list[float]:
        self._end.set()
        for thread in self._threads:
            thread.join()
        return sorted(self.waits)


def percentile(waits: list[float], share: float) -> float:
    return waits[min(len(waits) - 1, int(share * len(waits)))]


def open_profiles(server: Server, names: list[str]) -> None:
    """Asks for all of them until each was there once."""
    connection = Connection(server)
    missing = set(names)
    while missing:
        for name in sorted(missing):
            status, body = connection.get(f"profile?profile={name}")
            if status == 200:
                missing.remove(name)
            elif status != 202:
                raise RuntimeError(f"{name}: {status} {body[:200]!r}")
        time.sleep(POLL)


def measure(
    program: Path, folder: Path, home: Path, names: list[str], rest: float
) -> dict[str, float]:
    """Percentiles of the wait in milliseconds: `alone`, for `rest` seconds, and `p99` and `most` during the imports."""
    server = Server(program, folder, home)
    try:
        while json.loads(server.ask("status"))["loading"]:
            time.sleep(0.05)
        load = Load(server)
        time.sleep(rest)
        alone = load.stop()
        load = Load(server)
        began = time.monotonic()
        try:
            open_profiles(server, names)
        finally:
            waits = load.stop()
        return {
            "alone": percentile(alone, 0.99),
            "p99": percentile(waits, 0.99),
            "most": waits[-1],
            "requests": len(waits),
            "seconds": time.monotonic() - began,
        }
    finally:
        server.stop()

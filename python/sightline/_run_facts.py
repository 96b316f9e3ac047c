"""What a program runs on: its command, directory, commit, packages, host and devices, once a session, in a file beside the
event files that only its owner may read. docs/runs.md describes the file, whose keys are lineage under names run.*.

Nothing here disturbs a training: it is done in a thread, and what cannot be found is left out.
"""

import contextlib
import functools
import hashlib
import json
import os
import platform
import sys
import threading
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from sightline._core import hide_secrets, keep_run_facts, launcher_variables, run_facts

# Packages whose version is a key of its own.
_FRAMEWORKS = (
    "accelerate",
    "deepspeed",
    "flax",
    "jax",
    "keras",
    "lightning",
    "mindformers",
    "mindspore",
    "numpy",
    "tensorflow",
    "torch",
    "torch-npu",
    "transformers",
)


def keep_facts(directory: str, session_id: str) -> None:
    """Writes the file of a session, in a thread."""
    with contextlib.suppress(OSError, RuntimeError):  # There is no working directory, or no thread.
        hide_secrets(b"")  # What it needs is made here, and not while a child may be forked.
        arguments = os.path.abspath(directory), session_id, os.getcwd(), dict(os.environ)
        threading.Thread(target=_write, args=arguments, name="sightline-facts").start()


def _write(
    directory: str, session_id: str, working_directory: str, variables: Mapping[str, str]
) -> None:
    try:
        with _finding:
            found = facts(working_directory)
        of_session: dict[str, Any] = {}
        if launched := environment(variables):
            of_session["env"] = launched
        if variables.get("SIGHTLINE_RUN"):  # Of `sightline run`: the folder that has the console.
            of_session["folder"] = hide_secrets(os.fsencode(variables["SIGHTLINE_RUN"]))
        text = json.dumps({**found, **of_session}, ensure_ascii=False)
        keep_run_facts(directory, session_id, text)
    except Exception:  # A training goes on without them.
        pass


# Sessions that begin at once do not find the same facts each.
_finding = threading.Lock()


def _in_forked_child() -> None:
    """A thread that the child does not have may hold the lock."""
    global _finding
    _finding = threading.Lock()


os.register_at_fork(after_in_child=_in_forked_child)


@functools.cache
def facts(working_directory: str) -> dict[str, Any]:
    """What is the same for every session of this process that began in that directory: all but the environment."""
    command = Path("/proc/self/cmdline").read_bytes().split(b"\0")[:-1]
    found: dict[str, Any] = json.loads(run_facts(working_directory, command, _sha256_hex))
    found["python"] = {"version": platform.python_version(), "path": sys.executable}
    with contextlib.suppress(Exception):  # A broken package does not take the rest along.
        _add_packages(found)
    return found


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Those variables that say how a training was launched."""
    kept: dict[str, str] = json.loads(
        launcher_variables([os.fsencode(f"{name}={value}") for name, value in variables.items()])
    )
    return kept


def _sha256_hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _add_packages(found: dict[str, Any]) -> None:
    versions = {
        str(one.metadata["Name"]).lower(): one.version
        for one in metadata.distributions()
        if one.metadata["Name"]
    }
    found["packages"] = " ".join(f"{name}=={versions[name]}" for name in sorted(versions))
    found.update(
        {name.replace("-", "_"): versions[name] for name in _FRAMEWORKS if name in versions}
    )

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
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from sightline._clean import clean, clean_arguments, is_secret_name

# Of the environment only these, and of them none whose name is that of a secret.
_ENVIRONMENT = re.compile(
    r"(RANK|LOCAL_RANK|GROUP_RANK|NODE_RANK|WORLD_SIZE|LOCAL_WORLD_SIZE|RANK_ID|RANK_SIZE|RANK_TABLE_FILE|DEVICE_ID"
    r"|(SLURM_(JOB|STEP|PROC|NODE|NTASKS|NNODES|LOCAL)|OMPI_COMM_WORLD_|PMI_|TORCHELASTIC_"
    r"|CUDA_|ASCEND_|NCCL_|HCCL_|OMP_|MASTER_|MS_)\w*)"
)

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

_MOST_NAMES = 100
_MOST_DIFF_BYTES = 64 << 20


def keep_facts(directory: str, session_id: str) -> None:
    """Writes the file of a session, in a thread."""
    with contextlib.suppress(OSError, RuntimeError):  # There is no working directory, or no thread.
        arguments = os.path.abspath(directory), session_id, os.getcwd(), dict(os.environ)
        threading.Thread(target=_write, args=arguments, name="sightline-facts").start()


def _write(
    directory: str, session_id: str, working_directory: str, variables: Mapping[str, str]
) -> None:
    path = os.path.join(directory, f".sightline-run-{session_id}.json")
    unfinished = f"{path}.{os.getpid()}"
    try:
        with _finding:
            found = facts(working_directory)
        of_session: dict[str, Any] = {"env": environment(variables)}
        if variables.get("SIGHTLINE_RUN"):  # Of `sightline run`: the folder that has the console.
            of_session["folder"] = clean(variables["SIGHTLINE_RUN"])
        text = json.dumps({**found, **of_session}, ensure_ascii=False)
        with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(text)
        os.rename(unfinished, path)
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
    found: dict[str, Any] = {"directory": clean(working_directory)}
    add_code = functools.partial(_add_code, working_directory)
    for add in (_add_command, add_code, _add_packages, _add_machine, _add_devices):
        try:
            add(found)
        except Exception:  # What one of them cannot find, the others do.
            pass
    return found


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Those variables that say how a training was launched."""
    return {
        name: clean(value)
        for name, value in sorted(variables.items())
        if _ENVIRONMENT.fullmatch(name) and not is_secret_name(name)
    }


def _add_command(found: dict[str, Any]) -> None:
    arguments = Path("/proc/self/cmdline").read_bytes().split(b"\0")[:-1]
    found["command"] = shlex.join(clean_arguments([os.fsdecode(part) for part in arguments]))
    found["python"] = {"version": platform.python_version(), "path": sys.executable}


def _add_code(directory: str, found: dict[str, Any]) -> None:
    git = functools.partial(_git, directory)
    commit = git("rev-parse", "HEAD")
    if commit is None:
        return
    changed = git("status", "--porcelain", "--untracked-files=no")
    of_git: dict[str, Any] = {
        "commit": commit,
        "branch": clean(git("rev-parse", "--abbrev-ref", "HEAD") or ""),
        "remote": clean(git("remote", "get-url", "origin") or ""),
    }
    if changed is not None:
        of_git["differs"] = bool(changed)
    if changed:
        names = [line.lstrip().partition(" ")[2].strip() for line in changed.splitlines()]
        of_git["changed"] = clean(" ".join(map(shlex.quote, names[:_MOST_NAMES])))
        diff = _output_of_git(directory, "diff", "HEAD", "--no-color", "--no-ext-diff")
        if diff is not None:
            of_git["diff_sha256"] = hashlib.sha256(diff).hexdigest()
    found["git"] = {key: value for key, value in of_git.items() if value not in (None, "")}


def _git(directory: str, *arguments: str) -> str | None:
    """What a command of git prints, without the last line's end; None if it fails."""
    printed = _output_of_git(directory, *arguments)
    return None if printed is None else os.fsdecode(printed).strip("\n")


def _output_of_git(directory: str, *arguments: str) -> bytes | None:
    """It takes no lock and runs no hook. None if it fails."""
    try:
        done = subprocess.run(
            ["git", "-c", "core.fsmonitor=false", "-C", directory, *arguments],
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 and len(done.stdout) <= _MOST_DIFF_BYTES else None


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


def _add_machine(found: dict[str, Any]) -> None:
    found["host"] = platform.node()
    found["system"] = platform.platform()
    found["cpus"] = len(os.sched_getaffinity(0))
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal:"):
            found["memory_bytes"] = int(line.split()[1]) * 1024


def _add_devices(found: dict[str, Any]) -> None:
    """From files, since a driver's library would take memory of a device."""
    gpus = [
        line.partition(":")[2].strip()
        for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information"))
        for line in path.read_text().splitlines()
        if line.startswith("Model:")
    ]
    npus = [path.name for path in Path("/dev").glob("davinci[0-9]*")]
    if gpus or npus:
        found["devices"] = ", ".join(
            _counted(gpus) + ([f"{len(npus)} x Ascend NPU"] if npus else [])
        )
    for name, path, pattern in (
        (
            "nvidia_driver",
            "/proc/driver/nvidia/version",
            r"Kernel Module\s+(?:for \S+\s+)?([\d.]+)",
        ),
        ("ascend_driver", "/usr/local/Ascend/driver/version.info", r"(?m)^Version=(\S+)"),
        (
            "cann",
            os.path.join(
                os.environ.get("ASCEND_TOOLKIT_HOME", "/usr/local/Ascend/latest"), "version.cfg"
            ),
            r"(?m)^toolkit_running_version=\[?([^\]\s]+)",
        ),
    ):
        file = Path(path)
        version = re.search(pattern, file.read_text(errors="replace")) if file.is_file() else None
        if version:
            found[name] = version[1]


def _counted(names: Sequence[str]) -> list[str]:
    return [f"{names.count(name)} x {name}" for name in dict.fromkeys(names)]

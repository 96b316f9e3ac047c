"""Reads profiles: the ranks of a training, joined.

    from sightline import profiles

    cluster = profiles.cluster("./profile")
    for found in cluster["findings"]:
        print(found["rule"], found["subject"], found["what"])

docs/profiles.md describes what is read and what is found. Everything may be called from any thread.
"""

import json
import os
import warnings
from collections.abc import Sequence
from concurrent import futures
from typing import Any

from sightline import _profiles

__all__ = ["cluster"]

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def cluster(
    paths: _Path | Sequence[_Path], *, executor: futures.Executor | None = None
) -> dict[str, Any]:
    """Compares the ranks of a training, and returns what `sightline profile cluster --json` prints.

    `paths`: profiles, or folders that hold several; each profile is a rank. `executor` is any executor of
    concurrent.futures, also Dask's and that of mpi4py.futures. Its processes read the profiles, one for each call, and
    must see them under these paths and have this version of the package. Only a small part of each rank travels, and
    this process joins the parts. A path that only they see is one call, which reads all profiles below it. Without an
    executor, this process reads on all cores.

    A file that is damaged, and a rank that cannot be read, is a RuntimeWarning, and the others are compared. Raises
    ValueError if no rank can be read, and what the executor raises.
    """
    given = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    parts = [_profiles.read_parts(given)] if executor is None else _parts_by(executor, given)
    text, damage = _profiles.join_parts(parts)
    joined: dict[str, Any] = json.loads(text)
    wrong = [(each["path"], each["error"]) for each in joined["unreadable"]]
    lines = [
        error if error.startswith(path) else f"{path}: {error}" for path, error in wrong + damage
    ]
    if not joined["ranks"]:
        raise ValueError("no rank can be read: " + "; ".join(lines[:3] or ["there is no path"]))
    for line in lines:
        warnings.warn(f"sightline: {line}", RuntimeWarning, stacklevel=2)
    return joined


def _parts_by(executor: futures.Executor, paths: list[_Path]) -> list[str]:
    profiles = _profiles.find_profiles(paths)
    running = [executor.submit(_part_of, profile) for profile in profiles]
    try:
        return [future.result() for future in running]
    finally:
        for future in running:
            future.cancel()


def _part_of(profile: str) -> str:
    return _profiles.read_parts([profile])

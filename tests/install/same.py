#!/usr/bin/env python3
"""Compares, byte for byte, what two programs say of the same files and write of them.

usage: same.py PROGRAM OTHER, such as those of two machines (tests/install/arm.sh runs it). What Eigen computes, whose order
of additions is the machine's, is compared as numbers: the planes of landscapes, to 1e-6 of their size. The pictures of
surfaces, which the export for TensorBoard draws, are left out.
"""

import concurrent.futures
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = REPOSITORY / "tests" / "corpus"
SHARED = REPOSITORY.parent / "shared" / "corpus"  # Files that others wrote, where there are some.


def commands():
    """Yields the arguments of each command; OUT is what it writes."""
    runs = [CORPUS / name for name in ("mindspore", "tensorboard", "wild", "swanlab", "wandb")]
    for folder in runs:
        yield ["info", "--json", folder]
        yield ["ls", "--json", folder]
        yield ["verify", "--json", folder]
        for form in ("csv", "jsonl", "npy", "npz", "html"):
            yield ["export", folder, "--format", form, "-o", "OUT"]
        for run in sorted(folder.iterdir()):
            if run.is_dir() and run.name != "lenet_landscape":
                yield ["export", run, "--format", "tensorboard", "-o", "OUT"]
    yield ["landscape", "info", "--json", CORPUS / "mindspore" / "lenet_landscape"]
    for dumps in sorted((CORPUS / "ir").iterdir()):
        if dumps.is_dir():
            yield ["ir", "info", "--json", dumps]
            yield ["ir", "stats", "--json", dumps]
            yield ["ir", "timeline", "--json", dumps]
            for dump in sorted(dumps.rglob("*.ir"))[:2]:
                yield ["ir", "dot", dump]
                yield ["ir", "calls", dump]
    profiles = [*(CORPUS / "profiler").iterdir()]
    if SHARED.is_dir():
        profiles += [SHARED / "ascend" / "torch_npu_text", SHARED / "ascend" / "torch_npu_db"]
        profiles += [*(SHARED / "gpu_profiles" / "kineto_old").glob("*.json*")][:4]
    for profile in sorted(profiles):
        for verb in ("info", "summary", "ops", "steps", "memory"):
            yield ["profile", verb, "--json", profile]
        yield ["profile", "export", profile, "-o", "OUT"]


def written(path):
    """The bytes of each file at a path or below it."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


def said(program, arguments, folder):
    """What a program said and wrote: its exit code, its output, its files."""
    output = Path(folder) / "out"
    words = [str(output) if word == "OUT" else str(word) for word in arguments]
    environment = {**os.environ, "XDG_CACHE_HOME": folder + "/cache", "TZ": "UTC"}
    result = subprocess.run(
        [program, *words],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environment,
        check=False,
    )
    clean = [text.replace(folder.encode(), b"") for text in (result.stdout, result.stderr)]
    return result.returncode, clean, written(output)


def alike(one, other):
    """Whether two values of JSON are equal but for 1e-6 of a number's size."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(alike, one.values(), other.values()))
    return one == other


def difference(arguments, programs):
    """What differs, in words, or None; and whether the command was done."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        first, second = said(programs[0], arguments, one), said(programs[1], arguments, two)
    if first == second:
        return None, first[0]
    if (
        arguments[0] == "landscape"
        and first[0] == second[0]
        and alike(json.loads(first[1][0]), json.loads(second[1][0]))
    ):
        return None, first[0]
    words = " ".join(str(word) for word in arguments)
    if first[0] != second[0]:
        return (
            f"{words}: ends with {first[0]} and {second[0]}: {first[1][1][-300:]} {second[1][1][-300:]}",
            first[0],
        )
    if first[1] != second[1]:
        at = next(
            (i for i, (a, b) in enumerate(zip(first[1][0], second[1][0], strict=False)) if a != b),
            0,
        )
        return (
            f"{words}: at byte {at}: {first[1][0][at - 80 : at + 80]} and {second[1][0][at - 80 : at + 80]}",
            first[0],
        )
    files = [name for name in {*first[2], *second[2]} if first[2].get(name) != second[2].get(name)]
    return f"{words}: these files differ: {files[:5]}", first[0]


def main():
    programs = sys.argv[1:3]
    if len(programs) != 2:
        sys.exit(__doc__)
    done = 0
    differences = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for words, code in pool.map(
            lambda arguments: difference(arguments, programs), list(commands())
        ):
            done += code in (0, 1)
            if words:
                differences.append(words)
    print(f"{done} commands, {len(differences)} with another answer")
    for words in differences:
        print("  " + words)
    sys.exit(1 if differences or done < 100 else 0)


if __name__ == "__main__":
    main()

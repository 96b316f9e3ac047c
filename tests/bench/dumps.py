#!/usr/bin/env python3
"""Makes a large save_graphs folder: MindSpore's own where it is installed, else one of the same counts.

    python3 tests/bench/dumps.py FOLDER

MindSpore is looked for in the Python that $SIGHTLINE_MINDSPORE_PYTHON names, and in this one. What is generated has as
many files, bytes, statements, subgraphs, scopes and distinct source lines as the level-3 dumps of a LeNet have, and as
few of its dumps differ from the one before (39 of 828); the others differ in ids and addresses, as real ones do.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

DUMPS = 828
OTHER_FILES = 1773 - 943  # .dot, besides 115 dumps of kernel graphs.
KERNEL_DUMPS = 115
CHANGED = 39
LOCATIONS = 180
TYPE = "<Tensor[Float32], (32, 84)>"
OPERATORS = (
    "Load",
    "Depend",
    "UpdateState",
    "PrimFunc_Conv2D",
    "PrimFunc_MatMul",
    "PrimFunc_ReLU",
    "TupleGetItem",
    "MakeTuple",
)


def make_folder(folder: Path, may_compile: bool = True) -> str:
    """Fills `folder`; "MindSpore's" or "generated". MindSpore takes a minute, where it may be used."""
    for python in (os.environ.get("SIGHTLINE_MINDSPORE_PYTHON"), sys.executable):
        if may_compile and python and _has_mindspore(python):
            _run_mindspore(python, folder)
            return "MindSpore's"
    _generate(folder)
    return "generated"


def _has_mindspore(python: str) -> bool:
    find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('mindspore') is None)"
    return subprocess.run([python, "-c", find], check=False).returncode == 0


def _run_mindspore(python: str, folder: Path) -> None:
    settings = {"MS_DEV_SAVE_GRAPHS": "3", "MS_DEV_SAVE_GRAPHS_PATH": str(folder), "GLOG_v": "3"}
    script = Path(__file__).with_name("dump_lenet.py")
    subprocess.run(
        [python, script], check=True, env=os.environ | settings, stdout=subprocess.DEVNULL
    )


class Graph:
    """A graph that passes change: statements in subgraphs, whose ids and addresses are new in every dump."""

    def __init__(self, rng: random.Random, statements: int, subgraphs: int):
        self._rng = rng
        self._locations = [
            f"      # In file /home/user/network_{i % 7}.py:{10 + i}, 8~{40 + i}/        x = self.layer_{i}(x, self.weight_{i})/\n"
            for i in range(LOCATIONS)
        ]
        self._bodies = [
            [self._statement() for _ in range(statements // subgraphs)] for _ in range(subgraphs)
        ]

    def change(self, keep: float) -> None:
        """What a pass does: replaces a statement, and leaves out all but a part of the subgraphs."""
        self._bodies = self._bodies[: max(1, round(len(self._bodies) * keep))]
        body = self._rng.choice(self._bodies)
        body[self._rng.randrange(len(body))] = self._statement()

    def text(self, full_names: bool) -> str:
        first_id = self._rng.randrange(1000, 9000)
        graphs = "".join(
            self._subgraph(k, first_id + 10 * k, full_names) for k in range(len(self._bodies))
        )
        statements = sum(len(body) + 1 for body in self._bodies)
        return (
            f"# IR entry: @network_{first_id}\n# Total subgraphs: {len(self._bodies)}\n\n# Total params: 1\n# Params:\n"
            f"%para1_x: {TYPE}\n\nNode counting information:\nTotal number of nodes: {3 * statements}\n"
            f"Total number of cnodes: {statements}\n\n{graphs}"
        )

    def _statement(self) -> tuple[str, int, list[str]]:
        """Operator, scope, and the source lines of a stack of calls."""
        stack = self._rng.randrange(LOCATIONS - 20)
        return (
            self._rng.choice(OPERATORS),
            self._rng.randrange(90),
            self._locations[stack : stack + self._rng.randrange(2, 7)],
        )

    def _subgraph(self, index: int, graph_id: int, full_names: bool) -> str:
        name = f"network_{graph_id}"
        lines = [
            f"subgraph attr:\nsubgraph instance: {name} : {self._rng.randrange(1 << 46):#x}\nsubgraph @{name}() {{\n"
        ]
        last = "%para1_x"
        for number, (operator, scope, locations) in enumerate(self._bodies[index]):
            path = f"Default/network-WithLossCell/_backbone-LeNet5/layer_{scope}-Dense"
            note = (
                f"Fullname with scope: ({path}/{operator}-op{number})"
                if full_names
                else f"Scope: ({path})"
            )
            lines.append(
                f"  %{number}(CNode_{graph_id + number}) = {operator}({last}, I64({scope}))\n"
            )
            lines.append(f"      : ({TYPE}, <Int64, NoShape>) -> ({TYPE})\n      # {note}\n")
            lines += locations
            last = f"%{number}"
        return "".join(lines) + f"  Return({last})\n      : ({TYPE})\n}}\n\n\n"


def _generate(folder: Path) -> None:
    rng = random.Random(1)
    graph = Graph(rng, statements=600, subgraphs=150)
    folder.mkdir(parents=True)
    changes = set(rng.sample(range(1, DUMPS), CHANGED))
    number = 0
    for i in range(DUMPS):
        if i in changes:
            graph.change(keep=0.93)
        stage = i % 35 == 0
        name = f"{i // 35:02d}_stage" if stage else f"opt_substep_opt_a_r1_j0_{i}_pass_{i}"
        text = graph.text(full_names=stage)
        (folder / f"{name}_{number:04d}.ir").write_text(text)
        (folder / f"{name}_{number + 1:04d}.dot").write_text(text[: len(text) * 4 // 5])
        number += 2
    for i in range(OTHER_FILES - DUMPS):
        (folder / f"ms_output_{i}.pb").write_bytes(rng.randbytes(20_000))
    for i in range(KERNEL_DUMPS):
        (folder / f"hwopt_step_{i % 13}_graph_{i // 13}_{number:04d}.ir").write_text(
            graph.text(full_names=True)
        )
        number += 1


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print(make_folder(Path(sys.argv[1])))

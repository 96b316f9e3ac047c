"""sightline.landscape.generate on the ranks of an MPI job, by mpi4py.futures."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import mpi4py
import numpy as np
from sightline import landscape
from small_training import write_training

# Each rank that computes waits in its first point until the other one is in its own: so both have computed.
JOB = """
import os, sys
from pathlib import Path
from mpi4py.futures import MPIPoolExecutor
from sightline import landscape

def loss(parameters):
    ranks = Path(sys.argv[2])
    (ranks / str(os.getpid())).touch()
    while len([*ranks.iterdir()]) < 2:
        pass
    return sum(float((parameters[name].astype("float64") ** 2).sum()) for name in ("w.weight", "b.bias")), os.getpid()

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        landscape.generate(sys.argv[1], loss, executor=executor, lines=6)
"""


# MPI is a package beside mpi4py. Without the variable, mpi4py would take the system's MPI, which its mpiexec does not
# know: each process would be alone, and wait for the others for ever.
PREFIX = Path(mpi4py.__file__).parents[4]
MPIEXEC = PREFIX / "bin" / "mpiexec"
ENVIRONMENT = {**os.environ, "MPI4PY_LIBMPI": str(PREFIX / "lib" / "libmpi.so.12")}


def quadratic(parameters: Any) -> tuple[float, int]:
    return sum(
        float((parameters[name].astype(np.float64) ** 2).sum()) for name in ("w.weight", "b.bias")
    ), 0


def unexpected(parameters: Any) -> float:
    raise AssertionError("every point is known")


def test_ranks_of_mpi_give_the_same_bits(tmp_path: Path) -> None:
    run = write_training(tmp_path / "run")
    script = tmp_path / "job.py"
    script.write_text(JOB)
    ranks = tmp_path / "ranks"
    ranks.mkdir()
    command = [MPIEXEC, "-n", "3", sys.executable, "-m", "mpi4py.futures", script, run, ranks]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    (spread,) = landscape.generate(run, unexpected, lines=6)
    (alone,) = landscape.generate(run, quadratic, output=tmp_path / "alone", lines=6)
    np.testing.assert_array_equal(spread.z, alone.z)
    np.testing.assert_array_equal(spread.path.z, alone.path.z)
    for ours, other in zip(spread.lines, alone.lines, strict=True):
        np.testing.assert_array_equal(ours.z, other.z)
    assert len(np.unique(spread.metrics[:, :, 1])) == 2
    assert not [*run.glob(".*.plane*")]

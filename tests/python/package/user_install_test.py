"""What pip install . made, in the Python that --user-python names: the package and the program."""

import itertools
import subprocess
from pathlib import Path

import pytest

SCRIPT = """
import sys
import sightline
with sightline.Recorder(sys.argv[1]) as recorder:
    assert recorder.add_scalar("loss", 1, 0.5)
"""

MODULES = [
    f"sightline.{name}"
    for name in ("_core", "_ir", "_landscape", "_profiler", "_profiles", "_runs")
]


@pytest.mark.parametrize("order", itertools.permutations(MODULES, 2), ids=" ".join)
def test_any_two_of_its_modules_live_in_one_process_in_any_order(request, order):
    """With the system's libprotobuf they share one register of schemas, which takes no schema twice."""
    python = Path(request.config.getoption("--user-python"))
    subprocess.run([python, "-c", f"import {', '.join(order)}"], check=True)


def test_the_installed_package_records_and_the_installed_program_shows_it(request, tmp_path):
    python = Path(request.config.getoption("--user-python"))
    subprocess.run([python, "-c", SCRIPT, tmp_path / "run"], check=True)
    shown = subprocess.run(
        [python.parent / "sightline", "cat", tmp_path / "run"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert '"tag":"loss","scalar_value":0.5' in shown.stdout

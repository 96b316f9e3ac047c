"""What pip install . made, in the Python that --user-python names: the package and the program."""

import subprocess
from pathlib import Path

SCRIPT = """
import sys
import sightline
with sightline.Recorder(sys.argv[1]) as recorder:
    assert recorder.add_scalar("loss", 1, 0.5)
"""


def test_the_installed_package_records_and_the_installed_program_shows_it(request, tmp_path):
    python = Path(request.config.getoption("--user-python"))
    subprocess.run([python, "-c", SCRIPT, tmp_path / "run"], check=True)
    shown = subprocess.run([python.parent / "sightline", "cat", tmp_path / "run"], check=True, stdout=subprocess.PIPE, text=True)
    assert '"tag":"loss","scalar_value":0.5' in shown.stdout

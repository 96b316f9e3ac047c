"""sightline run: Python programs that it starts record through Sightline, without a change to them."""

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PROGRAM = Path(sysconfig.get_path("scripts")) / "sightline"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """run(*command, **environment) in tmp_path, recorded in its folder run."""
    monkeypatch.chdir(tmp_path)
    for name in ("PYTHONPATH", "SIGHTLINE_RUN", "SIGHTLINE_CAPTURE"):
        monkeypatch.delenv(name, raising=False)

    def run(*command, **environment):
        words = [PROGRAM, "run", "--dir", "run", "--", *command]
        return subprocess.run(
            words, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
        )

    return run


def test_what_tensorboardx_logs_survives_a_kill(run, tmp_path):
    script = """
import os, signal
from tensorboardX import SummaryWriter
writer = SummaryWriter("logs")
for step in range(100):
    writer.add_scalar("loss", 1 / (step + 1), step)
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert run(sys.executable, "-c", script).returncode == -9
    listed = subprocess.run([PROGRAM, "info", "--json", "logs"], capture_output=True, check=True)
    (tag,) = json.loads(listed.stdout)["runs"][0]["tags"]
    assert (tag["tag"], tag["values"]) == ("loss", 100)


def test_a_captured_run_names_the_folder_of_its_console(run, tmp_path):
    script = "from tensorboardX import SummaryWriter; SummaryWriter('logs').close(); print('said')"
    run(sys.executable, "-c", script)
    (facts,) = (tmp_path / "logs").glob(".sightline-run-*.json")
    folder = json.loads(facts.read_text())["folder"]
    assert (Path(folder) / "console.log").read_text() == "said\n"


def test_a_program_without_a_writer_imports_nothing_of_ours(run):
    script = "import sys; print([name for name in sys.modules if 'sightline' in name], sys.path[0])"
    done = run(sys.executable, "-c", script)
    assert done.stdout == "[] \n" and done.stderr == ""


def test_it_can_be_switched_off(run, tmp_path):
    script = "from tensorboardX import SummaryWriter; SummaryWriter('logs').close()"
    run(sys.executable, "-c", script, SIGHTLINE_CAPTURE="0")
    assert not list((tmp_path / "logs").glob(".sightline-run-*"))


def test_the_sitecustomize_that_is_hidden_is_imported(run, tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "sitecustomize.py").write_text("print('theirs')\nvalue = 3\n")
    script = "import sitecustomize; print(sitecustomize.value)"
    done = run(sys.executable, "-c", script, PYTHONPATH=str(tmp_path / "theirs"))
    assert done.stdout == "theirs\n3\n" and done.stderr == ""


def test_what_the_hidden_one_raises_is_said_as_without_us(run, tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "sitecustomize.py").write_text("import no_such_module\n")
    done = run(sys.executable, "-c", "print(1)", PYTHONPATH=str(tmp_path / "theirs"))
    assert done.stdout == "1\n" and "No module named 'no_such_module'" in done.stderr


def test_a_python_without_sightline_runs_as_it_is(run, tmp_path):
    writer = tmp_path / "theirs" / "tensorboardX"
    writer.mkdir(parents=True)
    (writer / "__init__.py").touch()
    (writer / "writer.py").write_text("name = 'theirs'\n")
    (tmp_path / "theirs" / "sightline.py").write_text("raise RuntimeError('broken')\n")
    script = "from tensorboardX.writer import name; print(name)"
    done = run(sys.executable, "-c", script, PYTHONPATH=str(tmp_path / "theirs"))
    assert done.stdout == "theirs\n" and done.stderr == ""


def test_it_is_syntax_of_every_python_from_3_6(run, tmp_path):
    run("true")
    ast.parse(
        (tmp_path / "run/.sightline-python/sitecustomize.py").read_text(), feature_version=(3, 6)
    )


@pytest.mark.parametrize("version", ["2.7", *(f"3.{minor}" for minor in range(6, 15))])
def test_every_python_that_is_here_starts_below_it(run, version):
    names = [Path("/usr/bin") / f"python{version}"]
    names += Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    for python in filter(lambda name: shutil.which(name), map(str, names)):
        done = run(python, "-c", "import os; os.write(1, b'fine')")
        assert (done.stdout, done.stderr, done.returncode) == ("fine", "", 0)

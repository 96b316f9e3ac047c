"""What a captured program ran on: a file beside its events, without secrets."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

from capture_test import CAPTURE
from sightline._run_facts import environment

S = "s3cr3tValue0123456789"


def test_of_the_environment_only_names_of_a_list_are_kept():
    variables = {
        "RANK": "1",
        "SLURM_JOB_ID": "7",
        "NCCL_DEBUG": "INFO",
        "MASTER_ADDR": "host",
        "HOME": "/root",
        "WANDB_API_KEY": S,
        "NCCL_AUTH_TOKEN": S,
        "MASTER_PASSWORD": S,
        "ASCEND_URL": f"https://u:{S}@host",
    }
    kept = environment(variables)
    assert kept.keys() == {"RANK", "SLURM_JOB_ID", "NCCL_DEBUG", "MASTER_ADDR", "ASCEND_URL"}
    assert S not in str(kept)


def test_a_captured_run_says_what_it_ran_on(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)

    git("init", "--initial-branch=trunk")
    git("remote", "add", "origin", f"https://user:{S}@host/x.git")
    Path("train.txt").write_text("1")
    git("add", "train.txt")
    git("commit", "--message", "first")
    Path("train.txt").write_text("2")
    script = (
        CAPTURE
        + """
import sys
from tensorboardX import SummaryWriter
with SummaryWriter(sys.argv[1]) as writer:
    writer.add_scalar("loss", 1.0, 1)
"""
    )
    run_script(script, tmp_path / "run", "--token", S, RANK="0", WORLD_SIZE="1")
    (file,) = (tmp_path / "run").glob(".sightline-run-*.json")
    assert file.stat().st_mode & 0o777 == 0o600 and S not in file.read_text()
    facts = json.loads(file.read_text())
    assert facts["command"].endswith("--token '***'") and facts["directory"] == str(tmp_path)
    assert facts["git"]["branch"] == "trunk" and len(facts["git"]["commit"]) == 40
    assert facts["git"]["differs"] is True and facts["git"]["changed"] == "train.txt"
    diff = subprocess.run(["git", "diff", "HEAD"], check=True, capture_output=True).stdout
    assert facts["git"]["diff_sha256"] == hashlib.sha256(diff).hexdigest()
    assert facts["git"]["remote"] == "https://***@host/x.git"
    assert facts["env"]["RANK"] == "0" and facts["cpus"] >= 1 and facts["memory_bytes"] > 0
    assert "numpy" in facts and "numpy==" in facts["packages"] and facts["python"]["version"]


def test_sessions_find_what_is_the_same_for_all_once_and_have_environments_of_their_own(
    run_script, tmp_path, monkeypatch
):
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\nread go <{tmp_path}/go\necho 1234\n'
    )
    program.chmod(0o700)
    os.mkfifo(tmp_path / "go")
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    script = (
        CAPTURE
        + """
import os, sys
from tensorboardX import SummaryWriter
for rank in range(4):
    os.environ["RANK"] = str(rank)
    SummaryWriter(f"{sys.argv[1]}/{rank}").close()
while not os.path.exists(sys.argv[1] + "/../asked"):
    pass
child = os.fork()  # While the first one looks.
go = os.open(sys.argv[1] + "/../go", os.O_RDWR)
os.write(go, 100 * b"\\n")
if child == 0:
    SummaryWriter(f"{sys.argv[1]}/4").close()
    sys.exit()
os.waitpid(child, 0)
"""
    )
    run_script(script, tmp_path / "run", PYTHONWARNINGS="ignore::DeprecationWarning")
    found = [
        json.loads(next((tmp_path / f"run/{rank}").glob(".sightline-run-*.json")).read_text())
        for rank in range(5)
    ]
    assert [of_session["env"]["RANK"] for of_session in found] == ["0", "1", "2", "3", "3"]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert len([line for line in asked if line.endswith(" rev-parse HEAD")]) <= 2  # And the child.


MONITOR = """
import json, os, sys
import sightline
os.chdir(sys.argv[1])
with sightline.SummaryMonitor("run", collect_freq=1) as monitor:
    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    monitor.end_step(1, loss=1.0)
print(monitor.recorder.session_id)
"""


def test_a_run_of_summary_monitor_says_what_it_ran_on(run_script, tmp_path):
    session = run_script(MONITOR, tmp_path, RANK="0", WORLD_SIZE="1").stdout.split()[-1]
    (file,) = (tmp_path / "run").glob(".sightline-run-*.json")
    assert file.name == f".sightline-run-{session}.json"
    assert json.loads(file.read_text())["env"]["RANK"] == "0"


def test_each_training_of_summary_monitor_has_facts_of_its_own(run_script, tmp_path):
    run_script(MONITOR + "monitor.next().end()", tmp_path)
    assert len(list((tmp_path / "run").glob(".sightline-run-*.json"))) == 2


def test_whoever_does_not_want_facts_switches_them_off(run_script, tmp_path):
    switch = 'collect_freq=1, collect_specified_data={"collect_run_facts": False}'
    run_script(MONITOR.replace("collect_freq=1", switch) + "monitor.next().end()", tmp_path)
    assert not list((tmp_path / "run").glob(".sightline-run-*.json"))


def test_a_monitor_that_records_nothing_writes_no_facts(run_script, tmp_path):
    script = """
import sys
import sightline
with sightline.SummaryMonitor(sys.argv[1]) as monitor:
    assert not monitor.enabled
"""
    run_script(script, tmp_path / "run", SIGHTLINE_DISABLE="1")
    assert not (tmp_path / "run").exists()


def test_a_training_goes_on_without_a_working_directory(run_script, tmp_path):
    script = """
import os, sys
import sightline
os.mkdir(sys.argv[1])
os.chdir(sys.argv[1])
os.rmdir(sys.argv[1])
with sightline.SummaryMonitor(sys.argv[1], collect_freq=1) as monitor:
    monitor.end_step(1, loss=1.0)
assert monitor.stats.first_error is None
"""
    assert "Traceback" not in run_script(script, tmp_path / "run").stderr

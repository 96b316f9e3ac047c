"""What becomes of a recording when the process forks, is killed, or just ends; and who else lives in the process."""

import signal

import pytest

OPEN = """
import os, sys, signal
import numpy as np
import sightline
recorder = sightline.Recorder(sys.argv[1], formats=("mindspore", "tensorboard"), export_npy=True)
"""

RECORD = """
for step in range(1, 1001):
    assert recorder.add_scalar("loss", step, step)
"""

ALL_STEPS = {("loss", step): float(step) for step in range(1, 1001)}


def test_exit_without_close_writes_everything_and_leaves_no_journal(
    run_script, recording, tmp_path
):
    done = run_script(OPEN + RECORD, tmp_path / "run")
    assert done.stderr == ""
    assert recording(tmp_path / "run").scalars() == ALL_STEPS
    assert [file.name for file in (tmp_path / "run").iterdir() if "journal" in file.name] == []


@pytest.mark.parametrize(
    "ending",
    ["raise SystemExit(0)", "keep = [recorder]; keep.append(keep)", "del recorder"],
    ids=["SystemExit", "kept in a cycle", "deleted"],
)
def test_however_the_interpreter_ends_nothing_is_lost(run_script, recording, tmp_path, ending):
    assert run_script(OPEN + RECORD + ending, tmp_path / "run").stderr == ""
    assert recording(tmp_path / "run").scalars() == ALL_STEPS


def test_exit_with_arrays_still_waiting_writes_them(run_script, tmp_path):
    import numpy as np

    script = (
        OPEN
        + """
for step in range(20):
    recorder.add_tensor("t", step, np.full(500_000, step, np.float32))
"""
    )
    assert run_script(script, tmp_path / "run").stderr == ""
    for step in range(20):
        (file,) = (tmp_path / "run").glob(f"export_*/tensor/t_{step}.npy")
        assert (np.load(file) == step).all()


def test_sigterm_completes_the_files(run_script, recording, tmp_path):
    done = run_script(
        OPEN + RECORD + "os.kill(os.getpid(), signal.SIGTERM)\nsignal.pause()",
        tmp_path / "run",
        check=False,
    )
    assert done.returncode == -signal.SIGTERM
    assert recording(tmp_path / "run").scalars() == ALL_STEPS
    assert [file.name for file in (tmp_path / "run").iterdir() if "journal" in file.name] == []


def test_a_program_that_handles_sigterm_goes_on(run_script, recording, tmp_path):
    handle = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: None)\n"
    script = handle + OPEN + "os.kill(os.getpid(), signal.SIGTERM)" + RECORD
    assert run_script(script, tmp_path / "run").stderr == ""
    assert recording(tmp_path / "run").scalars() == ALL_STEPS


def test_sigterm_to_a_worker_ends_the_worker_alone(run_script, recording, tmp_path):
    worker = """
for _ in range(4):
    if (child := os.fork()) == 0:
        signal.alarm(60)
        signal.pause()
    os.kill(child, signal.SIGTERM)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
"""
    run_script(OPEN + worker + RECORD, tmp_path / "run")
    assert recording(tmp_path / "run").scalars() == ALL_STEPS


def test_sigkill_loses_nothing_that_was_accepted(run_script, recording, tmp_path):
    done = run_script(
        OPEN + RECORD + "os.kill(os.getpid(), signal.SIGKILL)", tmp_path / "run", check=False
    )
    assert done.returncode == -signal.SIGKILL
    # A reader sees it while the journal is still there, and the next recorder writes it into the files.
    assert recording(tmp_path / "run").scalars() == ALL_STEPS
    run_script(OPEN, tmp_path / "run")
    assert recording(tmp_path / "run").scalars() == ALL_STEPS


EVERY_KIND = """
import os, signal, sys
import numpy as np
import sightline
from sightline.torch import SummaryWriter
array = np.arange(48, dtype=np.uint8).reshape(1, 3, 4, 4)
writer = SummaryWriter(sys.argv[1] + "/writer")
monitor = sightline.SummaryMonitor(sys.argv[1] + "/monitor", say=lambda line: None, custom_lineage_data={"seed": 1})
monitor.begin(epochs=1, steps_per_epoch=1, network="net")
recorder = sightline.Recorder(sys.argv[1] + "/recorder", formats=("mindspore", "tensorboard"), export_npy=True)
assert recorder.add_histogram("h", 1, array) and recorder.add_tensor("t", 1, array) and recorder.add_image("i", 1, array)
assert recorder.record(1, {"a": 1.0, "b": array})
writer.add_text("text", "kept", 1)
writer.add_audio("sound", np.zeros(10), 1)
monitor.end_step(1, loss=0.5, parameters={"w": array})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_sigkill_loses_no_kind_of_value(run_script, recording, tmp_path):
    assert run_script(EVERY_KIND, tmp_path, check=False).returncode == -signal.SIGKILL
    recorder = recording(tmp_path / "recorder")
    # Once in each dialect.
    assert sorted(value["tag"] for _, value in recorder.values) == [
        "a",
        "a",
        "b",
        "b",
        "h",
        "h",
        "i",
        "i",
        "t",
        "t",
    ]
    assert {value["tag"] for _, value in recording(tmp_path / "writer").values} == {
        "text/text_summary",
        "sound",
    }
    monitor = recording(tmp_path / "monitor")
    assert monitor.scalars()["loss/auto", 1] == 0.5 and monitor.of("histogram").keys() == {
        ("w/auto", 1)
    }
    assert any("user_defined_info" in event for event in monitor.events)


# What unshare and mount of util-linux need: root, or a user namespace.
ON_A_SMALL_DISK = """
import os, subprocess, sys
disk, inner = sys.argv[1], sys.argv[2:]
os.makedirs(disk)
as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
mounted = 'mount -t tmpfs -o size=16m none "$0" && exec "$@"'
sys.exit(subprocess.call(["unshare", "--mount", *as_root, "sh", "-c", mounted, disk, sys.executable, *inner]))
"""

UNTIL_THE_DISK_IS_FULL = """
import os, shutil, sys
import sightline
disk, out = sys.argv[1:]
recorder = sightline.Recorder(disk + "/run", buffer_bytes=1 << 20, min_free_disk_bytes=0, flush_interval=0.01)
with open(disk + "/ballast", "wb") as ballast:
    room = os.statvfs(disk)
    os.posix_fallocate(ballast.fileno(), 0, room.f_bavail * room.f_frsize - (1 << 16))
accepted = [step for step in range(100_000) if recorder.add_scalar("loss", step, step)]
try:
    recorder.close()
except OSError as error:
    assert "No space left" in str(error), error
else:
    raise AssertionError("closed a recorder that could not write everything")
assert recorder.stats.dropped_values == 100_000 - len(accepted) > 0
os.remove(disk + "/ballast")
sightline.Recorder(disk + "/run", min_free_disk_bytes=0).close()  # Completes the files.
shutil.copytree(disk + "/run", out)
print(*accepted)
"""


def test_a_full_disk_loses_nothing_that_was_accepted(run_script, recording, tmp_path):
    (tmp_path / "inner.py").write_text(UNTIL_THE_DISK_IS_FULL)
    disk, out = tmp_path / "disk", tmp_path / "out"
    done = run_script(ON_A_SMALL_DISK, disk, tmp_path / "inner.py", disk, out)
    accepted = [int(step) for step in done.stdout.split()]
    assert len(accepted) > 1000
    assert recording(out).scalars() == {("loss", step): float(step) for step in accepted}


def test_a_forked_child_records_nothing_and_disturbs_nothing(run_script, recording, tmp_path):
    script = (
        OPEN
        + """
recorder.add_scalar("loss", 1, 1.0)
recorder.add_tensor("large", 1, np.ones(300_000, np.float32))
monitor = sightline.SummaryMonitor(sys.argv[1] + "/monitor", say=lambda line: None)
from sightline.torch import SummaryWriter
writer = SummaryWriter(sys.argv[1] + "/writer")
child = os.fork()
if child == 0:
    assert not recorder.add_scalar("loss", 2, 2.0)
    assert not recorder.add_tensor("t", 2, np.ones(100_000))
    assert not recorder.record(2, {"loss": 2.0})
    recorder.flush()
    recorder.close()
    monitor.end_step(1, loss=1.0)
    monitor.log({"x": 1}, 1)
    writer.add_text("text", "lost", 1)
    writer.close()
    monitor.end()
    sys.exit(7)  # Through Python's atexit.
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
recorder.add_scalar("loss", 3, 3.0)
recorder.close()
monitor.end()
"""
    )
    # From 3.12 on Python warns at every fork of a process with threads, and a recorder has threads.
    done = run_script(script, tmp_path / "run", PYTHONWARNINGS="ignore::DeprecationWarning")
    assert done.stderr == ""
    assert recording(tmp_path / "run").scalars() == {("loss", 1): 1.0, ("loss", 3): 3.0}
    assert recording(tmp_path / "run" / "monitor").scalars() == {}
    assert recording(tmp_path / "run" / "writer").values == []


def test_worker_processes_of_multiprocessing_record_runs_of_their_own(
    run_script, recording, tmp_path
):
    script = (
        OPEN
        + """
import multiprocessing
def work(name):
    with sightline.Recorder(os.path.join(sys.argv[1], name)) as own:
        own.add_scalar("loss", 1, 1.0)
workers = [multiprocessing.get_context("fork").Process(target=work, args=(name,)) for name in "ab"]
for worker in workers: worker.start()
for worker in workers: worker.join()
assert all(worker.exitcode == 0 for worker in workers)
"""
    )
    run_script(script, tmp_path / "run")
    for name in "ab":
        assert recording(tmp_path / "run" / name).scalars() == {("loss", 1): 1.0}


def test_another_protocol_buffers_that_everybody_sees_disturbs_nothing(
    run_script, recording, tmp_path
):
    script = """
    import ctypes, sys
    ctypes.CDLL("libprotobuf.so.32", mode=ctypes.RTLD_GLOBAL)
    import sightline
    from sightline.torch import SummaryWriter
    with SummaryWriter(sys.argv[1]) as writer:
        writer.add_text("text", "words", 1)  # Checked by Protocol Buffers.
        assert writer.recorder.stats.first_error is None
    """
    assert run_script(script, tmp_path).stderr == ""
    assert [value["tag"] for _, value in recording(tmp_path).values] == ["text/text_summary"]


def test_importing_sightline_imports_neither_torch_nor_tensorboard_nor_numpy(run_script):
    run_script(
        """
        import sys
        import sightline, sightline.torch
        assert not {"torch", "tensorboard", "tensorflow", "numpy"} & set(sys.modules), sorted(sys.modules)
        """
    )

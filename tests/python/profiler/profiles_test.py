"""sightline.profiles: the ranks of a made training on four NPUs, of which one is slow."""

import json
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

import pytest
from sightline import profiles

RANKS = 4
COLUMNS = "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing"


def write_rank(folder: Path, rank: int) -> None:
    """Three steps of 10 ms. Rank 2 computes 8 ms of each, the others 6, and wait for it in the collective."""
    output = folder / f"rank_{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    members = {"group_name": "dp", "group_rank": rank, "global_ranks": [*range(RANKS)]}
    text = json.dumps({"parallel_group_info": {"group_name_0": members}})
    (output.parent / "profiler_metadata.json").write_text(text)
    (output.parent / f"profiler_info_{rank}.json").write_text(json.dumps({"rank_id": rank}))
    computing = 8000 if rank == 2 else 6000
    alone = 9000 - computing
    row = f"{computing},{alone},0,{alone},1000,10000,0,{alone},0"
    rows = [f"{rank},{step},{row}" for step in (1, 2, 3)]
    (output / "step_trace_time.csv").write_text("\n".join([COLUMNS, *rows, ""]))
    times = {"Start Timestamp(us)": 1e9, "Elapse Time(ms)": alone / 1000, "Transit Time(ms)": 1}
    operator = {"Communication Time Info": times, "Communication Bandwidth Info": {}}
    # The number of the group is the hash of its name.
    collective = {"hcom_allReduce__612_0_1@5862276093215481612": operator}
    steps = {f"step{step}": {"collective": collective, "p2p": {}} for step in (1, 2, 3)}
    (output / "communication.json").write_text(json.dumps(steps))


def write_ranks(folder: Path) -> Path:
    for rank in range(RANKS):
        write_rank(folder, rank)
    return folder


@pytest.fixture
def training(tmp_path: Path) -> Path:
    return write_ranks(tmp_path / "training")


def printed(folder: Path, code: int = 0) -> Any:
    """What the wheel's program prints of it."""
    program = shutil.which("sightline", path=sysconfig.get_path("scripts"))
    assert program, "the wheel's program sightline is not installed beside this Python"
    done = subprocess.run(
        [program, "profile", "cluster", "--json", folder], capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_a_cluster_is_what_the_program_prints(training):
    cluster = profiles.cluster(training)
    assert cluster == printed(training)
    (found,) = cluster["findings"]
    assert (found["rule"], found["subject"]) == ("slow-rank", "rank 2")
    assert cluster["collectives"]["judged"] == 3
    assert [rank["collectives"]["last"] for rank in cluster["ranks"]] == [0, 0, 3, 0]


def test_paths_may_be_the_profiles_themselves(training):
    assert profiles.cluster(sorted(training.iterdir())) == profiles.cluster(str(training))


def test_processes_give_the_same(training):
    with futures.ProcessPoolExecutor(2) as executor:
        assert profiles.cluster(training, executor=executor) == printed(training)


def test_a_cluster_of_dask_gives_the_same(training, dask_executor):
    assert profiles.cluster(training, executor=dask_executor) == printed(training)


class Elsewhere(futures.Executor):
    """Sees folders that this process does not see before."""

    def __init__(self, arrive: Callable[[], object]) -> None:
        self._arrive = arrive
        self.calls = 0

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> "futures.Future[Any]":
        self._arrive()
        self.calls += 1
        done: futures.Future[Any] = futures.Future()
        done.set_result(function(*arguments, **named))
        return done


def test_a_folder_that_only_the_executor_sees_is_read_there(tmp_path):
    training = tmp_path / "training"
    executor = Elsewhere(lambda: write_ranks(training))
    cluster = profiles.cluster(training, executor=executor)
    assert cluster == printed(training)
    assert executor.calls == 1


@pytest.mark.parametrize("processes", [0, 2])
def test_a_rank_that_cannot_be_read_is_named_and_the_others_are_compared(training, processes):
    table = training / "rank_1_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv"
    table.parent.joinpath("communication.json").unlink()
    table.write_text("")
    executor = futures.ProcessPoolExecutor(processes) if processes else None
    with pytest.warns(RuntimeWarning, match="rank_1_ascend_pt"):
        cluster = profiles.cluster(training, executor=executor)
    assert cluster == printed(training, code=1)
    assert [rank["rank"] for rank in cluster["ranks"] if rank.get("own_us")] == [0, 2, 3]
    assert cluster["missing_ranks"] in ([1], [])


def test_without_any_rank_it_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no rank can be read: .*nothing"):
        profiles.cluster(tmp_path / "nothing")
    with pytest.raises(ValueError, match="no rank can be read: there is no path"):
        profiles.cluster([])

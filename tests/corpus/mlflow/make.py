"""Makes the stores of this folder with the real `mlflow` package (3.18): a database and a folder.

    python3 -m venv env && env/bin/pip install 'mlflow==3.18.*'
    mkdir /home/user && cp make.py /home/user && cd /home/user
    env -i PATH=/usr/bin:/bin "$OLDPWD"/env/bin/python make.py

Both have the same runs. Names and places are those below, so that no real ones are in the files. The
database is compressed. `expected.json` has what was logged, value for value, by the name of the run
and that of the metric: step, milliseconds, value; NaN and the infinities are the texts "nan", "inf",
"-inf".
"""

import gzip
import json
import math
import os
import shutil

from mlflow import MlflowClient
from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, RunTag

BEGIN = 1_790_000_000_000


def plain(value):
    return value if math.isfinite(value) else str(value)


def fill(uri):
    """Fills an empty store, and returns what was logged."""
    client = MlflowClient(uri)
    logged = {}

    def begin(experiment, name, started, **tags):
        tags = {key.replace("_", "."): value for key, value in tags.items()}
        run = client.create_run(experiment, start_time=started, run_name=name, tags=tags)
        return run.info.run_id

    def log(run, of, points):
        """points: (metric, milliseconds, step, value)."""
        client.log_batch(run, [Metric(key, value, time, step) for key, time, step, value in points])
        for key, time, step, value in points:
            logged.setdefault(of, {}).setdefault(key, []).append([step, time, plain(value)])

    digits = client.create_experiment("digits", artifact_location="/home/user/artifacts/digits")
    first = begin(
        digits,
        "first run",
        BEGIN,
        mlflow_user="user1",
        mlflow_source_name="train.py",
        mlflow_source_type="LOCAL",
        mlflow_source_git_commit="0123456789abcdef0123456789abcdef01234567",
        mlflow_source_git_branch="main",
        mlflow_source_git_repoURL="https://user1:secret@example.com/digits.git",
        mlflow_note_content="a note",
        team="vision",
    )
    params = {"lr": 0.1, "batch_size": 64, "optimizer/name": "adam", "amp": True, "code": "007", "eps": 1e-08}
    params |= {"seed": 2**60, "big": 10**25, "layers": [1, 2], "empty": "None"}
    client.log_batch(first, params=[Param(key, str(value)) for key, value in params.items()])
    for step in range(40):
        time = BEGIN + 1000 + step * 250
        log(first, "first run", [("loss", time, step, 1 / (step + 3)), ("val/accuracy", time, step, 0.5 + step * 0.01)])
    log(
        first,
        "first run",
        [
            ("loss", BEGIN + 12_001, 40, math.nan),
            ("loss", BEGIN + 12_002, 41, math.inf),
            ("loss", BEGIN + 12_003, 42, -math.inf),
            ("before", BEGIN + 12_000, -3, 1.5),
            ("before", BEGIN + 12_000, -1, 2.5),
            ("before", BEGIN + 11_000, -2, 1e-300),
            ("twice", BEGIN + 12_000, 7, 0.25),
            ("twice", BEGIN + 12_000, 7, 0.75),
            ("large", BEGIN + 12_000, 2**40, float(2**53)),
            ("system/cpu_utilization_percentage", BEGIN + 12_000, 0, 12.5),
        ],
    )
    client.log_inputs(
        first,
        [DatasetInput(Dataset("digits", "d1g3st", "local", "{}"), [InputTag("mlflow.data.context", "train")])],
    )
    client.set_terminated(first, "FINISHED", end_time=BEGIN + 20_000)

    again = begin(digits, "first run", BEGIN + 30_000)
    client.log_batch(again, params=[Param("lr", "0.2")], tags=[RunTag("mlflow.parentRunId", first)])
    client.set_terminated(again, "FAILED", end_time=BEGIN + 31_000)
    sharded = begin(digits, "a/b ü", BEGIN + 40_000)
    log(sharded, "a/b ü", [("loss", BEGIN + 40_500, 1, 3.0)])
    client.set_terminated(sharded, "KILLED", end_time=BEGIN + 41_000)
    client.delete_run(begin(digits, "deleted", BEGIN + 50_000))

    words = client.create_experiment("words", artifact_location="/home/user/artifacts/words")
    open_run = begin(words, "still open", BEGIN + 60_000)
    log(open_run, "still open", [("loss", BEGIN + 60_500, 1, 4.0)])

    gone = client.create_experiment("gone", artifact_location="/home/user/artifacts/gone")
    begin(gone, "with it", BEGIN + 70_000)
    client.delete_experiment(gone)
    return logged


def main():
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    shutil.rmtree("mlruns", ignore_errors=True)
    here = os.getcwd()
    logged = fill(f"sqlite:///{here}/mlflow.db")
    with open("mlflow.db", "rb") as store, gzip.open("mlflow.db.gz", "wb") as out:
        out.write(store.read())
    os.remove("mlflow.db")
    assert fill(f"file://{here}/mlruns") == logged
    with open("expected.json", "w", encoding="utf-8") as out:
        json.dump(logged, out)


if __name__ == "__main__":
    main()

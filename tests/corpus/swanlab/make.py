"""Makes the files of this folder with the real `swanlab` package, offline: once with 0.7, once with 0.10.

    python3 -m venv env && env/bin/pip install 'swanlab==0.7.*'    # Then 0.10.
    mkdir -p /run1/env && cp make.py /run1
    unshare --uts --mount sh -c 'hostname host1 && mount --bind env /run1/env && cd /run1 &&
        env -i USER=user1 HOME=/run1 PATH=/usr/bin:/bin env/bin/python make.py'

Copy the run's `.swanlab` file, and `config.yaml` and `swanlab-metadata.json` of its folder `files`. `expected.json` has what it logged, value for value: NaN and the
infinities as the texts "nan", "inf", "-inf".
"""

import json
import math
import time

import swanlab


def main():
    logged = {}

    def log(step, values):
        swanlab.log(values, step=step)
        for name, value in values.items():
            number = float(value)
            logged.setdefault(name, []).append([step, number if math.isfinite(number) else str(number)])

    named = "name" if swanlab.__version__.startswith("0.10.") else "experiment_name"
    swanlab.init(
        project="digits",
        logdir="swanlog",
        mode="offline",
        description="a note",
        tags=["small", "test"],
        config={"lr": 0.1, "batch_size": 64, "optimizer": {"name": "adam", "betas": [0.9, 0.999]}},
        **{named: "first run"},
    )
    for step in range(25):
        loss = 1 / (step + 3)
        log(step, {"loss": loss, "train/accuracy": 1 - loss, "epoch": step // 10})
        print("step", step)
    log(25, {"loss": math.nan, "up": math.inf, "large": 2**53})
    swanlab.log({"note": swanlab.Text("a text")}, step=26)
    time.sleep(12)
    swanlab.finish()
    with open("expected.json", "w") as out:
        json.dump(logged, out)


if __name__ == "__main__":
    main()

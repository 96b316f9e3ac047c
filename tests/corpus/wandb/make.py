"""Makes the files of this folder with the real `wandb` package (0.31), offline.

    python3 -m venv env && env/bin/pip install 'wandb==0.31.*'
    mkdir -p /run1/env && cp make.py /run1
    unshare --uts --mount sh -c 'hostname host1 && mount --bind env /run1/env && cd /run1 &&
        env -i USER=user1 HOME=/run1 PATH=/usr/bin:/bin env/bin/python make.py --epochs 4'

It prints where the run is; copy its `.wandb` file. The names of the machine are those above, so that
no real ones are in the file. `expected.json` has what it logged, value for
value: NaN and the infinities as the texts "nan", "inf", "-inf".
"""

import base64
import json
import math
import os
import platform
import time

import wandb


# Two red and two green pixels.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEUlEQVR4nGP4z8DA8B+MgBgAHfAD/dPQfSYAAAAASUVORK5CYII=")


def plain(value):
    return value if math.isfinite(value) else str(value)


def main():
    os.environ["WANDB_MODE"] = "offline"
    platform.platform = lambda *_args, **_named: "Linux"
    with open("picture.png", "wb") as out:
        out.write(PICTURE)
    logged = {}

    def log(step, values):
        run.log(values, step=step)
        for name, value in values.items():
            if isinstance(value, (int, float)):
                logged.setdefault(name, []).append([step, plain(float(value))])

    run = wandb.init(
        project="digits",
        name="first run",
        id="digits01",
        dir=".",
        group="group a",
        tags=["small", "test"],
        notes="a note",
        config={
            "lr": 0.1,
            "batch_size": 64,
            "optimizer": {"name": "adam", "betas": [0.9, 0.999]},
            "amp": True,
            "code": "007",
        },
        settings=wandb.Settings(
            disable_git=True,
            save_code=False,
            console="wrap_raw",
            quiet=True,
            x_stats_sampling_interval=1.0,
            x_save_requirements=False,
        ),
    )
    for step in range(40):
        loss = 1 / (step + 3)
        log(step, {"loss": loss, "train/accuracy": 1 - loss, "epoch": step // 10})
        run.log({"nested": {"a": {"b": step * 0.1}}}, step=step)
        logged.setdefault("nested.a.b", []).append([step, step * 0.1])
        print("step", step, "loss", loss)
    log(40, {"loss": math.nan, "up": math.inf, "down": -math.inf, "large": 2**53})
    run.log({"note": "a text", "flag": True, "nothing": None, "list": [1, 2]}, step=41)
    logged["flag"] = [[41, 1.0]]
    run.log({"weights": wandb.Histogram(np_histogram=([1, 2, 3], [0.0, 0.5, 1.0, 2.0]))}, step=42)
    run.log({"picture": wandb.Image("picture.png")}, step=43)
    run.config.update({"lr": 0.2}, allow_val_change=True)
    run.summary["best"] = 0.75
    run.define_metric("train/accuracy", summary="max")
    time.sleep(2.5)
    print(run.dir)
    run.finish()
    with open("expected.json", "w") as out:
        json.dump(logged, out)


if __name__ == "__main__":
    main()

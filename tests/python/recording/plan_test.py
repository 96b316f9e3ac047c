"""`sightline plan` says beforehand what SummaryMonitor then records: configurations by chance, planned, trained and read back."""

import json
import random
import shutil
import subprocess
import sysconfig

import numpy as np
import pytest
import sightline

KINDS = ("scalar", "histogram", "image", "tensor")


class Case:
    """A configuration and a training, fixed by a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.epochs, self.steps_per_epoch = self._random.randint(1, 12), self._random.randint(1, 60)
        self.sink_mode = self._maybe(0.2)
        self.ranks = self._random.choice([1, 1, 1, 2, 4])
        self.total = self.epochs if self.sink_mode else self.epochs * self.steps_per_epoch
        self.resume_from_step = (
            self._random.randint(2, self.total + 1) if self._maybe(0.2) else None
        )
        self.options = {
            "collect_freq": self._random.choice([1, 2, 3, 7, 10, 50, 1000, None]),
            "collect_tensor_freq": self._random.choice([1, 3, 10, 40, None, None, None]),
            "keep_default_action": self._random.choice([True, True, False, None]),
            "collect_specified_data": self._specified(),
            "frequencies": [self._frequency() for _ in range(self._random.randint(1, 3))]
            if self._maybe(0.4)
            else None,
            "resume_from_step": self.resume_from_step,
        }

    def _maybe(self, probability: float) -> bool:
        return self._random.random() < probability

    def _specified(self) -> dict:
        data = {
            name: self._random.choice([True, False, None])
            for name in ("collect_histograms", "collect_input_data")
            if self._maybe(0.3)
        }
        # The loss stands for all scalars: plan counts them where either of the two is collected.
        data["collect_metric"] = self._random.choice([True, False])
        data["collect_throughput"] = data["collect_metric"]
        return {**data, **({"histogram_regular": "w"} if self._maybe(0.2) else {})}

    def _frequency(self) -> dict:
        which = {"kind": self._random.choice(KINDS)} if self._maybe(0.7) else {"tag": "no such tag"}
        how = {
            name: self._random.randint(1, 30)
            for name in ("every_steps", "first_steps")
            if self._maybe(0.6)
        }
        return {**which, **(how or {"every_steps": 5})}


def planned(case: Case, config) -> dict:
    program = shutil.which("sightline", path=sysconfig.get_path("scripts"))
    length = [
        "--epochs",
        str(case.epochs),
        "--steps",
        str(case.steps_per_epoch),
        "--ranks",
        str(case.ranks),
    ]
    sink = ["--sink"] if case.sink_mode else []
    done = subprocess.run(
        [program, "plan", config, *length, *sink, "--json"],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def record(case: Case, config) -> None:
    with sightline.SummaryMonitor.from_yaml(config, say=lambda line: None) as monitor:
        monitor.begin(
            epochs=case.epochs,
            steps_per_epoch=case.steps_per_epoch,
            sink_mode=case.sink_mode,
            device_num=case.ranks,
            parallel_mode="data_parallel" if case.ranks > 1 else "stand_alone",
        )
        for step in range(case.resume_from_step or 1, case.total + 1):
            monitor.end_step(
                step,
                loss=1.0,
                parameters={"w": np.ones(2)},
                input=np.zeros((1, 1, 2, 2), np.float32),
                tensors={"t": np.ones(1)},
            )


@pytest.mark.parametrize("seed", range(40))
def test_what_is_planned_is_recorded(seed, tmp_path, recording):
    case = Case(seed)
    config = tmp_path / "config.yaml"
    callback = {"type": "SummaryMonitor", "summary_dir": str(tmp_path / "run"), **case.options}
    config.write_text(json.dumps({"callbacks": [callback]}))  # JSON is YAML.
    plan = planned(case, config)
    record(case, config)
    run = recording(tmp_path / "run")
    recorded = {kind: [step for _, step in run.of(kind)] for kind in KINDS[1:]}
    recorded["scalar"] = [step for tag, step in run.scalars() if tag == "loss/auto"]
    assert recorded == {kind: plan["kinds"][kind]["steps"] for kind in KINDS}
    assert plan["total"] == case.total
    assert [plan["kinds"][kind]["count"] for kind in KINDS] == [
        len(recorded[kind]) for kind in KINDS
    ]

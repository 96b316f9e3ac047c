"""MindSpore's DynamicProfilerMonitor: profiles the steps of a running training that a file names.

    from sightline.mindspore import DynamicProfilerMonitor

    model.train(10, dataset, callbacks=[DynamicProfilerMonitor(cfg_path="./dyn_cfg")])

Edit ./dyn_cfg/profiler_config.json while the training runs, above all start_step and stop_step, to profile these steps.
docs/profiler.md has the keys. Nothing is raised into a training: errors are reported.
"""

import json
import os
from collections.abc import Callable
from typing import Any

import mindspore

from sightline import _trainings
from sightline.mindspore import dynamic_config
from sightline.mindspore.profiler import Profiler


class DynamicProfilerMonitor(mindspore.Callback):
    """Profiles the steps that profiler_config.json names.

    `cfg_path`: the folder of profiler_config.json, which rank 0 writes if it does not exist. Profiles go to
    "<output_path>/rank<r>_start<a>_stop<b>". `poll_interval` is MindSpore's and not needed: each step checks the file
    with one stat, and a change is in effect from the next step on. `say` gets each line; default: standard error.
    Raises TypeError for wrong arguments, OSError for errors of the folder.
    """

    def __init__(
        self,
        cfg_path: str,
        output_path: str = "./dyn_profile_data",
        poll_interval: int = 2,
        *,
        say: Callable[[str], object] | None = None,
    ) -> None:
        super().__init__()
        for name, value in (("cfg_path", cfg_path), ("output_path", output_path)):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a str, but it is a {type(value).__name__}")
        if not isinstance(poll_interval, int) or isinstance(poll_interval, bool):
            raise TypeError(
                f"poll_interval must be an int, but it is a {type(poll_interval).__name__}"
            )
        self._rank = _trainings.rank()
        self._output_path = output_path
        self._say = say or _trainings.say_on_standard_error
        self._file = os.path.join(cfg_path, dynamic_config.FILE)
        self._seen: tuple[int, int, int] | None = None
        self._next: dynamic_config.Request | None = None  # Waits for its first step.
        self._running: dynamic_config.Request | None = None
        self._profiler: Profiler | None = None
        self._write_default(cfg_path)

    def _write_default(self, folder: str) -> None:
        if self._rank != 0 or os.path.exists(self._file):
            return
        os.makedirs(folder, exist_ok=True)
        with open(self._file, "w", encoding="utf-8") as file:
            json.dump(dynamic_config.DEFAULTS, file, indent=4)

    def on_train_step_begin(self, run_context: Any) -> None:
        step = run_context.original_args()["cur_step_num"]
        self._look(step)
        request = self._next
        # In sink mode a callback sees only some steps.
        if request is not None and self._running is None and step >= request.start:
            self._next = None
            self._start(request)

    def on_train_step_end(self, run_context: Any) -> None:
        if (
            self._running is not None
            and run_context.original_args()["cur_step_num"] >= self._running.stop
        ):
            self._stop()

    def on_train_end(self, run_context: Any) -> None:
        if self._running is not None:
            self._say(
                f"the training ends before step {self._running.stop}: the profile has the steps so far"
            )
            self._stop()

    def _look(self, step: int) -> None:
        """Reads the file if it has changed."""
        try:
            stat = os.stat(self._file)
            seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if seen == self._seen:
                return
            self._seen = seen
            with open(self._file, encoding="utf-8") as file:
                request = dynamic_config.parse(file.read())
        except (OSError, ValueError) as error:
            if self._seen is not None:
                self._say(f"{self._file}: the earlier settings stay: {error}")
            if isinstance(error, OSError):
                self._seen = None  # Reported once; a file that comes back counts as new.
            return
        for notice in request.notices:
            self._say(f"{self._file}: {notice}")
        running = self._running
        if running is not None and request.start == running.start:
            if request.stop >= step:
                running.stop = request.stop
                return
        if request.start == 0:
            self._next = None
        elif request.start < step:
            self._say(
                f"{self._file}: start_step {request.start} has passed, this is step {step}: nothing is recorded"
            )
        else:
            self._next = request

    def _start(self, request: dynamic_config.Request) -> None:
        output = self._output_path or request.path
        folder = os.path.join(output, f"rank{self._rank}_start{request.start}_stop{request.stop}")
        try:
            self._profiler = Profiler(
                output_path=folder,
                op_time=request.operators,
                profile_memory=request.memory and request.operators,
            )
        except Exception as error:
            self._say(f"steps {request.start} to {request.stop} are not profiled: {error}")
            return
        self._running = request

    def _stop(self) -> None:
        request, self._running = self._running, None
        profiler, self._profiler = self._profiler, None
        if request is None or profiler is None:
            return
        try:
            profiler.stop()
            if request.analyse:
                profiler.analyse(mode=request.mode)
            for finding in profiler.summary:
                self._say(f"{profiler.folder}: {finding['what']} {finding['evidence']}")
        except Exception as error:
            self._say(
                f"the profile of the steps {request.start} to {request.stop} is incomplete: {error}"
            )

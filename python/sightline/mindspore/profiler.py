"""MindSpore's Profiler, in the signatures of MindSpore 2.4 to 2.10, for trainings on the processor.

    from sightline.mindspore import Profiler

    profiler = Profiler(output_path="./data")
    model.train(1, dataset)
    profiler.analyse()
    print(profiler.summary)

MindSpore's own collector records the operators, spans of sightline.profiler are recorded with them, and `analyse` adds
the report of `sightline profile summary`. docs/profiler.md has every option and method. Thread rule: one thread at a
time.
"""

import atexit
import json
import multiprocessing
import os
import warnings
import weakref
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sightline import _profiler_environment
from sightline import profiler as _spans
from sightline.mindspore import collector, profiler_files
from sightline.mindspore.profiler_options import ProfilerOptions

_MAX_METADATA = 100 << 20  # Bytes.

# The profiler that is collecting; MindSpore has one collector in a process.
_running: "weakref.ref[Profiler] | None" = None


class Profiler:
    """Profiles from its construction on, or from `start` on if `start_profile` is False.

    The keywords are those of mindspore.Profiler in docs/profiler.md. Raises TypeError for an unknown keyword or a value
    of another type, ValueError for a value out of its range; UserWarning for an option that has no effect on the
    processor. Raises RuntimeError while another Profiler, or MindSpore's own, is collecting. A profile that MindSpore
    started from MS_PROFILER_OPTIONS is adopted: it is collected and analysed here, with the options of that variable.
    """

    def __init__(self, **kwargs: Any) -> None:
        if unknown := kwargs.keys() - {option.name for option in fields(ProfilerOptions)}:
            raise TypeError(
                f"Profiler has no option {', '.join(sorted(unknown))}; docs/profiler.md has them all"
            )
        self._options = ProfilerOptions(**kwargs)
        # Stands in the names of folders for the host's name.
        self.worker_name: str | None = None
        self._metadata: dict[str, Any] = {}
        self._session: collector.Session | collector.EnvironmentSession | None = None
        self._recording: _spans.profile | None = None
        self._stopped: list[str] = []  # Folders to analyse.
        self._folder: str | None = None
        self._summary: list[dict[str, Any]] = []
        self._data = collector.DataSampler() if self._options.data_process else None
        if self._options.start_profile and not self._options.analyse_only:
            self._start()

    @property
    def folder(self) -> str | None:
        """The folder of the current session, or of the last one: "<output_path>/<host>_<pid>_<time>_ascend_ms"."""
        return self._folder

    @property
    def summary(self) -> list[dict[str, Any]]:
        """The findings of the last `analyse`: rule, subject, what, evidence, change and share of up to three things."""
        return self._summary

    def start(self) -> None:
        """Starts a session. Raises RuntimeError if it is already started, or if `start_profile` was not set to False."""
        if self._session is not None:
            raise RuntimeError("the Profiler has started: stop() comes before the next start()")
        if self._options.analyse_only:
            raise RuntimeError("a Profiler with analyse_only=True does not start")
        if self._options.start_profile:
            raise RuntimeError(
                "start() is for a Profiler with start_profile=False; this one started when it was made"
            )
        self._start()

    def _start(self) -> None:
        global _running
        other = _running() if _running is not None else None
        if other is not None and other._session is not None:
            raise RuntimeError(
                "another Profiler of this process is running: stop() or analyse() it first"
            )
        options = self._options
        adopted = collector.environment_session()
        if adopted is not None:
            _say_of_environment()
        self._session = adopted or collector.Session(
            os.path.realpath(options.output_path),
            operators=options.op_time,
            memory=options.profile_memory,
            data=self._data,
            worker=self.worker_name,
        )
        self._folder = self._session.folder
        _running = weakref.ref(self)
        atexit.register(self._stop_at_exit)
        if not _spans.recording():
            self._recording = _spans.profile(os.path.join(self._folder, profiler_files.SPANS))
            self._recording.start()

    def stop(self) -> None:
        """Stops the session. Raises RuntimeError if it is not started."""
        if self._session is None:
            raise RuntimeError("the Profiler has not started: start() comes before stop()")
        session, self._session = self._session, None
        atexit.unregister(self._stop_at_exit)
        try:
            session.stop()
        finally:
            if self._recording is not None:
                recording, self._recording = self._recording, None
                if recording.running:  # At the interpreter's end it has stopped itself.
                    recording.stop()
        self._stopped.append(session.folder)
        if self._metadata:
            collector.add_metadata(session.folder, self._metadata)

    def _stop_at_exit(self) -> None:
        if self._session is not None:
            self.stop()

    def analyse(
        self,
        offline_path: str | None = None,
        pretty: bool = False,
        step_list: Sequence[int] | None = None,
        mode: str = "sync",
    ) -> None:
        """Stops, and analyses the sessions since the last `analyse`; or the profiles in and below `offline_path`.

        pretty: the JSON files are indented. step_list: the trace has only these steps, which are consecutive numbers as
        `sightline profile steps` shows them. mode: "async" analyses in a separate process; `wait` and the interpreter's
        end wait for it, and `summary` stays empty. Raises ValueError or TypeError for wrong arguments, RuntimeError if
        there is nothing to analyse or no such step.
        """
        steps = profiler_files.checked_steps(step_list)
        if mode not in ("sync", "async"):
            raise ValueError(f"mode is {mode!r}: it must be 'sync' or 'async'")
        if offline_path is not None:
            folders = profiler_files.folders_below(offline_path)
        else:
            if self._session is not None:
                self.stop()
            folders, self._stopped = self._stopped, []
            if not folders:
                raise RuntimeError(
                    "there is nothing to analyse: the Profiler was not started since the last analyse()"
                )
        if mode == "async":
            # A fork, since the training's process has loaded MindSpore; a new process would need seconds to load it.
            process = multiprocessing.get_context("fork").Process(
                target=_analyse_all, args=(folders, pretty, steps)
            )
            process.start()
            _waited_for.append(process)
        else:
            self._summary = _analyse_all(folders, pretty, steps)

    @staticmethod
    def wait() -> None:
        """Waits until every analysis in a separate process is done."""
        while _waited_for:
            _waited_for.pop().join()

    @classmethod
    def offline_analyse(
        cls,
        path: str,
        pretty: bool = False,
        step_list: Sequence[int] | None = None,
        data_simplification: bool = True,
    ) -> None:
        """Analyses the profiles in and below `path`, like `analyse`. Raises RuntimeError if there is none.

        data_simplification has no effect on the processor: the operators' times are read from FRAMEWORK.
        """
        steps = profiler_files.checked_steps(step_list)
        _analyse_all(profiler_files.folders_below(path), pretty, steps)

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str:
        """The operators of these types in the last session, as JSON text.

        {"<type>": [{"op_side", "input_shape", "op_occurrences", "op_total_time(us)", "op_avg_time(us)"}, ...],
        "device_id": 0}: an entry for each distinct input shape. A type that did not run is left out with a warning;
        RuntimeError if none of them ran, or nothing was recorded yet.
        """
        if device_id is not None and (
            not isinstance(device_id, int) or isinstance(device_id, bool)
        ):
            raise TypeError(f"device_id must be an int, but it is a {type(device_id).__name__}")
        if not isinstance(op_name, (str, list)):
            raise TypeError(
                f"op_name must be a str or a list, but it is a {type(op_name).__name__}"
            )
        names = [op_name] if isinstance(op_name, str) else op_name
        if not names or not all(isinstance(name, str) and name for name in names):
            raise TypeError(f"op_name must name operators, but it is {op_name!r}")
        if self._session is not None:
            raise RuntimeError(
                "op_analyse() comes after analyse(): the Profiler is still collecting"
            )
        if self._folder is None:
            raise RuntimeError("op_analyse() comes after analyse(): nothing was recorded yet")
        found = profiler_files.operators_by_shape(self._folder)
        absent = [name for name in names if name not in found]
        if len(absent) == len(names):
            raise RuntimeError(
                f"no operator of type {', '.join(absent)} ran; there are {', '.join(sorted(found))}"
            )
        for name in absent:
            warnings.warn(f"no operator of type {name} ran", stacklevel=2)
        answer: dict[str, Any] = {name: found[name] for name in names if name in found}
        return json.dumps(
            {**answer, "device_id": self._options.rank_id if device_id is None else device_id}
        )

    def add_metadata(self, key: str, value: str) -> None:
        """Adds a text to the profile's profiler_metadata.json, at most 100 MB in all. Warns if it cannot be added."""
        self._add_metadata(key, value, lambda: value)

    def add_metadata_json(self, key: str, value: str) -> None:
        """The same for the value of a JSON text."""
        self._add_metadata(key, value, lambda: json.loads(value))

    def _add_metadata(self, key: Any, value: Any, read: Any) -> None:
        if not isinstance(key, str) or not isinstance(value, str):
            warnings.warn(
                "metadata is left out: its key and its value must be strings", stacklevel=3
            )
            return
        size = len(json.dumps(self._metadata)) + len(key) + len(value)
        if size > _MAX_METADATA:
            warnings.warn(
                f"metadata {key!r} is left out: with it there would be more than 100 MB",
                stacklevel=3,
            )
            return
        try:
            content = read()
        except (ValueError, RecursionError) as error:  # RecursionError: nested too deeply.
            warnings.warn(f"metadata {key!r} is left out: it is not JSON: {error}", stacklevel=3)
            return
        if key in self._metadata:
            warnings.warn(f"metadata {key!r} existed, and is replaced", stacklevel=3)
        self._metadata[key] = content

    def __enter__(self) -> "Profiler":
        if self._session is None:
            self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._session is not None:
            self.stop()


def _say_of_environment() -> None:
    variable = _profiler_environment.VARIABLE
    warnings.warn(
        f"{variable} has started MindSpore's profiler: this Profiler continues it, with the variable's options",
        stacklevel=4,
    )
    for notice in _profiler_environment.parse(os.environ.get(variable, "{}")).notices:
        warnings.warn(notice, stacklevel=4)


_waited_for: list[multiprocessing.process.BaseProcess] = []
atexit.register(Profiler.wait)


def _analyse_all(folders: Sequence[str], pretty: bool, steps: range | None) -> list[dict[str, Any]]:
    summary: list[dict[str, Any]] = []
    for folder in folders:
        if profiler_files.is_raw(folder):
            collector.analyse(folder)
        summary = profiler_files.finish(folder, pretty, steps)
    return summary

"""MindSpore's own collectors on the processor: operators, memory, and the sampler of its data pipeline.

They are in private places of MindSpore 2.7 and 2.10, and this file alone knows them. MindSpore has one of each in a
process, and writes a session - from a start to a stop - into one folder, over what was there: so each session has a
folder of its own.
"""

import json
import os
from typing import Any

from mindspore.profiler import EnvProfiler
from mindspore.profiler.common.log import ProfilerLogger
from mindspore.profiler.common.profiler_context import ProfilerContext
from mindspore.profiler.common.profiler_path_manager import ProfilerPathManager
from mindspore.profiler.platform.cpu_profiler import CPUProfilerAnalysis
from mindspore.profiler.profiler_interface import ProfilerInterface

_RAW = "FRAMEWORK"
_METADATA = "profiler_metadata.json"


class Session:
    """One session, which the constructor starts. Raises RuntimeError while MindSpore itself is profiling.

    folder: "<output_path>/<host>_<pid>_<time>_ascend_ms", with `worker` in the place of the host if it is given.
    """

    def __init__(
        self,
        output_path: str,
        *,
        operators: bool,
        memory: bool,
        data: "DataSampler | None",
        worker: str | None = None,
    ) -> None:
        if ProfilerInterface.is_initialized:
            raise RuntimeError(
                "MindSpore's own profiler is running in this process: stop it, or leave this one out"
            )
        context = ProfilerContext()
        context.set_params(output_path=output_path, profile_memory=memory, start_profile=False)
        if worker is not None:
            ProfilerPathManager().init(worker)
        ProfilerInterface.init()  # Makes the folder.
        if worker is not None:
            ProfilerPathManager().init()
        self.folder: str = context.ascend_ms_dir
        self._operators = operators
        self._data = data
        if operators:
            ProfilerInterface.start()
        if data is not None:
            data.start()

    def stop(self) -> None:
        """Ends collecting. Afterwards the raw files are there."""
        try:
            if self._operators:
                ProfilerInterface.stop()
            if self._data is not None:
                self._data.stop(os.path.join(self.folder, _RAW))
        finally:
            ProfilerInterface.clear()


class EnvironmentSession:
    """The session that MindSpore has started from MS_PROFILER_OPTIONS when it was imported.

    Its options are those of the variable. `stop` also analyses it, as MindSpore does at the end of the process.
    """

    def __init__(self, running: Any) -> None:
        self._running = running
        self.folder: str = ProfilerContext().ascend_ms_dir

    def stop(self) -> None:
        self._running.stop()
        EnvProfiler.profiler = (
            None  # Or else MindSpore stops it at the process's end again, and calls that an error.
        )


def environment_session() -> EnvironmentSession | None:
    """The session that MindSpore started from the variable; None if there is none, or it has stopped."""
    running = getattr(EnvProfiler, "profiler", None)
    if (
        running is None
        or not getattr(running, "_has_started", False)
        or not ProfilerInterface.is_initialized
    ):
        return None
    return EnvironmentSession(running)


def analyse(folder: str) -> None:
    """Runs MindSpore's own analysis of a stopped session's folder, which makes the trace."""
    context = ProfilerContext()
    context.set_params(output_path=os.path.dirname(folder), start_profile=False)
    context.ascend_ms_dir = os.path.basename(folder)
    ProfilerLogger.destroy()
    ProfilerLogger.init(folder)
    try:
        CPUProfilerAnalysis.online_analyse()
    finally:
        ProfilerLogger.destroy()


class DataSampler:
    """Samples the queues of data pipelines that begin after it was made. MindSpore has one sampler in a process."""

    def __init__(self) -> None:
        from mindspore._c_dataengine import GlobalContext

        self._manager: Any = GlobalContext.profiling_manager()
        self._manager.init()

    def start(self) -> None:
        self._manager.start()

    def stop(self, folder: str) -> None:
        self._manager.stop()
        self._manager.save(folder)


def add_metadata(folder: str, metadata: dict[str, Any]) -> None:
    """Adds metadata to the folder's file, and keeps what is in it."""
    path = os.path.join(folder, _METADATA)
    known: dict[str, Any] = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(known | metadata, file)

"""sightline.capture: what tensorboardX and PyTorch's tensorboard record goes through Sightline's recorder.

Their SummaryWriter stays as it is. Below it, each of them has an EventFileWriter, which gets every event complete and
writes it to a file. That class is replaced, in the module that uses it, by one that gives the events to a Recorder.
"""

import atexit
import collections
import importlib.machinery
import marshal
import os
import sys
import threading
import types
from collections.abc import Callable, Sequence
from typing import Any

from sightline._core import Recorder
from sightline._forked import Messages
from sightline._run_facts import keep_facts
from sightline._trainings import say_on_standard_error, warn

_MODULES = ("tensorboardX.writer", "torch.utils.tensorboard.writer")


def capture() -> None:
    """From now on, the SummaryWriter of tensorboardX and of torch.utils.tensorboard records through Sightline.

    Call it once, before writers are made; it does not matter whether those modules are imported yet, and it imports
    neither. What was added then survives SIGKILL. The classes and their methods stay, and so do writers that were made
    before, and those that record to s3:// and other URLs. `add_scalars` records tags <main tag>/<key> into the run of
    its writer. What a forked process adds to a writer of its parent is recorded by the parent. With SIGHTLINE_DISABLE=1
    in the environment, it does nothing. docs/record_anything.md has the rest.
    """
    if os.environ.get("SIGHTLINE_DISABLE", "") not in ("", "0"):
        return
    for name in _MODULES:
        if hasattr(sys.modules.get(name), "EventFileWriter"):
            _replace_writer(sys.modules[name])
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        os.register_at_fork(
            before=_before_fork, after_in_parent=_after_fork, after_in_child=_in_forked_child
        )
        atexit.register(_at_exit)


class _Finder:
    """Finds the writers' modules by the other finders, and replaces their EventFileWriter when they are imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in _MODULES:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None) if finder is not self else None
            spec = find(name, path, target) if find else None
            if spec is not None:
                _replace_writer_when_executed(spec.loader)
                return spec
        return None


def _replace_writer_when_executed(loader: Any) -> None:
    execute = loader.exec_module

    def exec_module(module: types.ModuleType) -> None:
        execute(module)
        if hasattr(module, "EventFileWriter"):
            _replace_writer(module)

    loader.exec_module = exec_module


def _replace_writer(module: Any) -> None:
    theirs = module.EventFileWriter
    if issubclass(theirs, _EventFileWriter):
        return
    members = {
        "_theirs": theirs,
        "_their_add_event": staticmethod(theirs.add_event),
        "_summary_writer": module.SummaryWriter,
    }
    module.EventFileWriter = type("EventFileWriter", (_EventFileWriter, theirs), members)


class _Run:
    """A directory that this process records into, for all of its writers there."""

    def __init__(self, directory: str, flush_secs: float, purge_step: int | None) -> None:
        self.directory = os.path.abspath(directory)
        self.recorder = Recorder(
            directory,
            formats="tensorboard",
            flush_interval=2 * flush_secs,  # Half of it passes before values are written.
            resume_from_step=purge_step,
        )
        keep_facts(self.directory, self.recorder.session_id)
        self.writers = 0
        # Records a serialized event, with the key of add_scalars or "".
        self.add: Callable[[bytes, str], object] = self.recorder._add_event


_runs: dict[str, _Run] = {}
_runs_lock = threading.Lock()


def _open_run(directory: str, flush_secs: float, purge_step: int | None = None) -> _Run:
    """The run of a directory, with one more writer. Raises what Recorder raises."""
    with _runs_lock:
        run = _runs.get(os.path.abspath(directory))
        if run is None:
            run = _Run(directory, flush_secs, purge_step)
            _runs[run.directory] = run
        run.writers += 1
        return run


def _share_run(run: _Run) -> _Run:
    with _runs_lock:
        run.writers += 1
        return run


def _close_run(run: _Run) -> None:
    """Closes the recorder with the last of its writers."""
    if _children is not None:
        _children.receive()
    with _runs_lock:
        run.writers -= 1
        if run.writers:
            return
        if _runs.get(run.directory) is run:
            del _runs[run.directory]
    _tell(run, run.recorder.close)


def _tell(run: _Run, call: Callable[[], object]) -> None:
    """A disk that is full must not end a training."""
    try:
        call()
    except OSError as error:
        warn(f"{run.directory}: {error}")


def _is_elsewhere(directory: str) -> bool:
    """Whether it is a URL, or has the prefix of a store that tensorboardX was told of."""
    stores = getattr(sys.modules.get("tensorboardX.record_writer"), "REGISTERED_FACTORIES", ())
    return "://" in directory or directory.partition(":")[0] in stores


class _EventFileWriter:
    """What both EventFileWriters are replaced by: a subclass of this one and of theirs."""

    _theirs: type
    _their_add_event: Callable[..., object]
    _summary_writer: type

    def __init__(
        self,
        logdir: Any,
        max_queue_size: Any = 10,
        flush_secs: Any = 120,
        filename_suffix: str = "",
    ) -> None:
        opened = self._open(os.fspath(logdir), flush_secs)
        if opened is None:  # From here on it is one of theirs.
            self.__class__ = self._theirs  # type: ignore[assignment]
            self.__init__(logdir, max_queue_size, flush_secs, filename_suffix)  # type: ignore[misc]
            return
        self._run, self._key = opened
        self._logdir, self._flush_secs = logdir, flush_secs
        self._closed = False
        # Programs that reach below find what they look for: the name of the file, and what add_event puts events into.
        self._file_name = next(iter(self._run.recorder.stats.files), "")
        self._event_queue = self._ev_writer = self._async_writer = self
        if filename_suffix:
            warn(f"{filename_suffix=} has no effect on a writer that is captured")

    def add_event(self, event: Any) -> None:
        if self._theirs.add_event is not self._their_add_event:  # type: ignore[attr-defined]
            super().add_event(event)  # type: ignore[misc]  # Somebody watches it.
            return
        self._run.add(event.SerializeToString(), self._key)

    def flush(self) -> None:
        if _children is not None:
            _children.receive()
        _tell(self._run, self._run.recorder.flush)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            _close_run(self._run)

    def reopen(self) -> None:
        """Records again after close(), into a new file."""
        if self._closed:
            self._run = _open_run(self._run.directory, self._flush_secs)
            self._closed = False

    def put(self, event: Any) -> None:  # What tensorboardX's add_event calls.
        self.write(event.SerializeToString())

    def write(self, serialized: bytes) -> None:  # What tensorboard's add_event calls.
        self._run.add(serialized, self._key)

    def _open(self, directory: str, flush_secs: Any) -> tuple[_Run, str] | None:
        """The run to record into, and the key of add_scalars; None if it cannot be, or if it is not ours."""
        if _is_elsewhere(directory):
            return None
        method = self._calling_method()
        try:
            if method is None:
                return _open_run(directory, flush_secs), ""
            writer = method.f_locals["self"]
            if method.f_code.co_name == "add_scalars":
                parent = writer.file_writer.event_writer
                if not isinstance(parent, _EventFileWriter):
                    return None
                return _share_run(parent._run), method.f_locals["tag"]
            purge_step = None if writer.purge_step is None else int(writer.purge_step)
            return _open_run(directory, flush_secs, purge_step), ""
        except Exception as error:
            warn(f"{directory} is recorded without Sightline: {type(error).__name__}: {error}")
            return None

    def _calling_method(self) -> types.FrameType | None:
        """The method of SummaryWriter that makes this; None if it was made in another way."""
        frame: types.FrameType | None = sys._getframe(2)
        for _ in range(8):
            if frame is None or isinstance(frame.f_locals.get("self"), self._summary_writer):
                return frame
            frame = frame.f_back
        return None


# What forked children add to the writers of this process; None until it forks.
_children: Messages | None = None
# By directory: what they added to writers that were closed.
_lost: collections.Counter[str] = collections.Counter()


def _before_fork() -> None:
    global _children
    _runs_lock.acquire()
    if _runs and _children is None:
        try:
            _children = Messages(_take)
        except OSError as error:
            say_on_standard_error(f"what forked processes add is not recorded: {error}")


def _after_fork() -> None:
    _runs_lock.release()
    if _children is not None:
        _children.serve()


def _in_forked_child() -> None:
    """The writers of the parent send to it. Those that this process makes are its own."""
    global _children
    for run in _runs.values():
        run.add = _sending(run.directory, _children)
    if _children is not None:
        _children.belong_to_child()
    _children = None
    _runs.clear()
    _lost.clear()
    _runs_lock.release()


def _sending(directory: str, parent: Messages | None) -> Callable[[bytes, str], object]:
    told = False

    def send(event: bytes, key: str) -> None:
        nonlocal told
        sent = parent is not None and parent.send(marshal.dumps((directory, key, event)))
        if not (sent or told):
            told = True
            say_on_standard_error(
                f"{directory}: the process that records it has ended; what others add is lost"
            )

    return send


def _take(message: bytes) -> None:
    directory, key, event = marshal.loads(message)
    with _runs_lock:  # It is not closed meanwhile.
        run = _runs.get(directory)
        if run is None:
            _lost[directory] += 1
        else:
            run.add(event, key)


def _at_exit() -> None:
    if _children is not None:
        _children.receive()
    for directory, count in _lost.items():
        say_on_standard_error(
            f"{directory}: {count} events that forked processes added after its writer was closed are not recorded"
        )

"""SummaryRecord in the signature of MindSpore's, on Sightline's recorder."""

import os
from collections.abc import Callable, Mapping
from typing import Any

import mindspore

from sightline import _trainings
from sightline._core import Recorder
from sightline.mindspore.operators import OperatorSummaries

_ARRAYS = ("tensor", "scalar", "image", "histogram")
_LINEAGE = ("train_lineage", "eval_lineage", "dataset_graph", "custom_lineage_data")
_PLUGINS = (*_ARRAYS, *_LINEAGE, "graph", "landscape")

# (tag, array or bytes) of each plugin.
_Pool = dict[str, list[tuple[str, Any]]]


class SummaryRecord:
    """Records values that are added by hand, and those of the network's summary operators, into `log_dir`.

        with SummaryRecord("run", network=network) as record:
            record.add_value("scalar", "loss", loss)
            record.record(step)

    The parameters are MindSpore's. num_process has no effect, since no process is started. file_prefix and file_suffix
    must be MindSpore's defaults, by which readers recognise the files. At max_file_size bytes the next file begins.
    `options` are the other keywords of sightline.Recorder, such as formats. Any number of them may be open. One thread
    at a time.

    Raises TypeError and ValueError for parameters and OSError for the directory. record(), flush() and close() raise
    only with raise_exception=True; otherwise an error gives a RuntimeWarning, once.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Any = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: Mapping[str, str | None] | None = None,
        **options: Any,
    ) -> None:
        _check("max_file_size", max_file_size, int, type(None))
        _check("file_prefix", file_prefix, str)
        _check("file_suffix", file_suffix, str)
        _check("raise_exception", raise_exception, bool)
        if (file_prefix, file_suffix) != ("events", "_MS"):
            raise ValueError(
                f"file_prefix and file_suffix are {file_prefix!r} and {file_suffix!r}, but must be 'events' and '_MS': "
                "readers know the files by them"
            )
        if max_file_size is not None and max_file_size < 0:
            _trainings.warn(f"max_file_size is {max_file_size}: there is no limit")
            max_file_size = None
        options.setdefault("device_id", mindspore.get_context("device_id"))
        self._recorder = Recorder(
            log_dir, max_file_size=max_file_size, export_npy=_exports_npy(export_options), **options
        )
        self._log_dir = os.path.join(
            os.path.abspath(log_dir), os.path.basename(self._recorder.stats.files[0])
        )
        self._network = network
        self._raise_exception = raise_exception
        self._mode = "train"
        self._pool: _Pool = {}
        self._said: set[str] = set()
        self._closed = False
        self._has_graph = False
        self._operators = OperatorSummaries(self._say)
        self._operators.discard_all()

    @property
    def log_dir(self) -> str:
        """The full path of the summary file; the first one if there are several."""
        return self._log_dir

    def set_mode(self, mode: str) -> None:
        """Sets the mode: 'train', or 'eval', in which the values of summary operators are not recorded. Raises
        ValueError for others.
        """
        if mode not in ("train", "eval"):
            raise ValueError(f"mode is {mode!r}, but must be 'train' or 'eval'")
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Keeps a value for the next record().

        plugin: 'scalar', 'tensor', 'image' (NCHW) or 'histogram' for a Tensor; 'train_lineage', 'eval_lineage',
        'dataset_graph', 'custom_lineage_data' or 'landscape' for MindSpore's messages of these names; 'graph' for the
        bytes of a ModelProto. If a name is given twice, its newest value is recorded.

        Raises ValueError for another plugin, an empty name, and a Tensor whose shape does not fit; TypeError for a
        value of another type.
        """
        if plugin not in _PLUGINS:
            raise ValueError(f"plugin is {plugin!r}, but must be one of {', '.join(_PLUGINS)}")
        if plugin in _ARRAYS:
            value = _array_of(plugin, name, value)
        elif plugin == "graph":
            _check("value", value, bytes)
        elif not hasattr(value, "SerializeToString"):
            raise TypeError(f"{plugin} takes a message of MindSpore's, not {type(value).__name__}")
        else:
            value = value.SerializeToString()
        self._pool.setdefault(plugin, []).append((name, value))

    def record(
        self,
        step: int,
        train_network: Any = None,
        plugin_filter: Callable[[str], bool] | None = None,
    ) -> bool:
        """Records what was added since the last call, and the values of the network's summary operators; the first time
        also the graph of the constructor's `network`, or else of `train_network`.

        step: the step of the values; the graph and lineage have step 0. plugin_filter: called with the name of each
        plugin that has values; those for which it returns False are left out.

        Returns False after close(), else True. Raises TypeError for a step that is no int, and for a network that is no
        Cell.
        """
        _check("step", step, int)
        _check("train_network", train_network, mindspore.nn.Cell, type(None))
        if self._closed:
            self._say("SummaryRecord is closed: record() does nothing")
            return False
        if self._network is not None and not self._has_graph:
            self._add_graph(train_network)
        if self._mode == "train":
            self._add_operators()
        pool, self._pool = self._pool, {}
        kept = {
            plugin: values
            for plugin, values in pool.items()
            if plugin_filter is None or plugin_filter(plugin)
        }
        once = [
            (plugin, name, value)
            for plugin in (*_LINEAGE, "graph")
            for name, value in kept.pop(plugin, ())
        ]
        if once:
            self._recorder._record_kinds(0, [(plugin, "", value) for plugin, _, value in once])
        if kept:
            values = [
                (plugin.lower(), name, value) for plugin in kept for name, value in kept[plugin]
            ]
            self._recorder._record_kinds(step, values)
        self._report(self._recorder.stats.first_error)
        return True

    def flush(self) -> None:
        """Waits until everything that was recorded is in the files."""
        if self._closed:
            self._say("SummaryRecord is closed: flush() does nothing")
        else:
            self._try(self._recorder.flush)

    def close(self) -> None:
        """Closes the files. A second call does nothing."""
        if not self._closed:
            self._closed = True
            self._try(self._recorder.close)

    def __enter__(self) -> "SummaryRecord":
        if self._closed:
            raise ValueError("SummaryRecord is closed; make another one")
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _add_graph(self, train_network: Any) -> None:
        from mindspore.common.api import _cell_graph_executor as executor

        for network in (self._network, train_network):
            try:
                graph = None if network is None else executor.get_optimize_graph_proto(network)
            except Exception as error:
                self._say(f"the graph is not recorded: {type(error).__name__}: {error}")
                return
            if graph is not None:
                self._has_graph = True
                self._pool.setdefault("graph", []).append(("", graph))
                return
        self._say("the graph is not recorded yet: the network is not compiled")

    def _add_operators(self) -> None:
        for plural, values in self._operators.take().items():
            plugin = plural.removesuffix("s")
            for name, value in values:
                try:
                    self.add_value(plugin, name, value)
                except (TypeError, ValueError) as error:
                    self._say(f"an operator's value is not recorded: {error}")

    def _try(self, call: Callable[[], object]) -> None:
        try:
            call()
        except OSError as error:
            if self._raise_exception:
                raise
            self._say(f"{type(error).__name__}: {error}")

    def _report(self, error: str | None) -> None:
        """Reports a file that could not be written; the recorder has already reported what was refused."""
        if error and error not in self._said:
            self._said.add(error)
            if self._raise_exception:
                raise RuntimeError(error)

    def _say(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            _trainings.warn(line)


def _check(name: str, value: Any, *types: type) -> None:
    """Checks a type as MindSpore does: True is not an int."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        expected = " or ".join("None" if each is type(None) else each.__name__ for each in types)
        raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")


def _array_of(plugin: str, name: Any, value: Any) -> Any:
    """An array with a copy of a tensor, since the training changes its own."""
    if not isinstance(name, str) or not name:
        raise ValueError(f"name is {name!r}, but must be a str that is not empty")
    if not isinstance(value, mindspore.Tensor):
        raise TypeError(f"{plugin} '{name}' takes a mindspore.Tensor, not {type(value).__name__}")
    array = value.asnumpy().copy()
    fits = {"scalar": array.size == 1, "image": array.ndim == 4}.get(plugin, array.ndim > 0)
    if not fits:
        wanted = {"scalar": "one element", "image": "the four dimensions NCHW"}.get(
            plugin, "a dimension or more"
        )
        raise ValueError(f"{plugin} '{name}' has the shape {array.shape}, but must have {wanted}")
    return array.reshape(()) if plugin == "scalar" else array


def _exports_npy(options: Mapping[str, str | None] | None) -> bool:
    _check("export_options", options, Mapping, type(None))
    for key, form in (options or {}).items():
        if key != "tensor_format" or form not in ("npy", None):
            raise ValueError(
                f"export_options has {key!r}: {form!r}, but knows only 'tensor_format': 'npy' or None"
            )
    return (options or {}).get("tensor_format") == "npy"

"""What a network's summary operators gave: ScalarSummary, TensorSummary, HistogramSummary, ImageSummary.

MindSpore keeps that in two private places, and this file alone knows them:

- graph mode: the dict `mindspore.train.summary.summary_record.SUMMARY_TENSOR_CACHE`, "<tag>[:Scalar]" to tensor, where
  the newest value of a tag stays;
- PyNative mode: the list `mindspore.ops.operations.debug_ops.SUMMARY_TENSOR_CACHE` of (operator, tag, tensor), which
  grows until somebody empties it.

MindSpore assigns both names anew, so they are looked up in their modules every time. What is not of this form switches
operators' values off, with a line that says so.
"""

from collections.abc import Callable, Iterator
from typing import Any

# The name of both places.
TENSORS = "SUMMARY_TENSOR_CACHE"

# The argument of end_step for the values of a kind.
_ARGUMENTS = {
    "Scalar": "scalars",
    "Tensor": "tensors",
    "Histogram": "histograms",
    "Image": "images",
}

# By argument, pairs of a tag and a tensor.
Summaries = dict[str, list[tuple[str, Any]]]


# Places without any operator.
_NOWHERE: tuple[dict[str, Any], dict[str, Any]] = ({TENSORS: ()}, {TENSORS: ()})


class OperatorSummaries:
    """Takes the values of summary operators. `say` gets a line for each error, once.

    places: the namespaces of the two modules, graph mode's first. If TENSORS is empty in both, no value waits. This is
    checked at every step, since most networks have no such operator.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._doubled: set[tuple[str, str]] = set()
        self.places = _NOWHERE
        try:
            from mindspore.ops.operations import debug_ops
            from mindspore.train.summary import summary_record
        except ImportError as error:
            self._switch_off(str(error))
            return
        self.places = (vars(summary_record), vars(debug_ops))
        self._check()

    def take_if(self, due: bool) -> Summaries:
        """take() for a step that is recorded; nothing for any other step, whose values are discarded."""
        if due:
            return self.take()
        self.discard_all()
        return {}

    def discard_all(self) -> None:
        """Discards values that belong to no recorded step, such as those of an evaluation. Touches no tensor."""
        if self._check():
            for place in self.places:
                place[TENSORS].clear()

    def take(self) -> Summaries:
        """The values since the last call, without kinds that have none. If a tag was given twice, its newest value."""
        if not self._check():
            return {}
        taken: dict[str, dict[str, Any]] = {}
        try:
            for kind, tag, tensor in _parsed(*self._drain()):
                values = taken.setdefault(kind, {})
                if tag in values and (kind, tag) not in self._doubled:
                    self._doubled.add((kind, tag))
                    self._say(
                        f"{kind}Summary gave '{tag}' twice in a step: the newest value is recorded"
                    )
                values[tag] = tensor
        except (TypeError, ValueError, KeyError) as error:
            self._switch_off(f"an entry has another form: {error!r}")
        return {_ARGUMENTS[kind]: list(values.items()) for kind, values in taken.items()}

    def _drain(self) -> tuple[list[Any], list[Any]]:
        # One call for each, since MindSpore's threads fill the dict.
        graph_mode, pynative_mode = self.places
        graph, graph_mode[TENSORS] = graph_mode[TENSORS], {}
        pynative, pynative_mode[TENSORS] = pynative_mode[TENSORS], []
        return list(graph.items()), pynative

    def _check(self) -> bool:
        """Whether both places exist and have the expected form."""
        if self.places is _NOWHERE:
            return False
        graph, pynative = (place.get(TENSORS) for place in self.places)
        if type(graph) is dict and type(pynative) is list:
            return True
        self._switch_off(
            f"its SUMMARY_TENSOR_CACHE are {type(graph).__name__} and {type(pynative).__name__}"
        )
        return False

    def _switch_off(self, why: str) -> None:
        self.places = _NOWHERE
        self._say(
            f"values of summary operators are not recorded, since this MindSpore keeps them elsewhere: {why}"
        )


def _parsed(graph: list[Any], pynative: list[Any]) -> Iterator[tuple[str, str, Any]]:
    """(kind, tag, tensor) of every entry of the two places."""
    for key, tensor in graph:
        tag, _, kind = key.rpartition("[:")
        yield _kind(kind.removesuffix("]")), tag, tensor
    for operator, tag, tensor in pynative:
        yield _kind(operator.removesuffix("Summary")), tag, tensor


def _kind(name: str) -> str:
    if name not in _ARGUMENTS:
        raise ValueError(f"a summary of kind '{name}'")
    return name

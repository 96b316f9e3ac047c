"""What SummaryWriter's arguments become before the library makes TensorBoard events of them (sightline._core's functions
_..._event, recorder/message/tensorboard_values.h).

Arguments that make no sense raise ValueError or TypeError.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sightline import _core, _pictures
from sightline._arrays import array, on_cpu

scalar = _core._scalar_event
words = _core._text_event


def sound(tag: str, samples: Any, sample_rate: float) -> bytes:
    """One channel of samples from -1 to 1, clipped, as a WAV file with 16 bits."""
    return _core._audio_event(tag, array(samples), sample_rate)


def histogram(tag: str, *numbers_limits_counts: Any) -> bytes:
    """A histogram of buckets: minimum, maximum, count, sum, sum of squares, upper limits and counts."""
    return _core._histogram_event(tag, *map(on_cpu, numbers_limits_counts))


def binned(tag: str, values: Any, bins: Any, max_bins: int | None) -> bytes:
    """The histogram of the finite elements, in bins of numpy.histogram. If there are more than `max_bins`, neighbours
    are merged.
    """
    import numpy as np

    elements = array(values).astype(np.float64).reshape(-1)
    elements = elements[np.isfinite(elements)]
    counts, edges = np.histogram(
        elements, "auto" if isinstance(bins, str) and bins == "tensorflow" else bins
    )
    if max_bins is not None and len(counts) > max_bins:
        merged = -(-len(counts) // max_bins)
        first = np.arange(0, len(counts), merged)
        counts, edges = np.add.reduceat(counts, first), np.append(edges[first], edges[-1])
    least, most = (elements.min(), elements.max()) if elements.size else (0.0, 0.0)
    squares = float(np.square(elements).sum())
    return _core._histogram_event(
        tag, least, most, elements.size, elements.sum(), squares, edges[1:], counts
    )


def picture(tag: str, pixels: Any) -> bytes:
    """A picture of uint8 pixels (height, width, channels): gray, gray and alpha, RGB or RGBA."""
    height, width, channels = pixels.shape
    return _core._picture_event(tag, height, width, channels, _pictures.png(pixels))


def moving_picture(tag: str, video: Any, fps: float) -> bytes:
    """A video (batch, time, 1 or 3 channels, height, width) as a GIF file. Needs Pillow."""
    frames = _pictures.frames(video)
    _, height, width, channels = frames.shape
    return _core._picture_event(tag, height, width, channels, _pictures.gif(frames, fps))


def curve(tag: str, rows: Sequence[Any], thresholds: int) -> bytes:
    """A precision-recall curve. rows: true and false positives, true and false negatives, precision, recall, each by
    threshold.
    """
    return _core._pr_curve_rows_event(tag, tuple(map(on_cpu, rows)), thresholds)


def pr_curve(tag: str, labels: Any, predictions: Any, thresholds: int, weights: Any) -> bytes:
    """The precision-recall curve of a classifier, for a number of thresholds from 0 to 1."""
    return _core._pr_curve_event(
        tag, on_cpu(labels), on_cpu(predictions), thresholds, on_cpu(weights)
    )


def mesh(
    tag: str, vertices: Any, colors: Any, faces: Any, config: Mapping[str, Any] | None
) -> bytes:
    """Points in space, with colors and triangles if given: each of shape (batch, n, 3)."""
    about = json.dumps(config, sort_keys=True) if config is not None else "{}"
    return _core._mesh_event(tag, on_cpu(vertices), on_cpu(colors), on_cpu(faces), about)


def custom_scalars(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> bytes:
    """A layout of charts: {category: {chart: ("Multiline", [tag, ...]) or ("Margin", [value, lower, upper])}}."""
    return _core._chart_layout_event({title: dict(charts) for title, charts in layout.items()})


def hparams(
    parameters: Mapping[str, Any], metrics: Iterable[str], domains: Mapping[str, Sequence[Any]]
) -> bytes:
    """A run's row on the HPARAMS page: its hyper-parameters, the tags that are its metrics, and that it ended well."""
    if unknown := domains.keys() - parameters.keys():
        raise TypeError(f"hparam_domain_discrete names no parameter: {sorted(unknown)}")
    rows = []
    for name, value in parameters.items():
        if value is None:
            continue
        domain = domains.get(name)
        if domain is not None and not all(isinstance(one, type(value)) for one in domain):
            raise TypeError(
                f"hparam_domain_discrete[{name!r}] must be a list of the type of the parameter"
            )
        rows.append(
            (name, _hparam(value), None if domain is None else [_hparam(one) for one in domain])
        )
    return _core._hyper_parameters_event(rows, metrics)


def _hparam(value: Any) -> bool | float | str:
    """A truth value or a number; anything else becomes its text."""
    import numpy as np

    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if not isinstance(value, str):
        try:
            return float(on_cpu(value))
        except Exception:
            value = str(value)
    return str(value)

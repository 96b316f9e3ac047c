"""What only TensorBoard's dialect says, as events for Recorder.add_tensorboard_event: values of its plugins, sound,
moving pictures.

Field numbers are those of proto/tensorboard*.proto and of the plugins' own messages in tensorboard 2.21
(tensorboard/plugins/*/*.proto); plugin names, tags and contents are PyTorch's, so that its files and ours look alike.
Nothing here needs Protocol Buffers' package. Arguments that make no sense raise ValueError or TypeError.
"""

import io
import json
import wave
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sightline._arrays import array, on_cpu
from sightline._pictures import frames, png
from sightline._wire import double, doubles, integer, message, single, text, varint

_FLOAT, _DOUBLE, _STRING = 1, 2, 7  # tensorboard.DataType
_ROUNDED = 1e-5  # A mean of float32 probabilities may be outside of 0 to 1 by this much.


def _summary(*values: bytes) -> bytes:
    return message(5, *(message(1, value) for value in values))


def _value(tag: str, content: bytes = b"", plugin: str = "", data: bytes = b"") -> bytes:
    """A Summary.Value. data: the plugin's own message."""
    plugin_data = message(1, text(1, plugin), message(2, data) if data else b"")
    return text(1, tag) + content + (message(9, plugin_data) if plugin else b"")


def _shape(sizes: Iterable[int]) -> bytes:
    return b"".join(message(2, integer(1, size)) for size in sizes)


def _tensor(values: Any, dtype: int = _FLOAT) -> bytes:
    elements = values.astype("<f8" if dtype == _DOUBLE else "<f4")
    return message(8, integer(1, dtype), message(2, _shape(values.shape)), message(4, elements.tobytes()))


def _strings(string: bytes, *sizes: int) -> bytes:
    """A tensor of one string."""
    return message(8, integer(1, _STRING), message(2, _shape(sizes)), message(8, string))


def scalar(tag: str, number: Any, double_precision: bool) -> bytes:
    """A scalar in TensorFlow 2's form, a tensor."""
    import numpy as np

    return _summary(_value(tag, _tensor(np.float64(float(number)), _DOUBLE if double_precision else _FLOAT), "scalars"))


def words(tag: str, string: str) -> bytes:
    if not isinstance(string, str):
        raise TypeError(f"a text is a str, not {type(string).__name__}")
    return _summary(_value(tag + "/text_summary", _strings(string.encode("utf-8", "replace"), 1), "text"))


def histogram(
    tag: str, least: float, most: float, count: float, total: float, squares: float, limits: Any, counts: Any
) -> bytes:
    """A histogram of buckets, given by their upper limits and counts."""
    if len(limits) != len(counts):
        raise ValueError(f"{len(limits)} bucket_limits and {len(counts)} bucket_counts: there must be as many")
    numbers = b"".join(double(i + 1, float(n)) for i, n in enumerate((least, most, count, total, squares)))
    buckets = doubles(6, map(float, limits)) + doubles(7, map(float, counts))
    return _summary(_value(tag, message(5, numbers, buckets)))


def binned(tag: str, values: Any, bins: Any, max_bins: int | None) -> bytes:
    """The histogram of the finite elements, in bins of numpy.histogram. If there are more than `max_bins`, neighbours
    are merged.
    """
    import numpy as np

    elements = array(values).astype(np.float64).reshape(-1)
    elements = elements[np.isfinite(elements)]
    counts, edges = np.histogram(elements, "auto" if isinstance(bins, str) and bins == "tensorflow" else bins)
    if max_bins is not None and len(counts) > max_bins:
        merged = -(-len(counts) // max_bins)
        first = np.arange(0, len(counts), merged)
        counts, edges = np.add.reduceat(counts, first), np.append(edges[first], edges[-1])
    least, most = (elements.min(), elements.max()) if elements.size else (0.0, 0.0)
    squares = float(np.square(elements).sum())
    return histogram(tag, least, most, elements.size, elements.sum(), squares, edges[1:], counts)


def sound(tag: str, samples: Any, sample_rate: int) -> bytes:
    """One channel of samples from -1 to 1, clipped, as a WAV file with 16 bits."""
    import numpy as np

    samples = array(samples).astype(np.float64).squeeze()
    if samples.ndim != 1:
        raise ValueError(f"sound has one channel of samples, not the shape {samples.shape}")
    pcm = (np.nan_to_num(samples).clip(-1, 1) * 32767).astype("<i2").tobytes()
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(int(sample_rate))
        wav.writeframes(pcm)
    about = single(1, sample_rate), integer(2, 1), integer(3, samples.size)
    return _summary(_value(tag, message(6, *about, message(4, file.getvalue()), text(5, "audio/wav"))))


def picture(tag: str, pixels: Any) -> bytes:
    """A picture of uint8 pixels (height, width, channels): gray, gray and alpha, RGB or RGBA."""
    height, width, channels = pixels.shape
    about = integer(1, height), integer(2, width), integer(3, channels)
    return _summary(_value(tag, message(4, *about, message(4, png(pixels)))))


def moving_picture(tag: str, video: Any, fps: float) -> bytes:
    """A video (batch, time, 1 or 3 channels, height, width) as a GIF file. Needs Pillow."""
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in frames(video)]
    width, height = pictures[0].size
    file = io.BytesIO()
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=1000 / fps, loop=0)
    return _summary(
        _value(tag, message(4, integer(1, height), integer(2, width), integer(3, 3), message(4, file.getvalue())))
    )


def curve(tag: str, rows: Sequence[Any], thresholds: int) -> bytes:
    """A precision-recall curve. rows: true and false positives, true and false negatives, precision, recall, each by
    threshold.
    """
    import numpy as np

    data = np.stack([array(row) for row in rows])
    return _summary(_value(tag, _tensor(data), "pr_curves", integer(2, min(thresholds, 127))))


def pr_curve(tag: str, labels: Any, predictions: Any, thresholds: int, weights: Any) -> bytes:
    """The precision-recall curve of a classifier, for a number of thresholds from 0 to 1."""
    import numpy as np

    thresholds = min(thresholds, 127)
    if thresholds < 1:
        raise ValueError(f"num_thresholds is {thresholds}, but must be at least 1")
    labels, predictions = array(labels).astype(float).ravel(), array(predictions).astype(float).ravel()
    if labels.shape != predictions.shape:
        raise ValueError(f"{labels.size} labels for {predictions.size} predictions")
    weights = np.broadcast_to(1.0 if weights is None else array(weights).ravel(), labels.shape)
    if not ((predictions >= -_ROUNDED) & (predictions <= 1 + _ROUNDED)).all():
        raise ValueError("predictions are probabilities from 0 to 1")
    reached = np.floor(predictions.clip(0, 1) * (thresholds - 1)).astype(int)

    def at_least(positives: Any) -> Any:
        return np.bincount(reached, positives * weights, thresholds)[::-1].cumsum()[::-1]

    tp, fp = at_least(labels), at_least(1 - labels)
    tn, fn = fp[0] - fp, tp[0] - tp
    tiny = 1e-7
    return curve(tag, (tp, fp, tn, fn, tp / np.maximum(tiny, tp + fp), tp / np.maximum(tiny, tp + fn)), thresholds)


def mesh(tag: str, vertices: Any, colors: Any, faces: Any, config: Mapping[str, Any] | None) -> bytes:
    """Points in space, with colors and triangles if given: each of shape (batch, n, 3)."""
    parts = [
        (name, kind, array(part))
        for name, kind, part in (("VERTEX", 1, vertices), ("FACE", 2, faces), ("COLOR", 3, colors))
        if part is not None
    ]
    components = sum(1 << kind for _, kind, _ in parts)
    json_config = json.dumps(config, sort_keys=True) if config is not None else "{}"
    values = []
    for name, kind, part in parts:
        if part.ndim != 3:
            raise ValueError(f"a mesh's {name.lower()} have the shape (batch, n, 3), not {part.shape}")
        shape = message(6, b"".join(varint(size) for size in part.shape))
        data = text(2, tag) + integer(3, kind) + text(5, json_config) + shape + integer(7, components)
        values.append(_value(f"{tag}_{name}", _tensor(part), "mesh", data))
    return _summary(*values)


def custom_scalars(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> bytes:
    """A layout of charts: {category: {chart: ("Multiline", [tag, ...]) or ("Margin", [value, lower, upper])}}."""

    def chart(title: str, kind: str, tags: Sequence[str]) -> bytes:
        if kind != "Margin":
            return message(2, text(1, title), message(2, *(message(1, tag.encode()) for tag in tags)))
        if len(tags) != 3:
            raise ValueError(f"a margin chart has three tags (value, lower, upper), not {tags!r}")
        return message(2, text(1, title), message(3, message(1, *(text(i + 1, tag) for i, tag in enumerate(tags)))))

    categories = (
        message(2, text(1, name), *(chart(title, *content) for title, content in charts.items()))
        for name, charts in layout.items()
    )
    return _summary(_value("custom_scalars__config__", _strings(b"".join(categories)), "custom_scalars"))


def hparams(
    parameters: Mapping[str, Any], metrics: Iterable[str], domains: Mapping[str, Sequence[Any]]
) -> bytes:
    """A run's row on the HPARAMS page: its hyper-parameters, the tags that are its metrics, and that it ended well."""
    infos, start = [], []
    for name, value in parameters.items():
        if value is None:
            continue
        kind, converted = _hparam(value)
        domain = b""
        if name in domains:
            if not all(isinstance(one, type(value)) for one in domains[name]):
                raise TypeError(f"hparam_domain_discrete[{name!r}] must be a list of the type of the parameter")
            domain = message(5, *(message(1, _hparam(one)[1]) for one in domains[name]))
        infos.append(message(4, text(1, name), integer(4, kind), domain))
        start.append(message(1, text(1, name), message(2, converted)))
    if unknown := domains.keys() - parameters.keys():
        raise TypeError(f"hparam_domain_discrete names no parameter: {sorted(unknown)}")
    experiment = message(2, *infos, *(message(5, message(1, text(2, tag))) for tag in metrics))
    ended = message(4, integer(1, 1))
    return _summary(
        _value("_hparams_/experiment", b"", "hparams", experiment),
        _value("_hparams_/session_start_info", b"", "hparams", message(3, *start)),
        _value("_hparams_/session_end_info", b"", "hparams", ended),
    )


def _hparam(value: Any) -> tuple[int, bytes]:
    """(hparams.DataType, google.protobuf.Value) of a truth value or a number; anything else becomes its text."""
    import numpy as np

    if isinstance(value, (bool, np.bool_)):
        return 2, varint(4 << 3) + varint(bool(value))
    if not isinstance(value, str):
        try:
            return 3, double(2, float(on_cpu(value)))
        except Exception:
            value = str(value)
    return 1, message(3, value.encode("utf-8", "replace"))


def graph(nodes: Iterable[bytes]) -> bytes:
    """An event with a GraphDef of these nodes."""
    return message(4, *(message(1, node) for node in nodes), message(4, integer(1, 22)))


def node(name: str, op: str, inputs: Iterable[str], shape: Sequence[int] | None, attributes: str) -> bytes:
    def attribute(key: str, value: bytes) -> bytes:
        return message(5, text(1, key), message(2, value))

    shapes = b"" if shape is None else attribute("_output_shapes", message(1, message(7, _shape(shape))))
    described = attribute("attr", message(2, attributes.encode("utf-8", "replace")))
    return text(1, name) + text(2, op) + b"".join(message(3, one.encode()) for one in inputs) + described + shapes

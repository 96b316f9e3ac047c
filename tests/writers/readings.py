"""What is in event files below a folder, as TensorBoard and each of our interfaces read it, in one form: run -> kind -> tag
-> step -> value.

A value is, by kind:
- scalar: a float
- image: the pixels, (height, width, 3), of each image, and of a video's first frame
- audio: the rate and the samples, (n, channels), of 16 bits, of each sound
- histogram: the rows (left, right, count), without empty ones at both ends
- text: texts, nested as the shape says
- tensor, pr_curves, mesh: an array
- custom_scalars: the tags of each chart of each category
- hparams, hparams_experiment, hparams_end: the hyper-parameters of the run; the names of those of the experiment, and of its
  metrics; how the run ended. All with the tag "" and the step 0
- graph: the names of the nodes of the run's graph, with the tag "" and the step 0
- graph_keras_model, graph_run_metadata_graph, graph_tagged_run_metadata: bytes
"""

import csv
import io
import json
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import wave
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import json_format
from PIL import Image
from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.summary_pb2 import SummaryMetadata
from tensorboard.plugins.custom_scalar.layout_pb2 import Layout
from tensorboard.plugins.hparams.api_pb2 import Status
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util.tensor_util import make_ndarray

Runs = dict[str, dict[str, dict[str, dict[int, Any]]]]

ONE_A_RUN = ("graph", "hparams", "hparams_experiment", "hparams_end")


def _no_runs() -> Any:
    return defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))


def pixels(encoded: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(encoded)).convert("RGB"))


def sound(encoded: bytes) -> tuple[int, list[list[int]]]:
    with wave.open(io.BytesIO(encoded)) as wav:
        assert wav.getsampwidth() == 2
        samples = np.frombuffer(wav.readframes(wav.getnframes()), "<i2")
        return wav.getframerate(), samples.reshape(-1, wav.getnchannels()).tolist()


def texts(array: np.ndarray) -> Any:
    """The same nesting, of str."""
    if array.ndim == 0:
        return array.item().decode()
    return [texts(row) for row in array] if array.ndim > 1 else [item.decode() for item in array]


def rows(histogram: Any) -> list[list[float]]:
    rows = [[float(number) for number in row] for row in histogram]
    while len(rows) > 1 and rows[0][2] == 0:
        del rows[0]
    while len(rows) > 1 and rows[-1][2] == 0:
        del rows[-1]
    return rows


def layout(message: bytes) -> dict[str, dict[str, list[str]]]:
    return {
        category.title: {chart.title: list(chart.multiline.tag) for chart in category.chart}
        for category in Layout.FromString(message).category
    }


def flags(lineage: dict[str, Any]) -> dict[str, Any]:
    """A lineage has numbers and texts only."""
    return {
        name: value == "true" if value in ("true", "false") else value
        for name, value in lineage.items()
    }


def _events(logdir: Path) -> Iterator[tuple[str, Any, str, Any]]:
    """Run, metadata, tag and event of each value that TensorBoard reads below a folder."""
    multiplexer = EventMultiplexer(tensor_size_guidance={"tensors": 0})
    multiplexer.AddRunsFromDirectory(str(logdir)).Reload()
    for run in multiplexer.Runs():
        events = multiplexer.GetAccumulator(run)
        for tag in events.Tags()["tensors"]:
            metadata = events.summary_metadata.get(tag, SummaryMetadata())
            for event in events.Tensors(tag):
                yield run, metadata, tag, event


def by_tensorboard(logdir: Path) -> Runs:
    runs = _no_runs()
    for run, metadata, tag, event in _events(logdir):
        try:
            array = make_ndarray(event.tensor_proto)
        except (TypeError, ValueError, OverflowError):
            continue
        kind, value = _of_tensorboard(metadata.plugin_data, array)
        one = kind in ONE_A_RUN
        runs[run][kind]["" if one else tag][0 if one else event.step] = value
    return runs


def metadata_by_tensorboard(logdir: Path) -> dict[str, dict[str, Any]]:
    """run -> tag -> SummaryMetadata: the plugin, what it was told, the display name and the description."""
    read: Any = defaultdict(dict)
    for run, metadata, tag, _ in _events(logdir):
        read[run][tag] = metadata
    return read


def times_by_tensorboard(logdir: Path) -> dict[str, dict[tuple[str, int], float]]:
    """run -> (tag, step) -> wall time."""
    times: Any = defaultdict(dict)
    for run, _, tag, event in _events(logdir):
        times[run][tag, event.step] = event.wall_time
    return times


def _of_tensorboard(plugin: Any, array: np.ndarray) -> tuple[str, Any]:
    match plugin.plugin_name:
        case "scalars":
            return "scalar", array.item()
        case "images":
            return "image", [pixels(image) for image in array[2:]]
        case "audio":
            return "audio", [sound(row[0] if array.ndim > 1 else row) for row in array]
        case "histograms":
            return "histogram", rows(array)
        case "text":
            return "text", texts(array)
        case "custom_scalars":
            return "custom_scalars", layout(array.item())
        case "hparams":
            return _hyper_parameters(plugin.content)
        case "graphs":
            return "graph", [node.name for node in GraphDef.FromString(array.item()).node]
        case "" | "tensor":
            return ("text", texts(array)) if array.dtype == object else ("tensor", array)
        case "graph_keras_model" | "graph_run_metadata_graph" | "graph_tagged_run_metadata":
            return plugin.plugin_name, array.item()
        case name:
            return name, array


def _hyper_parameters(message: bytes) -> tuple[str, Any]:
    data = HParamsPluginData.FromString(message)
    match data.WhichOneof("data"):
        case "session_start_info":
            parameters = data.session_start_info.hparams.items()
            return "hparams", {
                name: getattr(value, value.WhichOneof("kind")) for name, value in parameters
            }
        case "session_end_info":
            return "hparams_end", Status.Name(data.session_end_info.status)
        case _:
            infos = data.experiment.hparam_infos, data.experiment.metric_infos
            names, metrics = [info.name for info in infos[0]], [info.name.tag for info in infos[1]]
            return "hparams_experiment", (sorted(names), sorted(metrics))


class Server:
    """`sightline serve` on a folder."""

    def __init__(self, program: Path, folder: Path):
        command = [program, "serve", folder, "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        printed = ""
        for line in self._process.stdout:
            printed += line
            if found := re.search(r"(http://\S+/)#token=(\S+)", line):
                self._address, self._token = found.groups()
                return
        raise RuntimeError(f"the server printed no address: {printed}")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()

    def ask(self, path: str, **query: str) -> tuple[Any, Any]:
        """The response's headers and its content: JSON decoded, other bytes as they are."""
        request = urllib.request.Request(
            f"{self._address}api/v1/{path}?{urllib.parse.urlencode(query)}",
            headers={"Authorization": f"Bearer {self._token}"},
        )
        while True:
            with urllib.request.urlopen(request) as answer:
                if answer.status == 202:  # The file is being read.
                    continue
                content = answer.read()
                json_content = answer.headers.get_content_type() == "application/json"
                return answer.headers, json.loads(content) if json_content else content


def by_http(program: Path, folder: Path) -> Runs:
    server = Server(program, folder)
    runs = _no_runs()
    try:
        while server.ask("status")[1]["loading"]:
            pass
        for run in server.ask("runs")[1]["runs"]:
            _run_by_http(server, run["id"], runs[run["id"]])
    finally:
        server.stop()
    return runs


def _arrays(content: bytes) -> tuple[Any, np.ndarray]:
    """The header and the numbers of docs/http_api.md's binary form."""
    size = int.from_bytes(content[4:8], "little")
    return json.loads(content[8 : 8 + size]), np.frombuffer(content[8 + size :], "<f8")


def _run_by_http(server: Server, run: str, values: Any) -> None:
    about = server.ask("run", run=run)[1]
    for tag in about["tags"]:
        kind, name = tag["kind"], tag["tag"]
        if kind == "scalar":
            header, numbers = _arrays(server.ask("series", run=run, tag=name)[1])
            series = header["series"][0]
            steps, length, offset = series["steps"], series["length"], series["offset"]
            for i in range(length):
                values["scalar"][name][int(numbers[steps + i])] = numbers[offset + length + i]
            continue
        listed = server.ask("values", run=run, kind=kind, tag=name)[1]
        for step, at in zip(listed["steps"], listed["at"]):
            value = _value_by_http(server, {"run": run, "kind": kind, "tag": name, "at": at})
            if kind in ("image", "audio"):  # Each of several has a place of its own.
                value = values[kind][name].get(step, []) + value
            values[kind if kind != "plugin" else tag["plugin"]][name][step] = value
    values.pop("hparams", None)  # Messages, of which the lineage has what they say.
    if about["lineage"]:
        values["hparams"][""][0] = flags(about["lineage"])
    for graph in about["graphs"]:
        if not graph["graph"].startswith("g"):  # Of Keras, in JSON: a value of a plugin as well.
            continue
        found = server.ask("graph/search", run=run, graph=graph["graph"], text="", limit="1000")
        values["graph"][""][0] = [match["id"] for match in found[1]["matches"]]


def _value_by_http(server: Server, query: dict[str, str]) -> Any:
    try:
        return _of_http(query["kind"], *server.ask("value", **query))
    except urllib.error.HTTPError as error:
        return [f"{error.code}: {error.read().decode()}"]


def _of_http(kind: str, headers: Any, value: Any) -> Any:
    match kind:
        case "image":
            return [pixels(value)]
        case "audio":
            assert headers["X-Sightline-Sample-Rate"]
            return [sound(value)]
        case "histogram":
            edges = value["edges"]
            return rows(zip(edges, edges[1:], value["counts"]))
        case "text":
            return np.array(value["texts"], object).reshape(value["shape"]).tolist()
        case "tensor":
            header, numbers = _arrays(value)
            return numbers.reshape(header["sliced"])
        case "plugin" if value["plugin"] == "custom_scalars":
            return layout(value["texts"][0].encode())
        case "plugin" if "texts" in value:
            return value["texts"][0].encode()
        case "plugin" if "data" in value:
            return np.reshape(value["data"], value["shape"])
        case _:
            return value


def by_csv(table: Path) -> Runs:
    runs = _no_runs()
    with table.open(newline="") as lines:
        for row in csv.DictReader(lines):
            runs[row["run"]]["scalar"][row["tag"]][int(row["step"])] = float(row["value"])
    return runs


def by_npz(archive: Path) -> Runs:
    runs = _no_runs()
    with np.load(archive) as arrays:
        for name in arrays.files:
            run, kinds, tag, item = name.rsplit("/", 3)
            kind, tag = kinds.removesuffix("s"), urllib.parse.unquote(tag)
            if kind == "scalar":
                if item == "steps":
                    steps = arrays[name].tolist()
                    numbers = arrays[name.removesuffix("steps") + "values"].tolist()
                    runs[run][kind][tag] = dict(zip(steps, numbers))
                continue
            step = int(item.split(".")[0])  # A second one of the same step is <step>.2.
            if kind == "image":
                image = np.broadcast_to(arrays[name][:, :, :3], (*arrays[name].shape[:2], 3))
                runs[run][kind][tag].setdefault(step, []).append(image)
            else:
                value = arrays[name]
                runs[run][kind][tag][step] = rows(value) if kind == "histogram" else value
    return runs


def times_of_json_lines(lines: Path) -> dict[str, dict[tuple[str, int], float]]:
    times: Any = defaultdict(dict)
    for line in map(json.loads, lines.read_text().splitlines()):
        if "tag" in line:
            times[line["run"]][line["tag"], line["step"]] = line["wall_time"]
    return times


def by_json_lines(lines: Path, out: Path) -> tuple[Runs, Runs]:
    """The scalars; and the other values and events, which are written into event files in the folder `out`, as
    TensorBoard reads them there."""
    scalars = _no_runs()
    writers: dict[str, EventFileWriter] = {}
    for line in map(json.loads, lines.read_text().splitlines()):
        run = line["run"]
        if line["kind"] == "scalar":
            scalars[run]["scalar"][line["tag"]][line["step"]] = float(line["value"])
            continue
        event = Event(wall_time=line["wall_time"], step=line["step"])
        if "value" in line:
            json_format.ParseDict(line["value"], event.summary.value.add())
        else:
            message = {k: v for k, v in line["event"].items() if k != "record_bytes"}
            if graph := message.pop("graph_def", None):  # Bytes in the event, decoded in the line.
                event.graph_def = json_format.ParseDict(graph, GraphDef()).SerializeToString()
            json_format.ParseDict(message, event)
        if run not in writers:
            writers[run] = EventFileWriter(str(out / run))
        writers[run].add_event(event)
    for writer in writers.values():
        writer.close()
    return scalars, by_tensorboard(out)

"""The rows of the table: what is measured, what it must reach, and the peer that does the same work."""

import resource
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from dashboard.rows import dashboard_rows
from dumps import make_folder
from npu_rows import msprof_analyze, npu_rows
from ours import Ours
from run_rows import Cost, cost_of, run_rows
from table import Row

PICTURE_SIDE = 224  # tests/bench/values_bench.cc
SCALAR_PEER_EVENTS = 20_000
MILLION = 1e6
MAX_COPIES = 1.2  # What a call that copies a large value may take, in plain copies of it.
CORPUS = Path(__file__).parent.parent / "corpus"
LARGE_DUMP = CORPUS / "ir_large" / "transformer_auto_monad_eliminator_0206.ir.gz"


def rows(ours: Ours, peers: "Peers | None") -> Iterator[Row]:
    ours.environment["SIGHTLINE_PICTURES"] = str(ours.scratch)
    yield from scalar_rows(ours, peers)
    yield from caller_rows(ours)
    yield from histogram_rows(ours, peers)
    yield from tensor_rows(ours)
    yield from reading_rows(ours, peers)
    yield from run_rows(ours, peers)
    yield from dump_rows(ours)
    yield from folder_rows(ours)
    yield from dump_picture_rows(ours)
    yield from picture_rows(ours, peers)
    yield from monitor_rows(ours)
    yield from demo_rows(ours)
    yield from landscape_rows(ours, peers)
    yield from profile_rows(ours, peers)
    yield from npu_rows(ours, peers)
    yield from dashboard_rows(ours, peers is not None)


class Peers:
    """What the peers reach at the same work; smoke runs do a hundredth of it."""

    def __init__(self, scratch: Path, smoke: bool):
        self._scratch = scratch
        self._smoke = smoke
        self._directories = 0
        self.absent: list[str] = []  # Those that cannot run here, with the reason.

    def times(self, count: int) -> int:
        return max(1, count // 100) if self._smoke else count

    def directory(self) -> Path:
        self._directories += 1
        directory = self._scratch / f"peer_{self._directories}"
        directory.mkdir()
        return directory

    def spans(self) -> dict[str, float]:
        """Nanoseconds of a recorded span by peer. A short run leaves out those that are built for minutes."""
        from peers import spans

        costs = {"PyTorch's record_function": spans.record_function}
        if not self._smoke:
            costs["Perfetto's C SDK"], costs["Tracy"] = spans.perfetto, spans.tracy
        measured = {}
        for name, cost in costs.items():
            try:
                measured[name] = cost(self._scratch)
            except spans.CannotRun as reason:
                self.absent.append(f"{name}: {reason}")
        return measured

    def perfetto_load(self, trace: Path) -> float | None:
        """Seconds until Perfetto's trace_processor answers questions about the trace; None where it cannot run."""
        from peers import perfetto_engine, spans

        try:
            return perfetto_engine.load_seconds(trace)
        except spans.CannotRun as reason:
            self.absent.append(f"Perfetto's trace_processor: {reason}")
            return None

    def mindspore_pca(self, checkpoints: int, parameters: int) -> float | None:
        """Seconds; None where there is no CPython 3.11, which MindSpore needs."""
        # In the order of tests/python/run.sh, whose environment serves here too.
        interpreter = shutil.which("python3.11", path="/usr/bin") or shutil.which("python3.11")
        if interpreter is None:
            return None
        root = Path(__file__).parents[2]
        setup = [
            root / "tools" / "setup.sh",
            "--python",
            interpreter,
            root / "tests" / "python" / "mindspore-2.7.0-requirements.txt",
        ]
        python = subprocess.run(setup, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        command = [
            python,
            Path(__file__).parent / "peers" / "mindspore_pca.py",
            str(checkpoints),
            str(parameters),
        ]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return float(done.stdout.splitlines()[-1])

    def msprof_cluster(self, folder: Path) -> Cost | None:
        """What `msprof-analyze cluster` takes for the ranks in the folder; None where it cannot run."""
        try:
            command = [msprof_analyze(), "cluster", "-d", folder, "-o", self.directory(), "--force"]
            return cost_of(command, 1)
        except (OSError, subprocess.CalledProcessError) as reason:
            self.absent.append(f"msprof-analyze: {reason}")
            return None

    def scalar_events(self) -> float:
        from peers import writing

        return writing.scalar_events_per_second(self.directory(), self.times(SCALAR_PEER_EVENTS))

    def histogram_values(self, size: int, repeats: int) -> float:
        import numpy as np
        from peers import writing

        values = np.random.default_rng(1).standard_normal(self.times(size), dtype=np.float32)
        return writing.histogram_values_per_second(self.directory(), values, self.times(repeats))

    def images(self, picture: Path) -> tuple[float, float]:
        """Images a second, and the bytes of one, for the picture that our benchmark left."""
        import numpy as np
        from peers import writing

        hwc = np.fromfile(picture, np.uint8).reshape(PICTURE_SIDE, PICTURE_SIDE, 3)
        return writing.images_per_second(self.directory(), hwc.transpose(2, 0, 1), self.times(100))

    def reading(self) -> dict[str, float]:
        """Events a second of TensorBoard's readers, from a file that tensorboardX wrote."""
        from peers import reading, writing

        python_events = self.times(100_000)
        python_file = writing.scalar_file(self.directory(), python_events)
        server_events = self.times(1_000_000)
        server_directory = writing.repeat_events(
            python_file, server_events // python_events, self.directory()
        )
        return {
            "Python": reading.python_events_per_second(python_file, python_events),
            "Rust": reading.server_events_per_second(
                server_directory, server_events, checksums=False
            ),
            "Rust, checksums": reading.server_events_per_second(
                server_directory, server_events, checksums=True
            ),
        }

    def opening(self, directory: Path, events: int) -> dict[str, float]:
        """Milliseconds that TensorBoard's readers take for a run; the server keeps a sample of its points."""
        from peers import reading

        return {
            "Rust": 1e3
            * events
            / reading.server_events_per_second(directory, events, checksums=False),
            "EventAccumulator": 1e3 * reading.accumulator_seconds(directory, events),
        }


def dump_rows(ours: Ours) -> Iterator[Row]:
    for name, what, bar in (
        ("ParseTransformer", "a transformer's graph dump", 600),
        ("ParseFormat1", "a graph dump without locations", 150),
    ):
        result = ours.benchmark("ir_bench", name)
        yield Row(f"parsing {what}", "MB/s", result["bytes_per_second"] / MILLION, bar)
    result = ours.benchmark("model_bench", "ModelMemory")
    distinct = result["distinct_line_bytes"]
    yield Row(
        "memory of a graph of 700 nodes with its locations",
        "bytes",
        result["model_bytes"],
        2 * distinct,
        True,
        distinct,
        "its distinct lines",
    )
    result = ours.benchmark("ir_bench", "DiffLarge")
    yield Row(
        "what two graphs of 5,000 nodes differ in", "ms", result["real_time"], 100, at_most=True
    )
    for name, what, bar in (
        ("DumpCall", "dumping a graph of 700 nodes: the compiling thread", 1000),
        ("DumpCallsInARow", "  of 24 dumps in a row, each", None),
        ("DumpWritten", "  until it is in its file", None),
    ):
        result = ours.benchmark("dump_bench", name)
        yield Row(what, "us", result["real_time"], bar, at_most=True)


def folder_rows(ours: Ours) -> Iterator[Row]:
    folder = ours.scratch / "dumps"
    origin = make_folder(folder, may_compile=not ours.smoke)
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    ours.environment["SIGHTLINE_DUMP_FOLDER"] = str(folder)
    what = f"{len(sizes):,} files, {sum(sizes) / MILLION:.0f} MB, {origin}"
    result = ours.benchmark("folder_bench", "ReadDumpFolder")
    yield Row(
        f"a folder of dumps ({what}), every dump read",
        "ms",
        result["real_time"],
        1000,
        at_most=True,
    )
    shutil.rmtree(folder)


def flat_dump(path: Path, nodes: int, edges: int) -> Path:
    """A dump without scopes; each node takes so many earlier ones, any of them: the worst to lay out."""
    random = Random(7)
    lines = [
        "# IR entry: @f",
        "",
        "# Total params: 1",
        "# Params:",
        "%para1_x: <Tensor[Float32], (2)>",
        "",
        "subgraph @f() {",
    ]
    for node in range(nodes):
        operands = [f"%{random.randrange(node)}" for _ in range(edges)] if node else ["%para1_x"]
        lines.append(f"  %{node}(n{node}) = Add({', '.join(operands)})")
    path.write_text("\n".join(lines) + f"\n  Return(%{nodes - 1})\n}}\n")
    return path


def dump_picture_rows(ours: Ours) -> Iterator[Row]:
    """MindSpore's own .dot of the first graph is not laid out after seven minutes."""
    program = ours.build / "tools" / "sightline"
    for dump, what in (
        (LARGE_DUMP, "4,930 nodes in 854 subgraphs"),
        (
            flat_dump(ours.scratch / "flat.ir", 5000, 10),
            "5,000 nodes without scopes, each with 10 inputs",
        ),
    ):
        times = []
        for _ in range(1 if ours.smoke else 7):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [program, "ir", "dot", "--svg", "-o", ours.scratch / "dump.svg", dump], check=True
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        yield Row(
            f"picture of {what}: read, drawn, laid out, CPU time",
            "s",
            statistics.median(times),
            5,
            at_most=True,
        )


def scalar_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    result = ours.benchmark("recorder_bench", "ScalarEventsEndToEnd/2000000")
    row = Row("one-scalar events end to end, one producer", "M/s", result["events/s"] / MILLION, 10)
    if peers:
        row.peer, row.peer_name = peers.scalar_events() / MILLION, "tensorboardX"
    yield row


def caller_rows(ours: Ours) -> Iterator[Row]:
    for name, how, p50 in (
        ("CallerCostByTagId", "TagId", 60),
        ("CallerCostByString", "string", 120),
    ):
        result = ours.benchmark("recorder_bench", name)
        yield Row(
            f"caller's cost of a scalar by {how}, p50", "ns", result["p50_ns"], p50, at_most=True
        )
        yield Row(f"  by {how}, p99.9", "ns", result["p99.9_ns"], 5000, at_most=True)
        yield Row(f"  by {how}, longest of a million calls", "us", result["longest_us"])
        yield Row(
            f"  by {how}, allocations in a million calls",
            "",
            result["allocations"],
            0,
            at_most=True,
        )
    result = ours.benchmark("sdk_bench", "CallerCostByC")
    yield Row(
        "  by the C interface, of the cost in C++",
        "x",
        result["c_ns"] / result["cpp_ns"],
        1.1,
        at_most=True,
    )


def histogram_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    for name, what, size, repeats in (
        ("Histogram64MiB", "64 MiB", 1 << 24, 3),
        ("Histogram60000", "60,000 values", 60_000, 200),
    ):
        result = ours.benchmark("values_bench", name)
        row = Row(
            f"histogram of float32, {what}, one core",
            "M values/s",
            result["values/s"] / MILLION,
            500,
        )
        if peers:
            row.peer, row.peer_name = (
                peers.histogram_values(size, repeats) / MILLION,
                "tensorboardX",
            )
        yield row


def tensor_rows(ours: Ours) -> Iterator[Row]:
    events = ours.benchmark("recorder_bench", "TensorEvents")["bytes_per_second"]
    limit = ours.benchmark("recorder_bench", "MemcpyAndWrite")["bytes_per_second"]
    yield Row(
        "float32 tensor events",
        "MB/s",
        events / MILLION,
        peer=limit / MILLION,
        peer_name="memcpy + write",
    )
    yield Row("  share of memcpy + write of the same bytes", "%", 100 * events / limit, 80)
    copy = ours.benchmark("recorder_bench", "LargeCopy")["real_time"]
    for kind in ("Tensor", "Histogram"):
        call = ours.benchmark("recorder_bench", f"Large{kind}Call")["real_time"]
        yield Row(
            f"a call with a {kind.lower()} of 64 MiB",
            "ms",
            call,
            MAX_COPIES * copy,
            at_most=True,
            peer=copy,
            peer_name="memcpy",
        )


def reading_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    theirs: dict[str, Any] = peers.reading() if peers else {}
    for dialect in ("mindspore", "tensorboard"):
        result = ours.benchmark("read_bench", f"ReadScalarEvents/{dialect}")
        row = Row(
            f"reading one-scalar events, {dialect}, every checksum",
            "M/s",
            result["items_per_second"] / MILLION,
            10,
        )
        if theirs:
            row.peer, row.peer_name = theirs["Rust"] / MILLION, "TensorBoard (Rust), no checksums"
        yield row
    for name in ("Rust, checksums", "Python"):
        if theirs:
            yield Row(
                "",
                "M/s",
                result["items_per_second"] / MILLION,
                peer=theirs[name] / MILLION,
                peer_name=f"TensorBoard ({name})",
            )


def picture_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    for name, what, file in (
        ("EncodePngPhotoLike", "photo-like", "photo.rgb"),
        ("EncodePngNoise", "noise", "noise.rgb"),
    ):
        result = ours.benchmark("values_bench", name)
        row = Row(f"PNG 3x224x224, {what}, one core", "images/s", result["images/s"])
        if peers:
            speed, size = peers.images(ours.scratch / file)
            row.peer, row.peer_name, row.reach = speed, "tensorboardX", 8 * speed
        yield row
        if peers:
            yield Row(
                "  bytes of a file",
                "",
                result["png_bytes"],
                1.25 * size,
                True,
                size,
                "tensorboardX",
            )


def monitor_rows(ours: Ours) -> Iterator[Row]:
    result = ours.benchmark("monitor_bench", "SkippedStepWithAFunction")
    yield Row("a step that is not recorded", "ns", result["real_time"], 5, at_most=True)
    result = ours.benchmark("monitor_bench", "ShouldRecordOfASkippedStep")
    yield Row(
        "  asked beforehand for one value, with frequencies",
        "ns",
        result["real_time"],
        5,
        at_most=True,
    )
    result = ours.benchmark("monitor_bench", "LongTraining")
    # Pages of stacks and of the allocator come and go; a byte a step would be 98 KiB.
    yield Row(
        "resident memory, growth over 100,000 recorded steps",
        "KiB",
        result["grown_kib"],
        96,
        at_most=True,
    )


def profile_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    # Seven runs of two seconds are as hard as one of ten.
    ours.environment["SIGHTLINE_PACED_MS"] = "100" if ours.smoke else "2000"
    clock = ours.benchmark("profile_bench", "BM_ReadClockTwice")["cpu_time"]
    span = ours.benchmark("profile_bench", "BM_SpanRecorded")["cpu_time"]
    yield Row(
        "a span while a profile is recorded, beyond two readings of the clock",
        "ns",
        span - clock,
        15,
        at_most=True,
    )
    yield Row("  two readings of the clock", "ns", clock)
    for name, cost in (peers.spans() if peers else {}).items():
        yield Row("  with them", "ns", span, peer=cost, peer_name=name)
    yield Row(
        "a span while none is",
        "ns",
        ours.benchmark("profile_bench", "BM_SpanOff")["cpu_time"],
        1,
        at_most=True,
    )
    paced = ours.benchmark("profile_bench", "BM_TwoThreadsPaced")
    yield Row(
        "two threads at 2.5 million spans/s each for 2 s: dropped",
        "spans",
        paced["dropped"],
        0,
        at_most=True,
    )
    yield Row("  in the file", "bytes/span", paced["bytes_a_span"], 40, at_most=True)
    unpaced = ours.benchmark("profile_bench", "BM_TwoThreadsUnpaced")
    yield Row(
        "two threads as fast as they can: spans neither in the file nor counted as dropped",
        "spans",
        unpaced["unaccounted"],
        0,
        at_most=True,
    )
    yield Row("  dropped of 2 million", "spans", unpaced["dropped"])
    yield from profile_step_rows(ours)
    yield from profile_model_rows(ours)
    yield from profile_import_rows(ours, peers)
    yield from large_profile_rows(ours)


def profile_step_rows(ours: Ours) -> Iterator[Row]:
    """MindSpore's steps are in mindspore_overhead.py."""
    ours.environment["SIGHTLINE_BLOCK_MS"] = "10" if ours.smoke else "250"
    step = ours.benchmark("profile_step_bench", "BM_StepWithAProfile")
    yield Row(
        "the demo's step slowed by a profile: five phases, samples every 100 ms",
        "%",
        step["percent"],
        1,
        at_most=True,
    )
    yield Row("  the step", "us", step["step_us"])


def profile_import_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    if peers:
        ours.environment["SIGHTLINE_KEEP_TRACE"] = "1"
    ours.environment["SIGHTLINE_TRACE_MB"] = "2" if ours.smoke else "500"
    ours.environment["SIGHTLINE_KERNELS"] = "10000" if ours.smoke else "1000000"
    trace = ours.benchmark("profile_import_bench", "BM_ImportTrace")
    yield Row(
        f"reading a trace_view.json of {trace['file_mb']:.0f} MB, CPU time",
        "ms",
        trace["cpu_time"],
        2000,
        at_most=True,
    )
    yield Row("  memory", "MB", trace["memory_mb"], 600, at_most=True)
    kernels = ours.benchmark("profile_import_bench", "BM_KernelTable")
    yield Row(
        "table of operators from a kernel_details.csv of a million rows, CPU time",
        "ms",
        kernels["cpu_time"],
        2000,
        at_most=True,
    )
    yield Row("  memory", "MB", kernels["memory_mb"])
    own = ours.benchmark("profile_import_bench", "BM_FirstPictureOfOurs")
    yield Row(
        f"first whole timeline of {own['spans'] / MILLION:g} million spans of ours",
        "ms",
        own["real_time"],
        1000,
        at_most=True,
    )
    if peers:
        (trace,) = ours.scratch.glob("profile_*.perfetto-trace")
        if (load := peers.perfetto_load(trace)) is not None:
            yield Row(
                "  until it can be asked",
                "ms",
                own["real_time"],
                peer=1e3 * load,
                peer_name="Perfetto's trace_processor (WebAssembly)",
            )
        trace.unlink()
    foreign = ours.benchmark("profile_import_bench", "BM_FirstPictureOfAForeignTrace")
    yield Row("  of a trace of another writer", "ms", foreign["real_time"], 4000, at_most=True)


def large_profile_rows(ours: Ours) -> Iterator[Row]:
    ours.environment["SIGHTLINE_LARGE_SPANS"] = "100000" if ours.smoke else "100000000"
    large = ours.benchmark("large_profile_bench", "HundredMillionSpans")
    yield Row(
        f"first whole timeline of {large['spans'] / MILLION:g} million spans below 1 GB",
        "s",
        large["first_picture_s"],
    )
    yield Row("  resident memory at most", "MB", large["resident_mb"], 1000, at_most=True)
    yield Row("  any range of it at 2,000 columns, p99", "ms", large["p99_ms"])


def profile_model_rows(ours: Ours) -> Iterator[Row]:
    spans = 100_000 if ours.smoke else 10_000_000
    ours.environment["SIGHTLINE_SPANS"] = str(spans)
    what = f"{spans / MILLION:g} million spans on 64 threads"
    index = ours.benchmark("profile_model_bench", "BM_BuildTimelineIndex")
    yield Row(f"{what}: the index of the timeline", "ms", index["cpu_time"])
    yield Row("  memory", "bytes/span", index["bytes_a_span"])
    looks = ours.benchmark("profile_model_bench", "BM_LookAtTimeline/20")
    yield Row(
        "  any range of it at 2,000 columns, p99 of CPU time",
        "ms",
        looks["p99_ms"],
        5,
        at_most=True,
    )
    whole = ours.benchmark("profile_model_bench", "BM_LookAtTimeline/0")
    yield Row("  the whole of it", "ms", whole["p50_ms"])
    table = ours.benchmark("profile_model_bench", "BM_OperatorTable")
    yield Row("  the table of its operators", "ms", table["cpu_time"], 200, at_most=True)


def landscape_rows(ours: Ours, peers: Peers | None) -> Iterator[Row]:
    parameters = 1_000_000 if ours.smoke else 100_000_000
    ours.environment["SIGHTLINE_LANDSCAPE_PARAMETERS"] = str(parameters)
    directions = ours.benchmark("landscape_bench", "PcaOfLargeCheckpoints")
    yield Row(
        "landscape: directions of 10 checkpoints x 100 M float32",
        "s",
        directions["real_time"],
        5,
        at_most=True,
    )
    yield Row(
        "  found within the two directions plus 64 MB",
        "",
        directions["same_bits_in_little_memory"],
        1,
    )
    small = parameters // 50  # tests/bench/landscape_bench.cc
    of_few = ours.benchmark("landscape_bench", "PcaBesideMindSpore")["real_time"]
    theirs = peers.mindspore_pca(10, small) if peers else None
    yield Row(
        f"  directions of 10 checkpoints x {small / MILLION:g} M",
        "s",
        of_few,
        theirs,
        at_most=True,
        peer=theirs,
        peer_name="MindSpore's SVD, in memory",
    )
    triad = ours.benchmark("landscape_bench", "Triad")["bytes_per_second"]
    forming = ours.benchmark("landscape_bench", "FormLargePoint")["bytes_per_second"]
    yield Row(
        "  forming a point of 100 M parameters",
        "MB/s",
        forming / MILLION,
        0.7 * triad / MILLION,
        peer=triad / MILLION,
        peer_name="STREAM triad",
    )
    overhead = ours.benchmark("landscape_bench", "OverheadOfAnEvaluation")["percent"]
    yield Row(
        "  1,600 points at 5 ms, journal on, beyond loss and forming",
        "%",
        overhead,
        2,
        at_most=True,
    )
    scaling = ours.benchmark("landscape_bench", "ScalingOverTwoProcesses")["percent"]
    yield Row("  two processes that compute the loss, of two bare loops", "%", scaling, 95)


def demo_rows(ours: Ours) -> Iterator[Row]:
    overhead = ours.demo()["overhead"]
    yield Row(
        "demo's training slowed by recording every step", "%", overhead["percent"], 2, at_most=True
    )
    yield Row("  a step, not recorded", "ms", overhead["step_milliseconds"], 2, at_most=True)
    yield Row("  recording in the training thread, a step", "us", overhead["caller_microseconds"])
    yield Row("  CPU time of the recorder's threads, a step", "us", overhead["worker_microseconds"])

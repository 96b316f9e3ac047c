"""Our profile, read by Perfetto's own schema (PyPI package perfetto): the demo's phases, step by step."""

import subprocess
from collections import Counter

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket, TrackEvent

MONOTONIC, DELTA = 3, 64
PHASES = ["batch", "forward", "backward", "optimizer", "record"]


@pytest.fixture(scope="module")
def trace(build, tmp_path_factory):
    directory = tmp_path_factory.mktemp("profiled") / "run"
    subprocess.run(
        [
            build / "tools" / "sightline",
            "demo",
            "--profile",
            "--epochs",
            "1",
            "--overhead-pairs",
            "0",
            directory,
        ],
        check=True,
    )
    (path,) = (directory / "profile").glob("*.perfetto-trace")
    trace = Trace()
    trace.ParseFromString(path.read_bytes())
    return trace


def events(trace):
    """(nanoseconds, track, event, its name) of each event, by the rules of trace_packet.proto."""
    now, names, tracks = {}, {}, {}
    for packet in trace.packet:
        sequence = packet.trusted_packet_sequence_id
        if packet.sequence_flags & TracePacket.SEQ_INCREMENTAL_STATE_CLEARED:
            names[sequence] = {}
            tracks[sequence] = packet.trace_packet_defaults.track_event_defaults.track_uuid
            assert packet.trace_packet_defaults.timestamp_clock_id == DELTA
            clocks = {clock.clock_id: clock for clock in packet.clock_snapshot.clocks}
            assert (
                clocks[DELTA].is_incremental
                and clocks[DELTA].timestamp == clocks[MONOTONIC].timestamp
            )
            now[sequence] = clocks[DELTA].timestamp
        for entry in packet.interned_data.event_names:
            assert entry.iid not in names[sequence]
            names[sequence][entry.iid] = entry.name
        if not packet.HasField("track_event"):
            continue
        assert packet.sequence_flags & TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        event = packet.track_event
        if packet.HasField("timestamp_clock_id"):  # Of an operator: its program has measured it.
            assert packet.timestamp_clock_id == MONOTONIC
            nanos = packet.timestamp
        else:
            nanos = now[sequence] = now[sequence] + packet.timestamp
        track = event.track_uuid if event.HasField("track_uuid") else tracks[sequence]
        name = event.name or names[sequence].get(event.name_iid, "")
        yield nanos, track, event, name


def slices(trace):
    """(track, name, begin, end, name of the slice around it)."""
    open_slices, done = {}, []
    for nanos, track, event, name in events(trace):
        stack = open_slices.setdefault(track, [])
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            stack.append((name, nanos))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            name, begin = stack.pop()
            done.append((track, name, begin, nanos, stack[-1][0] if stack else None))
    assert not any(open_slices.values())
    return done


def test_every_message_is_one_that_perfetto_knows(trace):
    from google.protobuf.unknown_fields import UnknownFieldSet

    assert len(trace.packet) > 100
    for packet in trace.packet:
        for message in (
            packet,
            packet.track_event,
            packet.track_descriptor,
            packet.interned_data,
            packet.clock_snapshot,
        ):
            assert len(UnknownFieldSet(message)) == 0


def test_each_step_has_its_five_phases_in_order(trace):
    everything = slices(trace)
    steps = [(begin, end) for _, name, begin, end, _ in everything if name.startswith("step ")]
    assert len(steps) == 44
    phases = sorted((begin, end, name) for _, name, begin, end, _ in everything if name in PHASES)
    assert [name for _, _, name in phases] == PHASES * 44
    for number, (begin, end) in enumerate(steps):
        within = phases[5 * number : 5 * number + 5]
        assert all(begin <= first <= last <= end for first, last, _ in within)
        assert all(this[1] <= following[0] for this, following in zip(within, within[1:]))


def test_tracks_and_counters_are_described(trace):
    tracks = {
        packet.track_descriptor.uuid: packet.track_descriptor
        for packet in trace.packet
        if packet.HasField("track_descriptor")
    }
    threads = {track.thread.thread_name for track in tracks.values() if track.HasField("thread")}
    assert "training" in threads
    used = Counter(track for _, track, _, _ in events(trace))
    assert used.keys() <= tracks.keys()
    counters = {
        tracks[track].name
        for _, track, event, _ in events(trace)
        if event.type == TrackEvent.TYPE_COUNTER
    }
    assert "system/memory_bytes" in counters
    assert all(
        tracks[track].HasField("counter")
        for _, track, event, _ in events(trace)
        if event.type == TrackEvent.TYPE_COUNTER
    )


def test_the_first_packet_ties_the_clock_to_wall_time(trace):
    clocks = {clock.clock_id: clock.timestamp for clock in trace.packet[0].clock_snapshot.clocks}
    assert set(clocks) == {1, 3, 6}
    assert clocks[1] > 1_700_000_000 * 10**9
    assert trace.packet[0].clock_snapshot.primary_trace_clock == MONOTONIC

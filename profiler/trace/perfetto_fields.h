// Field numbers of Perfetto's trace, a namespace for each message, for those who write traces
// (packet_writer.h) and for the importer. Source: protos/perfetto/trace of
// https://github.com/google/perfetto; the file of each message is named beside it.
#pragma once

#include <cstdint>

namespace sightline::profiler::perfetto {

// trace.proto: a trace is a sequence of packets.
namespace trace {
enum Field : std::uint8_t { kPacket = 1 };
}  // namespace trace

// trace_packet.proto.
namespace packet {
enum Field : std::uint8_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kSynchronizationMarker = 36,
  kPreviousDropped = 42,
  kProcessDescriptor = 43,  // Of writers before track descriptors, like the next.
  kThreadDescriptor = 44,
  kCompressedPackets = 50,
  kTimestampClockId = 58,
  kDefaults = 59,
  kTrackDescriptor = 60,
  kFirstOnSequence = 87,
};
// Bits of kSequenceFlags.
enum SequenceFlag : std::uint8_t { kStateCleared = 1, kNeedsState = 2 };
}  // namespace packet

// trace_packet_defaults.proto.
namespace defaults {
enum Field : std::uint8_t { kTrackEvent = 11, kTimestampClockId = 58 };
}  // namespace defaults

// clock_snapshot.proto.
namespace snapshot {
enum Field : std::uint8_t { kClock = 1, kPrimaryClock = 2 };
}  // namespace snapshot
namespace clock {
enum Field : std::uint8_t { kId = 1, kTimestamp = 2, kIsIncremental = 3, kUnitNanos = 4 };
// common/builtin_clock.proto.
enum Id : std::uint8_t { kRealtime = 1, kMonotonic = 3, kBoot = 6, kFirstOfSequence = 64 };
}  // namespace clock

// track_event/track_descriptor.proto, process_descriptor.proto, thread_descriptor.proto,
// counter_descriptor.proto.
namespace track {
enum Field : std::uint8_t {
  kUuid = 1,
  kName = 2,
  kProcess = 3,
  kThread = 4,
  kParentUuid = 5,
  kCounter = 8,
  kStaticName = 10,
};
}  // namespace track
namespace process {
enum Field : std::uint8_t { kId = 1, kName = 6, kLabels = 8 };
}  // namespace process
namespace thread {
enum Field : std::uint8_t { kProcessId = 1, kId = 2, kName = 5, kReferenceTimestampUs = 6 };
}  // namespace thread
namespace counter {
enum Field : std::uint8_t { kUnitMultiplier = 4, kIsIncremental = 5, kUnitName = 6 };
}  // namespace counter

// interned_data/interned_data.proto; each of its entries has an id and a text.
namespace interned {
enum Field : std::uint8_t { kCategories = 1, kEventNames = 2, kAnnotationNames = 3 };
}  // namespace interned
namespace entry {
enum Field : std::uint8_t { kIid = 1, kText = 2 };
}  // namespace entry

// track_event/track_event.proto.
namespace event {
enum Field : std::uint8_t {
  kTimestampDeltaUs = 1,
  kCategoryIid = 3,
  kAnnotation = 4,
  kLegacyEvent = 6,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kExtraCounterValues = 12,
  kTimestampAbsoluteUs = 16,
  kCategory = 22,
  kName = 23,
  kIntegerCounterValue = 30,
  kExtraCounterTracks = 31,
  kOldFlowId = 36,
  kOldLastFlowId = 42,
  kCounterValue = 44,
  kExtraDoubleCounterTracks = 45,
  kExtraDoubleCounterValues = 46,
  kFlowId = 47,
  kLastFlowId = 48,
};
enum Type : std::uint8_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };
}  // namespace event
// TrackEvent.LegacyEvent: an event of Chrome's JSON, of which the phase is a letter.
namespace legacy {
enum Field : std::uint8_t {
  kNameIid = 1,
  kPhase = 2,
  kDurationUs = 3,
  kUnscopedId = 6,
  kLocalId = 10,
  kGlobalId = 11,
};
}  // namespace legacy

// track_event/debug_annotation.proto.
namespace annotation {
enum Field : std::uint8_t {
  kNameIid = 1,
  kBool = 2,
  kUint = 3,
  kInt = 4,
  kDouble = 5,
  kString = 6,
  kPointer = 7,
  kName = 10,
};
}  // namespace annotation

}  // namespace sightline::profiler::perfetto

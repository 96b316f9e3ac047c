// Field numbers of Perfetto's trace, for the writers (profiler/record, profiler/export) and the
// reader (profiler/import), which do not link each other. From trace_packet.proto and
// track_event/track_event.proto in protos/perfetto/trace of https://github.com/google/perfetto.
#pragma once

#include <cstdint>

namespace sightline::perfetto {

enum PacketField : std::uint8_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kSynchronizationMarker = 36,
  kPreviousDropped = 42,
  kTimestampClockId = 58,
  kPacketDefaults = 59,
  kTrackDescriptor = 60,
  kFirstOnSequence = 87,
};

// Bits of kSequenceFlags.
enum SequenceFlag : std::uint8_t { kStateCleared = 1, kNeedsState = 2 };

enum EventField : std::uint8_t {
  kCategoryIid = 3,
  kAnnotation = 4,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kCategory = 22,
  kName = 23,
  kIntegerCounterValue = 30,
  kOldFlowId = 36,
  kOldLastFlowId = 42,
  kCounterValue = 44,
  kFlowId = 47,
  kLastFlowId = 48,
};

enum EventType : std::uint8_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };

}  // namespace sightline::perfetto

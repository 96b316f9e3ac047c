// Encodes events in the MindSpore dialect: MindSpore's protobuf messages, field for field as its
// SummaryRecord writes them (docs/event_file.md). Payloads borrow from the values that they encode.
//
// Stateless: may be called from any thread, each with a Payload of its own.
//
//   char* end = mindspore::PutScalarRecord(buffer, wall_time, step, "loss", 0.5);
//   if (mindspore::EncodeSummaryEvent(event, payload)) writer.Write(payload);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sightline/recorder/dialect/payload.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/dialect/scalar_record.h"

namespace sightline::mindspore {

constexpr std::size_t MaxScalarRecordSize(std::size_t tag_bytes) {
  return tag_bytes + scalar_record::kMaxOverhead;
}

// Writes the whole record of an event with one scalar at `out`, framing and checksums included, and
// returns the position after it. `out` has MaxScalarRecordSize(tag.size()) bytes of room. `value`
// is rounded to float32; if it exceeds that range, it becomes infinite.
char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                      double value);

// The functions below append the message of one event to an empty payload.

// Appends the values of EventPart::kSummary, in their order, and leaves out the others. If there is
// none, appends nothing and returns false. Every tensor has float_data, which MindInsight reads,
// and also raw_data if float32 cannot hold its dtype exactly. REQUIRES: no tensor is complex.
bool EncodeSummaryEvent(const PreparedEvent& prepared, Payload& out);

// Appends a serialized GraphProto. A step of 0 is not written, as MindSpore does for graphs and
// lineage.
void EncodeGraphEvent(double wall_time, std::int64_t step, std::string_view graph, Payload& out);

// Appends a LineageEvent, for the lineage file. REQUIRES: PartOf(value.kind) is
// EventPart::kLineage.
void EncodeLineageEvent(double wall_time, std::int64_t step, const PreparedValue& value,
                        Payload& out);

// Appends the first record of a file. `session`: a serialized SessionInfo, for an extension field.
void EncodeVersionEvent(double wall_time, std::string_view session, Payload& out);

}  // namespace sightline::mindspore

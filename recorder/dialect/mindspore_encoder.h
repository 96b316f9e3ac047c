// Events in the MindSpore dialect: MindSpore's protobuf messages, field for field as its
// SummaryRecord writes them (docs/event_file.md). Payloads borrow from what they encode.
//
// Stateless: callable from any thread, one Payload per call.
//
//   char* end = mindspore::PutScalarRecord(buffer, wall_time, step, "loss", 0.5);  // Framing
//   included. if (mindspore::EncodeSummaryEvent(event, payload)) WriteRecord(payload);
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

// Writes a complete record, framing and checksums included, of an event with one scalar at `out`,
// which has MaxScalarRecordSize(tag.size()) bytes of room; returns the position after it. `value`
// is rounded to float32; beyond its range it becomes infinite.
char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                      double value);

// The functions below append the message of one event to an empty payload.

// The values of EventPart::kSummary, in their order; others are left out. False, and nothing
// appended, when there is none. Tensors of every dtype carry float_data, which is what MindInsight
// reads; raw_data in addition where float32 cannot hold the dtype exactly. REQUIRES: no tensor is
// complex.
bool EncodeSummaryEvent(const PreparedEvent& prepared, Payload& out);

// A serialized GraphProto. As MindSpore does for graphs and lineage, a step of 0 is not written.
void EncodeGraphEvent(double wall_time, std::int64_t step, std::string_view graph, Payload& out);

// A LineageEvent, for the lineage file. REQUIRES: PartOf(value.kind) is EventPart::kLineage.
void EncodeLineageEvent(double wall_time, std::int64_t step, const PreparedValue& value,
                        Payload& out);

// The first record of a summary file. `session`: a serialized SessionInfo, in an extension field.
void EncodeVersionEvent(double wall_time, std::string_view session, Payload& out);

}  // namespace sightline::mindspore

// Events in the TensorBoard dialect, so that TensorBoard shows them unchanged (docs/event_file.md).
// Payloads borrow from what they encode.
//
// Stateless: callable from any thread, one Payload per call.
//
//   scalar     simple_value
//   histogram  histo, with MindSpore's buckets
//   image      image
//   tensor     tensor, every dtype lossless in tensor_content; plugin "sightline"
//   landscape  three tensors: <tag>/x, <tag>/y, <tag>/z (and <tag>/path/..., <tag>/convergence/...)
//   lineage    text, a Markdown table, under train_lineage, eval_lineage, dataset_graph and
//              custom_lineage_data; custom pairs and hyper-parameters also for the HPARAMS page
//   graph      graph_def
//   TensorBoard event: as it is, after time and step
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/dialect/payload.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/dialect/scalar_record.h"

namespace sightline::tensorboard {

constexpr std::size_t MaxScalarRecordSize(std::size_t tag_bytes) {
  return tag_bytes + scalar_record::kMaxOverhead;
}

// Writes a complete record, framing and checksums included, of an event with one scalar at `out`,
// which has MaxScalarRecordSize(tag.size()) bytes of room; returns the position after it. `value`
// is rounded to float32; beyond its range it becomes infinite.
char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                      double value);

// The functions below append the message of one event to an empty payload.

// All values but those that are events of their own, in their order. False, and nothing appended,
// when there is none. TensorBoard keeps the first hyper-parameters of a run: those that are
// recorded in one event are merged, later ones show as text only. REQUIRES: no tensor is complex.
bool EncodeSummaryEvent(const PreparedEvent& prepared, Payload& out);

// A serialized GraphProto, as GraphDef. An error of MakeGraphDef leaves `out` empty.
Status EncodeGraphEvent(double wall_time, std::int64_t step, std::string_view graph, Payload& out);

// A serialized Event without time and step (ValueKind::kTensorBoardEvent).
void EncodeOwnEvent(double wall_time, std::int64_t step, std::string_view event, Payload& out);

// The first record of a file. `session`: a serialized SessionInfo, in an extension field.
void EncodeVersionEvent(double wall_time, std::string_view session, Payload& out);

// What TensorBoard writes after a restart: of this step and later ones, it hides what it has read
// of the run before.
void EncodeSessionStartEvent(double wall_time, std::int64_t step, Payload& out);

}  // namespace sightline::tensorboard

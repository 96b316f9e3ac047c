// Encodes events in the TensorBoard dialect, so that TensorBoard shows them as it is
// (docs/event_file.md). Payloads borrow from the values that they encode.
//
// Stateless: may be called from any thread, each with a Payload of its own. A value becomes:
//
//   scalar     simple_value
//   histogram  histo, with MindSpore's buckets
//   image      image
//   tensor     tensor, every dtype lossless in tensor_content; plugin "sightline"
//   landscape  three tensors: <tag>/x, <tag>/y, <tag>/z (and <tag>/path/..., <tag>/convergence/...)
//   lineage    text, a Markdown table, under train_lineage, eval_lineage, dataset_graph and
//              custom_lineage_data; custom pairs and hyper-parameters also for the HPARAMS page
//   graph      graph_def
//   TensorBoard event   unchanged, after time and step
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

// Writes the whole record of an event with one scalar at `out`, framing and checksums included, and
// returns the position after it. `out` has MaxScalarRecordSize(tag.size()) bytes of room. `value`
// is rounded to float32; if it exceeds that range, it becomes infinite.
char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                      double value);

// The functions below append the message of one event to an empty payload.

// Appends all values, in their order, except those that are events of their own. If there is none,
// appends nothing and returns false. TensorBoard keeps only the first hyper-parameters of a run:
// those of one event are merged, and later ones are shown as text only. REQUIRES: no tensor is
// complex.
bool EncodeSummaryEvent(const PreparedEvent& prepared, Payload& out);

// Appends a serialized GraphProto as a GraphDef. An error of MakeGraphDef leaves `out` empty.
Status EncodeGraphEvent(double wall_time, std::int64_t step, std::string_view graph, Payload& out);

// Appends a serialized Event without time and step (ValueKind::kTensorBoardEvent).
void EncodeOwnEvent(double wall_time, std::int64_t step, std::string_view event, Payload& out);

// Appends the first record of a file. `session`: a serialized SessionInfo, for an extension field.
void EncodeVersionEvent(double wall_time, std::string_view session, Payload& out);

// Appends the event that marks a restart (SessionLog.START). TensorBoard then hides the values of
// this step and later ones that it read before this event.
void EncodeSessionStartEvent(double wall_time, std::int64_t step, Payload& out);

}  // namespace sightline::tensorboard

// EventView: one event of either dialect, as it lies in its record. Nothing is copied and nothing
// is decoded but the numbers: every view points into the payload and lives as long as it does.
// recorder/reading/event_decode.h turns messages into values.
//
// Plain data; may be read from any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/recorder/framing/file_name.h"

namespace sightline {

enum class EventKind : std::uint8_t {
  kEmpty,    // A time and a step only.
  kVersion,  // body: "MindSpore.Event:1" or "brain.Event:2".
  kSummary,  // values.
  kGraph,    // body: GraphProto, or TensorBoard's GraphDef.
  kTrainLineage,
  kEvaluationLineage,
  kDatasetGraph,
  kCustomLineage,
  kExplain,
  kLogMessage,  // The rest is TensorBoard's.
  kSessionLog,
  kRunMetadata,
  kMetaGraph,
  kOther,  // A field that is in no schema.
};

// "summary", "train lineage", ...
std::string_view EventKindName(EventKind kind);

// What a value is, however its dialect spells it: a scalar of TensorFlow 2 is a tensor on the wire.
enum class ContentKind : std::uint8_t {
  kScalar,
  kHistogram,
  kImage,
  kTensor,
  kLandscape,
  kAudio,
  kText,
  kPlugin,  // Of another TensorBoard plugin, see `plugin`: pr_curves, hparams, ...
  kUnknown,
};

// "scalar", "histogram", ...
std::string_view ContentKindName(ContentKind kind);

struct ValueView {
  std::string_view tag;
  ContentKind kind = ContentKind::kUnknown;
  bool is_tensor = false;     // `message` is a TensorProto, whatever the kind.
  double scalar = 0;          // kScalar.
  std::string_view message;   // The kind's own message, or a TensorProto; not decoded.
  std::string_view metadata;  // TensorBoard's SummaryMetadata, not decoded.
  std::string_view plugin;    // Its plugin's name.
  std::string_view raw;       // The whole Summary.Value, with fields that no schema knows.
};

struct EventView {
  double wall_time = 0;  // Seconds since the Unix epoch.
  std::int64_t step = 0;
  EventKind kind = EventKind::kEmpty;
  std::string_view body;          // What the kind says, not decoded.
  std::vector<ValueView> values;  // Reused from one event to the next.
  std::string_view session;       // Our SessionInfo, not decoded; empty in most events.
  std::string_view payload;       // The whole message, with fields that no schema knows.
  std::uint64_t offset = 0;       // Of its record in the file.
};

// Reads `payload` as an event of a file of that kind. False where it is no protobuf message;
// `event` then holds what was read so far.
bool ParseEvent(EventFileKind file_kind, std::string_view payload, EventView& event);

// The kind of file that a record is likely from, by its content; for files whose name says nothing.
EventFileKind GuessFileKind(std::string_view payload);

}  // namespace sightline

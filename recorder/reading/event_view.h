// EventView: one event of either dialect, as views of its record's payload. They are valid as long
// as the payload. Only numbers are decoded, and nothing is copied. recorder/reading/event_decode.h
// decodes the messages.
//
// Plain data; any thread may read it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/message/kinds.h"

namespace sightline {

struct ValueView {
  std::string_view tag;
  ContentKind kind = ContentKind::kUnknown;
  bool is_tensor = false;  // `message` is a TensorProto, whatever `kind` is.
  double scalar = 0;       // kScalar.
  // The kind's own message, or a TensorProto; not decoded. Strings without a plugin are kText.
  std::string_view message;
  std::string_view metadata;  // TensorBoard's SummaryMetadata, not decoded. See InheritMetadata.
  std::string_view plugin;    // The name of the plugin in `metadata`.
  std::string_view raw;       // The whole Summary.Value, with fields that are in no schema.
};

struct EventView {
  double wall_time = 0;  // Seconds since the Unix epoch; NaN if the event has no time.
  std::int64_t step = 0;
  EventKind kind = EventKind::kEmpty;
  // The content that `kind` names, not decoded: for a graph GraphProto, or TensorBoard's GraphDef.
  std::string_view body;
  std::vector<ValueView> values;  // kSummary. The vector is reused for the next event.
  std::string_view session;       // Our SessionInfo, not decoded; empty in most events.
  std::string_view payload;       // The whole message, with fields that are in no schema.
  std::uint64_t offset = 0;       // Where its record begins in the file.
};

// Reads `payload` as an event of a file of the given kind. False if it is not a protobuf message;
// `event` then has what was read so far.
bool ParseEvent(EventFileKind file_kind, std::string_view payload, EventView& event);

// TensorFlow 1's writers give SummaryMetadata only in the first value of a tag, and TensorBoard
// uses them for the whole run. Whether a value that has none changes its kind if it gets those of
// the first value of its tag:
inline bool LacksMetadata(EventFileKind file_kind, const ValueView& value) {
  return file_kind == EventFileKind::kTensorBoard && value.metadata.empty() &&
         (value.is_tensor || value.kind == ContentKind::kUnknown);
}
// Gives it those, which it then borrows. REQUIRES: LacksMetadata.
void InheritMetadata(std::string_view metadata, ValueView& value);

// Guesses the kind of a file from the content of a record, for files whose name does not tell it.
EventFileKind GuessFileKind(std::string_view payload);

}  // namespace sightline

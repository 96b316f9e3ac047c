#include "sightline/recorder/reading/event_view.h"

#include <limits>

#include "sightline/base/wire.h"
#include "sightline/recorder/reading/event_decode.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

// Field numbers of proto/mindspore_event.proto, mindspore_lineage.proto and tensorboard.proto.
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kGraph = 4;
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kSession = 1000;
constexpr std::uint32_t kSummaryValue = 1;
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kMetadata = 9;  // TensorBoard's.

// The plugin name in our tensors. It keeps TensorBoard's own plugins from using them.
constexpr std::string_view kOurPlugin = "sightline";
// PyTorch's add_tensor names this plugin, which TensorBoard does not have.
constexpr std::string_view kTensorPlugin = "tensor";

// The kind of a bytes field of an event that is neither the summary nor the session.
EventKind KindOfField(EventFileKind file_kind, std::uint32_t number) {
  if (number == kVersion) return EventKind::kVersion;
  switch (file_kind) {
    case EventFileKind::kMindSporeSummary:
      if (number == kGraph) return EventKind::kGraph;
      return number == 6 ? EventKind::kExplain : EventKind::kOther;
    case EventFileKind::kMindSporeLineage:
      if (number == 6) return EventKind::kTrainLineage;
      if (number == 7) return EventKind::kEvaluationLineage;
      if (number == 9) return EventKind::kDatasetGraph;
      return number == 10 ? EventKind::kCustomLineage : EventKind::kOther;
    case EventFileKind::kTensorBoard:
    case EventFileKind::kWandb:
    case EventFileKind::kSwanLab:
      if (number == kGraph) return EventKind::kGraph;
      if (number == 6) return EventKind::kLogMessage;
      if (number == 7) return EventKind::kSessionLog;
      if (number == 8) return EventKind::kRunMetadata;
      return number == 9 ? EventKind::kMetaGraph : EventKind::kOther;
  }
  return EventKind::kOther;
}

bool IsLineage(EventKind kind) {
  return kind == EventKind::kTrainLineage || kind == EventKind::kEvaluationLineage ||
         kind == EventKind::kDatasetGraph || kind == EventKind::kCustomLineage;
}

// Whether the field is additional information, not the content of the event.
bool IsAside(EventFileKind file_kind, std::uint32_t number) {
  return number == 10 && file_kind == EventFileKind::kTensorBoard;  // source_metadata
}

constexpr std::uint32_t ScalarField(EventFileKind file_kind) {
  return file_kind == EventFileKind::kTensorBoard ? 2 : 3;
}

// The kind of a bytes field of a Summary.Value; kUnknown if it is not the value's content.
ContentKind KindOfContent(EventFileKind file_kind, std::uint32_t number) {
  if (number == 4) return ContentKind::kImage;
  if (number == 8) return ContentKind::kTensor;
  if (file_kind == EventFileKind::kTensorBoard) {
    if (number == 5) return ContentKind::kHistogram;
    return number == 6 ? ContentKind::kAudio : ContentKind::kUnknown;
  }
  if (number == 9) return ContentKind::kHistogram;
  return number == 10 ? ContentKind::kLandscape : ContentKind::kUnknown;
}

// SummaryMetadata.plugin_data.plugin_name.
std::string_view PluginOf(std::string_view metadata) {
  std::string_view name;
  Field field;
  for (Scanner scan(metadata); scan.Next(field);) {
    if (field.number != 1 || field.type != WireType::kBytes) continue;
    Field inner;
    for (Scanner plugin(field.bytes); plugin.Next(inner);) {
      if (inner.number == 1 && inner.type == WireType::kBytes) name = inner.bytes;
    }
  }
  return name;
}

// Sets the kind of a value by its plugin, which decides how TensorBoard shows a tensor.
void ClassifyByPlugin(ValueView& value) {
  value.plugin = PluginOf(value.metadata);
  if (!value.is_tensor) {
    if (value.kind == ContentKind::kUnknown && !value.plugin.empty())
      value.kind = ContentKind::kPlugin;
    return;
  }
  if (value.plugin == "scalars") {
    if (const auto scalar = ScalarOfTensor(value.message)) {
      value.kind = ContentKind::kScalar;
      value.scalar = *scalar;
    }
  } else if (value.plugin == "histograms") {
    value.kind = ContentKind::kHistogram;
  } else if (value.plugin == "images") {
    value.kind = ContentKind::kImage;
  } else if (value.plugin == "audio") {
    value.kind = ContentKind::kAudio;
  } else if (value.plugin == "text") {
    value.kind = ContentKind::kText;
  } else if (!value.plugin.empty() && value.plugin != kOurPlugin && value.plugin != kTensorPlugin) {
    value.kind = ContentKind::kPlugin;
  }
}

bool ParseValue(EventFileKind file_kind, std::string_view message, ValueView& value) {
  value.raw = message;
  Scanner scan(message);
  for (Field field; scan.Next(field);) {
    if (field.type == WireType::kFixed32 && field.number == ScalarField(file_kind)) {
      value.kind = ContentKind::kScalar;
      value.scalar = static_cast<double>(field.AsFloat());
    } else if (field.type != WireType::kBytes) {
      continue;
    } else if (field.number == kTag) {
      value.tag = field.bytes;
    } else if (field.number == kMetadata && file_kind == EventFileKind::kTensorBoard) {
      value.metadata = field.bytes;
    } else if (const ContentKind kind = KindOfContent(file_kind, field.number);
               kind != ContentKind::kUnknown) {
      value.kind = kind;
      value.is_tensor = kind == ContentKind::kTensor;
      value.message = field.bytes;
    }
  }
  if (!value.metadata.empty()) ClassifyByPlugin(value);
  if (value.kind == ContentKind::kTensor && file_kind == EventFileKind::kTensorBoard &&
      HoldsStrings(value.message))
    value.kind = ContentKind::kText;
  return !scan.malformed();
}

bool ParseSummary(EventFileKind file_kind, std::string_view message,
                  std::vector<ValueView>& values) {
  Scanner scan(message);
  for (Field field; scan.Next(field);) {
    if (field.number != kSummaryValue || field.type != WireType::kBytes) continue;
    if (!ParseValue(file_kind, field.bytes, values.emplace_back())) return false;
  }
  return !scan.malformed();
}

}  // namespace

bool ParseEvent(EventFileKind file_kind, std::string_view payload, EventView& event) {
  event.wall_time = std::numeric_limits<double>::quiet_NaN();
  event.step = 0;
  event.kind = EventKind::kEmpty;
  event.body = {};
  event.values.clear();
  event.session = {};
  event.payload = payload;
  Scanner scan(payload);
  for (Field field; scan.Next(field);) {
    if (field.number == kWallTime && field.type == WireType::kFixed64) {
      // Protobuf's newer writers leave out a number that is 0, so 0 is no time, either.
      if (field.AsDouble() != 0) event.wall_time = field.AsDouble();
    } else if (field.number == kStep && field.type == WireType::kVarint) {
      event.step = field.AsInt64();
    } else if (field.type != WireType::kBytes) {
      continue;
    } else if (field.number == kSummary && file_kind != EventFileKind::kMindSporeLineage) {
      event.kind = EventKind::kSummary;
      if (!ParseSummary(file_kind, field.bytes, event.values)) return false;
    } else if (field.number == kSession) {
      event.session = field.bytes;
    } else if (!IsAside(file_kind, field.number)) {
      // An event has one content. If there are several, the last one counts, as in protobuf. A
      // field that is in no schema counts only if there is no other.
      const EventKind kind = KindOfField(file_kind, field.number);
      if (kind == EventKind::kOther && event.kind != EventKind::kEmpty) continue;
      event.kind = kind;
      event.body = field.bytes;
      event.values.clear();
    }
  }
  return !scan.malformed();
}

void InheritMetadata(std::string_view metadata, ValueView& value) {
  value.metadata = metadata;
  ClassifyByPlugin(value);
}

// Both dialects have most fields in common, so this looks for those that only one of them has.
EventFileKind GuessFileKind(std::string_view payload) {
  EventView event;
  ParseEvent(EventFileKind::kMindSporeLineage, payload, event);
  if (IsLineage(event.kind)) return EventFileKind::kMindSporeLineage;
  ParseEvent(EventFileKind::kTensorBoard, payload, event);
  for (const ValueView& value : event.values) {
    const bool only_there = value.kind == ContentKind::kScalar ||
                            value.kind == ContentKind::kHistogram ||
                            value.kind == ContentKind::kAudio || !value.plugin.empty();
    if (only_there) return EventFileKind::kTensorBoard;
  }
  return EventFileKind::kMindSporeSummary;
}

}  // namespace sightline

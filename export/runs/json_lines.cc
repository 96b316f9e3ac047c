#include "sightline/export/runs/json_lines.h"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>

#include "sightline/export/runs/json_printer.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"

namespace sightline {
namespace {

bool Accepts(const JsonLinesOptions& options, std::string_view tag) {
  return !options.tag_filter || options.tag_filter(tag);
}

// Removes the values of a summary that the filter does not accept.
template <typename Event>
void KeepAccepted(const JsonLinesOptions& options, Event& event) {
  if constexpr (requires { event.mutable_summary(); }) {
    if (!options.tag_filter || !event.has_summary()) return;
    auto& values = *event.mutable_summary()->mutable_value();
    values.erase(std::remove_if(values.begin(), values.end(),
                                [&](const auto& value) { return !Accepts(options, value.tag()); }),
                 values.end());
  }
}

template <typename Event>
Result<std::string> ToJson(const EventView& view, const JsonLinesOptions& options) {
  if (view.payload.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("event at offset {}: larger than a message can be", view.offset));
  }
  Event event;
  const google::protobuf::LogSilencer silence;  // The library prints nothing.
  // Partial: foreign files may lack a field that the schema requires.
  if (!event.ParsePartialFromArray(view.payload.data(), static_cast<int>(view.payload.size()))) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("event at offset {}: a message in it is malformed", view.offset));
  }
  KeepAccepted(options, event);
  std::string json = "{";
  JsonPrinter printer(json, options.bytes);
  printer.Fields(event);
  json += fmt::format("{}\"record_bytes\":{}}}", json.size() > 1 ? "," : "", view.payload.size());
  return json;
}

}  // namespace

Result<std::string> EventToJson(EventFileKind file_kind, const EventView& event,
                                const JsonLinesOptions& options) {
  if (options.tag_filter &&
      std::none_of(event.values.begin(), event.values.end(),
                   [&](const ValueView& value) { return Accepts(options, value.tag); })) {
    return std::string();
  }
  switch (file_kind) {
    case EventFileKind::kMindSporeSummary:
      return ToJson<mindspore::Event>(event, options);
    case EventFileKind::kMindSporeLineage:
      return ToJson<mindspore::LineageEvent>(event, options);
    case EventFileKind::kTensorBoard:
    case EventFileKind::kWandb:
    case EventFileKind::kSwanLab:
      return ToJson<tensorboard::Event>(event, options);
  }
  return std::string();
}

Status WriteJsonLines(EventReader& reader, const JsonLinesOptions& options,
                      const std::function<Status(std::string_view line)>& write) {
  for (std::uint64_t lines = 0; lines < options.limit;) {
    const ReadOutcome outcome = reader.Next();
    if (outcome == ReadOutcome::kEnd) break;
    if (outcome == ReadOutcome::kError) return reader.status();
    auto json = EventToJson(reader.kind(), reader.event(), options);
    if (!json) {
      reader.Reject();
    } else if (!json->empty()) {
      *json += '\n';
      SIGHTLINE_RETURN_IF_ERROR(write(*json));
      ++lines;
    }
  }
  return {};
}

}  // namespace sightline

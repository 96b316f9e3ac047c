// EventReader on arbitrary files of either dialect, the decoders of what it finds, and JSON lines.
// Input: a byte that chooses the kind of file, then the file.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sightline/export/runs/json_lines.h"
#include "sightline/recorder/message/tensorboard_event.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/records.h"

namespace {

constexpr std::size_t kSettings = 1;

using sightline::EventFileKind;
using sightline::EventReader;
using sightline::EventView;
using sightline::ReadOutcome;
using sightline::ValueView;
using sightline::fuzz::Check;

std::optional<EventFileKind> KindOf(std::uint8_t setting) {
  switch (setting % 4) {
    case 0:
      return EventFileKind::kMindSporeSummary;
    case 1:
      return EventFileKind::kMindSporeLineage;
    case 2:
      return EventFileKind::kTensorBoard;
    default:
      return std::nullopt;
  }
}

bool IsInside(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void Decode(EventFileKind kind, const ValueView& value) {
  if (const auto tensor = sightline::DecodeTensor(kind, value.message)) {
    Check(tensor->View().Check().ok(), "a decoded tensor is one");
    Check(tensor->View().ByteSize() == tensor->data.size(), "a decoded tensor has its bytes");
  }
  if (const auto histogram = sightline::DecodeHistogram(kind, value)) {
    Check(histogram->buckets.size() <= value.message.size(),
          "a histogram is no larger than its message");
  }
  if (const auto image = sightline::DecodeImage(kind, value)) {
    Check(IsInside(image->encoded, value.message), "an image lies in its message");
  }
  (void)sightline::DecodeStrings(value.message).has_value();
  (void)sightline::ScalarOfTensor(value.message).has_value();
  (void)sightline::DecodeShape(value.message).has_value();
}

void CheckJson(EventFileKind kind, const EventView& event,
               const sightline::JsonLinesOptions& options) {
  const auto line = sightline::EventToJson(kind, event, options);
  if (!line || line->empty()) return;
  const auto json = nlohmann::json::parse(*line, nullptr, /*allow_exceptions=*/false);
  Check(json.is_object(), "a line is a JSON object");
  Check(json.at("record_bytes") == event.payload.size(), "it has the record's size");
  if (options.tag_filter) return;
  // The generated classes see the same event.
  Check(json.value("step", "0") == std::to_string(event.step), "the same step");
  if (event.kind == sightline::EventKind::kSummary && json.contains("summary")) {
    const auto values = json.at("summary").value("value", nlohmann::json::array());
    Check(values.size() == event.values.size(), "the same values");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kSettings) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + kSettings, size - kSettings);
  EventReader reader(std::make_unique<sightline::testing::BytesFile>(std::move(bytes)),
                     KindOf(data[0]));
  while (reader.Next() == ReadOutcome::kRecord) {
    const EventView& event = reader.event();
    (void)sightline::DecodeSession(event.session).has_value();
    (void)sightline::EventKindName(event.kind);
    const auto apart = sightline::TakeApartTensorBoardEvent(event.payload);
    Check(!apart || !apart->scalar || IsInside(apart->scalar->tag, event.payload),
          "the tag of a scalar lies in the payload");
    for (const ValueView& value : event.values) {
      Check(IsInside(value.tag, event.payload) && IsInside(value.message, event.payload),
            "views lie in the payload");
      (void)sightline::ContentKindName(value.kind);
      Decode(reader.kind(), value);
    }
    CheckJson(reader.kind(), event, {});
    CheckJson(reader.kind(), event,
              {.bytes = true, .tag_filter = [](std::string_view tag) { return tag != "x"; }});
    if (event.step == 77) reader.Reject();
  }
  sightline::JsonLinesOptions options;
  options.limit = 3;
  std::string again(reinterpret_cast<const char*>(data) + kSettings, size - kSettings);
  EventReader lines(std::make_unique<sightline::testing::BytesFile>(std::move(again)),
                    KindOf(data[0]));
  Check(sightline::WriteJsonLines(lines, options,
                                  [](std::string_view) { return sightline::Status(); })
            .ok(),
        "bytes in memory can be read");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  return sightline::fuzz::MutateRecords(data, size, max_size, seed, kSettings);
}

// TranslatingReader on arbitrary files of other recorders. Input: a byte of settings, then the
// file, or the payloads of its records, each after its length (16 bits), which are then framed
// soundly.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/recorder/translation/translating_reader.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/block_log.h"
#include "sightline/tests/support/records.h"

namespace {

using sightline::EventFileKind;
using sightline::EventView;
using sightline::ReadOutcome;
using sightline::Tail;
using sightline::TranslatingReader;
using sightline::fuzz::Check;
using sightline::testing::BytesFile;

std::string Framed(std::string_view input, EventFileKind kind) {
  sightline::testing::BlockLog log(kind == EventFileKind::kWandb ? ":W&B" : ":SWL");
  while (input.size() >= 2) {
    std::uint16_t length = 0;
    std::memcpy(&length, input.data(), sizeof(length));
    input.remove_prefix(sizeof(length));
    log.Add(input.substr(0, length));
    input.remove_prefix(std::min<std::size_t>(input.size(), length));
  }
  return log.bytes();
}

// Reads the file, and each event once more at its offset. Returns the number of records.
std::uint64_t ReadAll(const std::string& bytes, EventFileKind kind, Tail tail) {
  TranslatingReader reader(std::make_unique<BytesFile>(bytes), kind, tail);
  std::uint64_t end = 0;
  EventView event;
  int again = 0;
  while (reader.Next() == ReadOutcome::kRecord) {
    Check(reader.offset() >= end, "records are in order");
    end = reader.position();
    Check(end > reader.offset() && end <= bytes.size(), "a record lies in the file");
    const std::string& translated = reader.translation().event;
    Check(ParseEvent(EventFileKind::kTensorBoard, translated, event), "an event is one");
    for (const auto& value : event.values) {
      if (value.kind == sightline::ContentKind::kHistogram)
        Check(DecodeHistogram(EventFileKind::kTensorBoard, value).has_value(), "a histogram");
    }
    if (++again > 10) continue;
    const auto stored = ReadTranslatedAt(std::make_unique<BytesFile>(bytes), kind, reader.offset());
    Check(stored.has_value() && stored->size() + 12 > translated.size(), "it can be read again");
  }
  Check(reader.position() <= bytes.size(), "the reader is in the file");
  std::uint64_t last = 0;
  for (const auto& region : reader.skipped()) {
    Check(region.length > 0 && region.offset >= last, "regions are in order");
    last = region.offset + region.length;
    Check(last <= bytes.size(), "a region lies in the file");
  }
  return reader.records();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const EventFileKind kind = (data[0] & 2U) != 0 ? EventFileKind::kSwanLab : EventFileKind::kWandb;
  const std::string bytes = (data[0] & 1U) != 0 ? Framed(input, kind) : std::string(input);
  Check(ReadAll(bytes, kind, Tail::kGrowing) == ReadAll(bytes, kind, Tail::kFinal),
        "a file that may grow has the same records");
  return 0;
}

#include "sightline/recorder/translation/translating_reader.h"

#include <fmt/format.h>

#include <utility>

#include "sightline/recorder/translation/swanlab_record.h"
#include "sightline/recorder/translation/wandb_record.h"

namespace sightline {
namespace {

constexpr std::string_view kWandbLetters = ":W&B";
constexpr std::string_view kSwanLabLetters = ":SWL";

}  // namespace

TranslatingReader::TranslatingReader(std::unique_ptr<ReadableFile> file, EventFileKind kind,
                                     Tail tail, std::uint64_t offset, TranslatorState state)
    : records_(std::move(file), kind == EventFileKind::kSwanLab ? kSwanLabLetters : kWandbLetters,
               tail, offset),
      kind_(kind),
      state_(state) {}

ReadOutcome TranslatingReader::Next() {
  for (;;) {
    const ReadOutcome outcome = records_.Next();
    if (outcome != ReadOutcome::kRecord) return outcome;
    const bool sound = kind_ == EventFileKind::kSwanLab
                           ? TranslateSwanLab(records_.payload(), state_, translation_)
                           : TranslateWandb(records_.payload(), state_, translation_);
    if (sound) return outcome;
    records_.Reject(SkipReason::kMalformedEvent);
  }
}

Result<std::string> ReadTranslatedAt(std::unique_ptr<ReadableFile> file, EventFileKind kind,
                                     std::uint64_t offset) {
  TranslatingReader reader(std::move(file), kind, Tail::kFinal, offset);
  const ReadOutcome outcome = reader.Next();
  if (outcome == ReadOutcome::kError) return Error(reader.status());
  if (outcome == ReadOutcome::kEnd || reader.offset() != offset)
    return Error(StatusCode::kDataLoss, fmt::format("no sound record at offset {}", offset));
  return reader.translation().event;
}

bool BeginsTranslated(std::string_view head) {
  return head.starts_with(kWandbLetters) || head.starts_with(kSwanLabLetters);
}

}  // namespace sightline

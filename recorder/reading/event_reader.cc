#include "sightline/recorder/reading/event_reader.h"

#include "sightline/recorder/translation/translating_reader.h"

namespace sightline {

Result<std::unique_ptr<EventReader>> EventReader::Open(FileSystem& file_system,
                                                       const std::string& path, Tail tail) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, file_system.OpenForRead(path));
  std::optional<EventFileKind> kind;
  if (const auto name = ParseEventFileName(BaseName(path))) kind = name->kind;
  return std::make_unique<EventReader>(std::move(file), kind, tail);
}

EventReader::EventReader(std::unique_ptr<ReadableFile> file, std::optional<EventFileKind> kind,
                         Tail tail)
    : records_(kind && IsTranslated(*kind) ? nullptr : std::move(file), tail),
      kind_(DialectOf(kind.value_or(EventFileKind::kMindSporeSummary))),
      kind_known_(kind.has_value()) {
  if (kind && IsTranslated(*kind))
    translating_ = std::make_unique<TranslatingReader>(std::move(file), *kind, tail);
}

EventReader::~EventReader() = default;

void EventReader::Finish() { translating_ ? translating_->Finish() : records_.Finish(); }

std::uint64_t EventReader::position() const {
  return translating_ ? translating_->position() : records_.position();
}

std::uint64_t EventReader::records() const {
  return translating_ ? translating_->records() : records_.records();
}

const std::vector<SkippedRegion>& EventReader::skipped() const {
  return translating_ ? translating_->skipped() : records_.skipped();
}

const Status& EventReader::status() const {
  return translating_ ? translating_->status() : records_.status();
}

void EventReader::Reject() {
  if (translating_) return translating_->Reject(SkipReason::kMalformedEvent);
  records_.Reject(SkipReason::kMalformedEvent);
}

ReadOutcome EventReader::NextTranslated() {
  ReadOutcome outcome = ReadOutcome::kEnd;
  do {
    outcome = translating_->Next();
    if (outcome != ReadOutcome::kRecord) return outcome;
  } while (translating_->translation().event.empty());
  (void)ParseEvent(kind_, translating_->translation().event, event_);
  event_.offset = translating_->offset();
  return outcome;
}

ReadOutcome EventReader::Next() {
  if (translating_) [[unlikely]]
    return NextTranslated();
  for (;;) {
    const ReadOutcome outcome = records_.Next();
    if (outcome != ReadOutcome::kRecord) return outcome;
    if (!kind_known_) [[unlikely]] {
      kind_ = GuessFileKind(records_.payload());
      kind_known_ = true;
    }
    const bool sound = ParseEvent(kind_, records_.payload(), event_);
    event_.offset = records_.offset();
    if (event_.kind == EventKind::kVersion) AdoptVersion();
    if (sound) [[likely]] {
      metadata_.Apply(kind_, event_);
      return outcome;
    }
    Reject();
  }
}

// A lineage file may also begin with MindSpore's version; it stays a lineage file.
void EventReader::AdoptVersion() {
  if (event_.body.starts_with("brain.Event:")) {
    kind_ = EventFileKind::kTensorBoard;
  } else if (event_.body.starts_with("MindSpore.Event:") && kind_ == EventFileKind::kTensorBoard) {
    kind_ = EventFileKind::kMindSporeSummary;
  }
}

}  // namespace sightline

#include "sightline/runs/model/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/translation/translating_reader.h"
#include "sightline/runs/model/joined_run.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/model/tag_metadata.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/runs/source/foreign_file.h"

namespace sightline {
namespace {

// The payload of the record at `offset`. kDataLoss if there is no sound record.
Result<std::string> ReadRecordAt(const ReadableFile& file, std::uint64_t offset) {
  const auto lost = [&] {
    return Error(StatusCode::kDataLoss, fmt::format("no sound record at offset {}", offset));
  };
  char header[kRecordHeaderSize];
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file.Size());
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file.ReadAt(offset, header));
  if (got != sizeof(header) || !RecordLengthHolds(header)) return lost();
  const std::uint64_t length = RecordLengthAt(header);
  if (size < offset + kRecordOverhead || length > size - offset - kRecordOverhead) return lost();
  std::string payload(length + kRecordFooterSize, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read,
                             file.ReadAt(offset + kRecordHeaderSize, payload));
  if (read != payload.size()) return lost();
  if (!HasMaskedCrc({payload.data(), length}, payload.data() + length)) return lost();
  payload.resize(length);
  return payload;
}

}  // namespace

std::string RunFile::KindName() const {
  return foreign_type.empty() ? std::string(EventFileKindName(kind)) : ForeignNote(foreign_type);
}

bool Run::has_event_files() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const RunFile& file) { return file.foreign_type.empty(); });
}

std::shared_ptr<const Run> Run::FindPart(std::string_view id) const {
  const auto found = std::find_if(parts_.begin(), parts_.end(),
                                  [&](const RunPart& part) { return part.id == id; });
  return found == parts_.end() ? nullptr : found->run;
}

std::span<const std::shared_ptr<const Series>> Run::OfTag(ContentKind kind,
                                                          std::string_view tag) const {
  const auto is_before = [&](const auto& series) {
    const SeriesKey& key = series->key();
    return key.kind != kind ? key.kind < kind : key.tag.compare(tag) < 0;
  };
  const auto is_it = [&](const auto& series) {
    return series->key().kind == kind && series->key().tag == tag;
  };
  const auto begin = std::partition_point(series_.begin(), series_.end(), is_before);
  return {begin, std::partition_point(begin, series_.end(), is_it)};
}

const Series* Run::Find(ContentKind kind, std::string_view tag,
                        std::optional<std::int32_t> rank) const {
  if (kind != ContentKind::kPlugin) {
    const auto ranks = OfTag(kind, tag);
    const auto at = std::partition_point(ranks.begin(), ranks.end(), [&](const auto& series) {
      return rank && series->key().rank < *rank;
    });
    const bool is_there = at != ranks.end() && (!rank || (*at)->key().rank == *rank);
    return is_there ? at->get() : nullptr;
  }
  for (const auto& series : series_) {  // Those of plugins are ordered by plugin first.
    const SeriesKey& key = series->key();
    if (key.kind == kind && key.tag == tag && (!rank || key.rank == *rank)) return series.get();
  }
  return nullptr;
}

RunState Run::State(const Clock& clock) const {
  if (parts_.empty()) return StateOf(signs_, clock);
  constexpr std::array kFromWorst = {RunState::kKilled, RunState::kStalled, RunState::kRunning,
                                     RunState::kEnded, RunState::kFinished};
  auto worst = kFromWorst.end() - 1;
  for (const RunPart& part : parts_)
    worst = std::min(worst, std::find(kFromWorst.begin(), worst, part.run->State(clock)));
  return *worst;
}

std::uint64_t Run::unchecked() const {
  std::uint64_t unchecked = 0;
  for (const RunFile& file : files_) unchecked += file.unchecked;
  return unchecked;
}

bool Run::damaged() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const RunFile& file) { return !file.damage.empty() || !file.status.ok(); });
}

std::shared_ptr<const Run> Run::WithPointsFrom(const std::shared_ptr<SeriesSource>& source) const {
  const std::shared_ptr<Run> copy(new Run(*this));
  std::size_t number = 0;
  for (auto* all : {&copy->series_, &copy->superseded_}) {
    for (auto& series : *all)
      series = std::make_shared<const Series>(series->key(), series->Summary(), source, number++);
  }
  return copy;
}

std::shared_ptr<const Run> Run::WithLineage(const RunLineage& lineage) const {
  const std::shared_ptr<Run> copy(new Run(*this));
  copy->lineage_ = lineage;
  return copy;
}

Result<StoredValue> Run::Read(const HeavyPoint& point) const {
  if (point.file >= files_.size())
    return Error(StatusCode::kInvalidArgument, "the run has no such file");
  if (!parts_.empty()) {
    HeavyPoint of_part = point;
    const RunPart* part = parts_.data();
    for (; of_part.file >= part->run->files_.size(); ++part)
      of_part.file -= static_cast<std::uint32_t>(part->run->files_.size());
    return part->run->Read(of_part);
  }
  const RunFile& file = files_[point.file];
  Result<std::string> payload = Error(StatusCode::kNotFound, "");
  if (auto bytes = file_system_->OpenForRead(file.path)) {
    payload = IsTranslated(file.kind) ? ReadTranslatedAt(*std::move(bytes), file.kind, point.offset)
                                      : ReadRecordAt(**bytes, point.offset);
  }
  if (!payload && file.journal_records != 0) {
    // The record is still in the journal, as it was when the run was opened.
    SIGHTLINE_ASSIGN_OR_RETURN(const EventSource source, FindEventSource(file.path, file_system_));
    SIGHTLINE_ASSIGN_OR_RETURN(const auto bytes, OpenSourceBytes(source, file_system_));
    payload = ReadRecordAt(*bytes, point.offset);
  }
  if (!payload) return Error(payload.error().WithContext(file.path));
  auto stored =
      StoredValue::Parse(DialectOf(file.kind), *std::move(payload), point.value, point.item);
  if (!stored) return Error(stored.error().WithContext(file.path));
  if (stored->event().step != point.step) {
    return Error(StatusCode::kDataLoss, fmt::format("{}: there is another event at offset {} now",
                                                    file.path, point.offset));
  }
  if (metadata_ != nullptr && LacksMetadata(file.kind, stored->value())) {
    const auto found = metadata_->find(stored->value().tag);
    if (found != metadata_->end() && found->second.HoldFor(point))
      stored->Inherit(found->second.bytes);
  }
  return stored;
}

}  // namespace sightline

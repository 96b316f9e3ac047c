#include "sightline/runs/index/packed_run.h"

#include "sightline/runs/index/packed_points.h"

namespace sightline {
namespace {

struct SeriesEntry {
  SeriesKey key;
  SeriesSummary summary;
};

}  // namespace

template <typename A>
void Pack(A& a, Extremes& e) {
  PackAll(a, e.min, e.max, e.count, e.nan_count, e.pos_inf_count, e.neg_inf_count);
}

template <typename A>
void Pack(A& a, SeriesEntry& entry) {
  SeriesSummary& summary = entry.summary;
  PackAll(a, entry.key.kind, entry.key.plugin, entry.key.tag, entry.key.rank, summary.size,
          summary.first_step, summary.last_step, summary.recorded.in_mindspore,
          summary.recorded.in_tensorboard, summary.recorded.in_others, summary.last_wall_time);
  if (entry.key.kind != ContentKind::kScalar) return;
  PackAll(a, summary.first, summary.last, summary.extremes, summary.restarted);
}

template <typename A>
void Pack(A& a, RunFile& file) {
  PackAll(a, file.kind, file.bytes, file.records, file.unchecked, file.damage, file.session,
          file.rank, file.superseded_from, file.first_wall_time, file.last_wall_time,
          file.foreign_type, file.unread);
}

template <typename A>
void Pack(A& a, RunSession& session) {
  PackAll(a, session.session, session.superseded_from);
}

namespace {

template <typename A>
void PackFileStamp(A& a, RunStamp::File& file) {
  std::string name(BaseName(file.path));
  PackAll(a, name, file.exists, file.is_directory, file.bytes, file.modified_seconds,
          file.changed_nanos, file.inode, file.settled, file.journal_from, file.journal_records);
  if constexpr (A::kReads) file.path = name;
}

}  // namespace

void Pack(PackWriter& writer, RunStamp::File& file) { PackFileStamp(writer, file); }
void Pack(PackReader& reader, RunStamp::File& file) { PackFileStamp(reader, file); }

void Pack(PackWriter& writer, RunStamp& stamp) {
  PackAll(writer, stamp.files, stamp.journal, stamp.journal_held, stamp.killed_sessions,
          stamp.fact_sessions);
}

void Pack(PackReader& reader, RunStamp& stamp) {
  PackAll(reader, stamp.files, stamp.journal, stamp.journal_held, stamp.killed_sessions,
          stamp.fact_sessions);
}

namespace {

using AllSeries = std::vector<std::shared_ptr<const Series>>;

void WriteSeries(PackWriter& writer, const AllSeries& all) {
  std::uint64_t count = all.size();
  Pack(writer, count);
  for (const auto& series : all) {
    SeriesEntry entry{series->key(), series->Summary()};
    Pack(writer, entry);
  }
}

void ReadSeries(PackReader& reader, std::size_t first_number,
                const std::shared_ptr<SeriesSource>& source, AllSeries& all) {
  std::uint64_t count = 0;
  Pack(reader, count);
  for (; count > 0; --count) {
    SeriesEntry entry;
    Pack(reader, entry);
    if (entry.summary.size == 0 || (!all.empty() && !(all.back()->key() < entry.key)))
      reader.Fail();
    if (reader.failed()) return;
    const std::size_t number = first_number + all.size();
    all.push_back(
        std::make_shared<const Series>(std::move(entry.key), entry.summary, source, number));
  }
}

}  // namespace

template <typename A>
void PackedRun::PackParts(A& a, Run& run) {
  PackAll(a, run.files_, run.sessions_, run.events_, run.event_counts_, run.lineage_,
          run.display_names_, run.first_wall_time_, run.last_wall_time_, run.signs_.ours,
          run.signs_.recovered, run.signs_.closed, run.signs_.last_change,
          run.signs_.usual_interval);
}

void PackedRun::Write(PackWriter& writer, const Run& run) {
  Run copy = run;  // Shares the series.
  MetadataByTag metadata = run.metadata_ == nullptr ? MetadataByTag() : *run.metadata_;
  PackParts(writer, copy);
  Pack(writer, metadata);
  WriteSeries(writer, run.series_);
  WriteSeries(writer, run.superseded_);
}

std::shared_ptr<const Run> PackedRun::Read(PackReader& reader, Place place) {
  const std::shared_ptr<Run> run(new Run());
  MetadataByTag metadata;
  PackParts(reader, *run);
  Pack(reader, metadata);
  if (!metadata.empty())
    run->metadata_ = std::make_shared<const MetadataByTag>(std::move(metadata));
  ReadSeries(reader, 0, place.source, run->series_);
  ReadSeries(reader, run->series_.size(), place.source, run->superseded_);
  if (!reader.AtEnd() || run->files_.size() != place.stamp.files.size()) return nullptr;
  for (const auto& [kind, points] : run->events_) {
    for (const HeavyPoint& point : points) {
      if (point.file >= run->files_.size()) return nullptr;
    }
  }
  // Every point takes more than a byte of a file. So no memory is taken for points that cannot
  // exist.
  std::uint64_t bytes = 0;
  for (const RunStamp::File& file : place.stamp.files) bytes += file.bytes;
  for (const auto* all : {&run->series_, &run->superseded_}) {
    for (const auto& series : *all) {
      if (series->size() > bytes) return nullptr;
    }
  }
  if (run->last_wall_time_.has_value() != run->first_wall_time_.has_value()) return nullptr;
  for (std::size_t i = 0; i < run->files_.size(); ++i)
    run->files_[i].path = place.stamp.files[i].path;
  run->file_system_ = place.file_system;
  run->directory_ = std::move(place.directory);
  run->name_ = std::move(place.name);
  run->stamp_ = std::make_shared<const RunStamp>(std::move(place.stamp));
  return run;
}

}  // namespace sightline

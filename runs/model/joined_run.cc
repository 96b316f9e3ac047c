#include "sightline/runs/model/joined_run.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sightline/runs/model/run_stamp.h"

namespace sightline {
namespace {

void SortByKey(std::vector<std::shared_ptr<const Series>>& series) {
  std::sort(series.begin(), series.end(),
            [](const auto& a, const auto& b) { return a->key() < b->key(); });
}

void AddSigns(const RunSigns& from, RunSigns& to) {
  to.ours = to.ours || from.ours;
  to.journal = to.journal || from.journal;
  to.journal_held = to.journal_held || from.journal_held;
  to.recovered = to.recovered || from.recovered;
  to.last_change = std::max(to.last_change, from.last_change);
  if (const auto usual = from.usual_interval)
    to.usual_interval = std::max(to.usual_interval.value_or(*usual), *usual);
}

}  // namespace

std::shared_ptr<const Run> JoinedRun::Make(std::string name, std::string directory,
                                           std::vector<RunPart> parts) {
  const std::shared_ptr<Run> run(new Run());
  run->file_system_ = parts[0].run->file_system_;
  run->name_ = std::move(name);
  run->directory_ = std::move(directory);
  run->stamp_ = std::make_shared<const RunStamp>();
  run->parts_ = std::move(parts);
  JoinedRun joined(*run);
  for (const RunPart& part : run->parts_) joined.Add(part);
  SortByKey(run->series_);
  SortByKey(run->superseded_);
  joined.CompareLineage();
  return run;
}

void JoinedRun::Add(const RunPart& part) {
  const Run& from = *part.run;
  AddSeries(from.series_, part, run_.series_);
  AddSeries(from.superseded_, part, run_.superseded_);
  AddEvents(from);
  AddTimes(from);
  AddSigns(from.signs_, run_.signs_);
  for (const auto& [tag, shown] : from.display_names_)
    if (part.tag.empty()) run_.display_names_.try_emplace(tag, shown);
  for (RunSession session : from.sessions_) {
    session.session.rank = part.rank.value_or(session.session.rank);
    run_.sessions_.push_back(std::move(session));
  }
  for (RunFile file : from.files_) {  // Last, since the others count from those before.
    file.rank = part.rank.value_or(file.rank);
    run_.files_.push_back(std::move(file));
  }
}

void JoinedRun::AddSeries(const std::vector<std::shared_ptr<const Series>>& from,
                          const RunPart& part,
                          std::vector<std::shared_ptr<const Series>>& to) const {
  for (const auto& series : from) {
    SeriesKey key = series->key();
    key.rank = part.rank.value_or(key.rank);
    if (!part.tag.empty()) key.tag = part.tag;
    to.push_back(std::make_shared<const Series>(std::move(key), *series,
                                                static_cast<std::uint32_t>(run_.files_.size())));
  }
}

void JoinedRun::AddEvents(const Run& part) {
  for (const auto& [kind, points] : part.events_) {
    auto& all = run_.events_[kind];
    for (HeavyPoint point : points) {
      point.file += static_cast<std::uint32_t>(run_.files_.size());
      all.push_back(point);
    }
  }
  for (const auto& [kind, count] : part.event_counts_) run_.event_counts_[kind] += count;
}

void JoinedRun::AddTimes(const Run& part) {
  if (const auto first = part.first_wall_time_)
    run_.first_wall_time_ = std::min(run_.first_wall_time_.value_or(*first), *first);
  if (const auto last = part.last_wall_time_)
    run_.last_wall_time_ = std::max(run_.last_wall_time_.value_or(*last), *last);
}

// Ranks without any lineage say nothing: often only the first one records it. The environment of
// each names its rank.
void JoinedRun::CompareLineage() {
  std::set<std::string> differs;
  const RunLineage* first = nullptr;
  const auto compare = [&](const RunLineage& a, const RunLineage& b) {
    for (const auto& [key, value] : a) {
      if (key.starts_with("run.env.")) continue;
      const auto other = b.find(key);
      if (other == b.end() || other->second != value) differs.insert(key);
    }
  };
  for (const RunPart& part : run_.parts_) {
    const RunLineage& lineage = part.run->lineage_;
    if (lineage.empty()) continue;
    if (first == nullptr) {
      first = &lineage;
      continue;
    }
    compare(*first, lineage);
    compare(lineage, *first);
  }
  if (first != nullptr) run_.lineage_ = *first;
  run_.lineage_differs_.assign(differs.begin(), differs.end());
}

}  // namespace sightline

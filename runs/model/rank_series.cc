#include "sightline/runs/model/rank_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sightline {

bool RankSeries::damaged() const {
  return std::any_of(files.begin(), files.end(), [](const RunFile* file) {
    return !file->damage.empty() || !file->status.ok();
  });
}

std::optional<double> RankSeries::first_wall_time() const {
  std::optional<double> first;
  for (const RunFile* file : files) {
    if (file->first_wall_time) first = std::min(first.value_or(HUGE_VAL), *file->first_wall_time);
  }
  return first;
}

std::optional<double> RankSeries::last_wall_time() const {
  std::optional<double> last;
  for (const RunFile* file : files) {
    if (file->last_wall_time) last = std::max(last.value_or(-HUGE_VAL), *file->last_wall_time);
  }
  return last;
}

std::vector<RankSeries> ByRank(const Run& run) {
  std::map<std::int32_t, RankSeries> by_rank;
  for (const auto& series : run.series())
    by_rank[series->key().rank].series.push_back(series.get());
  for (const auto& series : run.superseded()) {
    if (const auto found = by_rank.find(series->key().rank); found != by_rank.end())
      found->second.superseded.push_back(series.get());
  }
  for (const RunFile& file : run.files()) {
    if (const auto found = by_rank.find(file.rank); found != by_rank.end())
      found->second.files.push_back(&file);
  }
  std::vector<RankSeries> ranks;
  ranks.reserve(by_rank.size());
  for (auto& [rank, of_rank] : by_rank) {
    of_rank.rank = rank;
    ranks.push_back(std::move(of_rank));
  }
  return ranks;
}

}  // namespace sightline

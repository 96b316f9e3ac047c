// The ranks of a run: the series that each of them recorded, and those of one tag.
//
//   for (const auto& loss : ScalarsOf(*run, "loss")) Show(loss->key().rank, loss->last_value());
//   for (const RankSeries& rank : ByRank(*run)) Show(rank.rank, rank.series.size());
//
// Plain functions, callable from any thread. What they return borrows the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

// The scalar series of a tag, one for each rank that has it, by rank. Takes logarithmic time.
std::span<const std::shared_ptr<const Series>> ScalarsOf(const Run& run, std::string_view tag);

// What one rank recorded.
struct RankSeries {
  std::int32_t rank = 0;
  std::vector<const Series*> series;  // Of Run::series(), in its order; not empty.
  std::vector<const Series*> superseded = {};
  std::vector<const RunFile*> files = {};

  // Of its files, as those of the run.
  bool damaged() const;
  std::optional<double> first_wall_time() const;
  std::optional<double> last_wall_time() const;
};
// The ranks that have a series, ascending.
std::vector<RankSeries> ByRank(const Run& run);

}  // namespace sightline

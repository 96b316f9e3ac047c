// The ranks of a run, and the series that each of them recorded.
//
//   for (const RankSeries& rank : ByRank(*run)) Show(rank.rank, rank.series.size());
//
// A plain function, callable from any thread. What it returns borrows the run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

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

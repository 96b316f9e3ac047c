// Two clusters compared rank by rank: a training before and after a change, or on two sets of
// machines.
//
// A rank is compared with the rank of the same number. Only ranks with device steps in both take
// part; the others are listed. Times are nanoseconds, means over a rank's steps. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

struct RankChange {
  std::int64_t rank = 0;
  StepMeans before;
  StepMeans after;
  // The rank's own time (StepMeans::own) changed unlike that of the others: the difference is more
  // than 8 % of the median before, and 3 times the deviation of the ranks.
  bool stands_out = false;

  double own() const { return after.own() - before.own(); }
};

struct ClusterChange {
  std::vector<RankChange> ranks;          // In order.
  std::vector<std::int64_t> only_before;  // Without device steps, or missing, in the other.
  std::vector<std::int64_t> only_after;
  std::size_t unknown = 0;  // Ranks without a number, of both clusters; they are not compared.
  StepMeans before;         // Medians over `ranks`.
  StepMeans after;
  double own = 0;  // Median of the ranks' changes of what they do by themselves.

  // How far the change of what this rank does by itself is from that median.
  double DistanceOf(const RankChange& rank) const;
};

ClusterChange CompareClusters(const Cluster& before, const Cluster& after);

}  // namespace sightline::profiler

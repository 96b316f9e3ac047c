#include "sightline/profiler/cluster/efficiency.h"

#include <utility>
#include <vector>

#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {

std::optional<Efficiency> MeasureEfficiency(const Cluster& cluster, const Workload& workload) {
  std::vector<double> steps;
  for (const ClusterRank& rank : cluster.ranks) {
    const bool by_device = !rank.part.steps.empty();
    const double step = by_device ? rank.means.step + rank.means.preparing : rank.part.use.step;
    if (step > 0) steps.push_back(step);
  }
  if (steps.empty()) return std::nullopt;
  Efficiency efficiency;
  efficiency.step = Median(std::move(steps));
  efficiency.ranks = cluster.ranks.size() + cluster.missing_ranks.size();
  const double seconds = efficiency.step / 1e9;
  if (workload.flops > 0) {
    efficiency.flops_per_second = workload.flops / seconds / static_cast<double>(efficiency.ranks);
  }
  if (workload.flops > 0 && workload.peak_flops > 0)
    efficiency.mfu = *efficiency.flops_per_second / workload.peak_flops;
  if (workload.tokens > 0) efficiency.tokens_per_second = workload.tokens / seconds;
  return efficiency;
}

}  // namespace sightline::profiler

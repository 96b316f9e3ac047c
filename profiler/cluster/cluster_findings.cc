#include "sightline/profiler/cluster/cluster_findings.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sightline/profiler/cluster/slow_findings.h"
#include "sightline/profiler/cluster/traffic_findings.h"

namespace sightline::profiler {

std::vector<Finding> FindInCluster(const Cluster& cluster) {
  const bool has_devices =
      std::any_of(cluster.ranks.begin(), cluster.ranks.end(),
                  [](const ClusterRank& one) { return !one.part.steps.empty(); });
  if (!has_devices) {
    std::vector<RankUse> uses;
    uses.reserve(cluster.ranks.size());
    for (const ClusterRank& one : cluster.ranks) uses.push_back(one.part.use);
    return CompareRanks(uses);
  }
  std::vector<Finding> findings = FindSlow(cluster);
  std::vector<Finding> traffic = FindInTraffic(cluster);
  std::move(traffic.begin(), traffic.end(), std::back_inserter(findings));
  return findings;
}

}  // namespace sightline::profiler

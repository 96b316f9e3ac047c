#include "sightline/profiler/cluster/cluster_findings.h"

namespace sightline::profiler {

std::vector<Finding> FindInCluster(const Cluster& cluster) {
  std::vector<RankUse> uses;
  uses.reserve(cluster.ranks.size());
  for (const ClusterRank& one : cluster.ranks) uses.push_back(one.part.use);
  return CompareRanks(uses);
}

}  // namespace sightline::profiler

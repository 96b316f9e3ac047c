// The joined cluster as JSON: what `sightline profile cluster --json` and /api/v1/profile/cluster
// give. docs/profiles.md lists its members. Any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/cluster.h"
#include "sightline/profiler/cluster/compare_clusters.h"
#include "sightline/profiler/cluster/efficiency.h"

namespace sightline::profiler {

// A rank that could not be read.
struct UnreadRank {
  std::string path;
  std::string error;
};

nlohmann::ordered_json ClusterToJson(const Cluster& cluster, const std::vector<Finding>& findings,
                                     const std::vector<UnreadRank>& unread);

// {ranks: [{rank, before: {step_us, ...}, after, stands_out}], only_before, only_after, unknown,
// before, after}: the last two are medians of the ranks.
nlohmann::ordered_json ClusterChangeToJson(const ClusterChange& change);

// {step_us, ranks}, and of flops_per_second, mfu and tokens_per_second what is known.
nlohmann::ordered_json EfficiencyToJson(const Efficiency& efficiency);

}  // namespace sightline::profiler

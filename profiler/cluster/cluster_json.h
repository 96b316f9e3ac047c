// The joined cluster as JSON: what `sightline profile cluster --json` and /api/v1/profile/cluster
// give. docs/profiles.md lists its members. Any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

// A rank that could not be read.
struct UnreadRank {
  std::string path;
  std::string error;
};

nlohmann::ordered_json ClusterToJson(const Cluster& cluster, const std::vector<Finding>& findings,
                                     const std::vector<UnreadRank>& unread);

}  // namespace sightline::profiler

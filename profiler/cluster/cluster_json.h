// The parts and the joined cluster as JSON. Any thread.
//
// A part goes from the machine that made it to the one that joins: PartFromJson(PartToJson(part))
// is the same part. The cluster is what `sightline profile cluster --json`, /api/v1/profile/cluster
// and sightline.profiles.cluster give; docs/profiles.md lists its members.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
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

// What is wrong in a cluster, each with its evidence, its cause and what to do.
//
// For ranks whose profiles have the use of a device by step (NPUs):
//   ...
// For others, the rules of ranks.h.
#pragma once

#include <vector>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

std::vector<Finding> FindInCluster(const Cluster& cluster);

}  // namespace sightline::profiler

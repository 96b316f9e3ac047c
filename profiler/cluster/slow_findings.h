// The rules slow-stage, slow-host and slow-rank (cluster_findings.h).
#pragma once

#include <vector>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

// The greatest share first.
std::vector<Finding> FindSlow(const Cluster& cluster);

}  // namespace sightline::profiler

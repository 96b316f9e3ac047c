// The rules slow-link, small-packets and retransmission (cluster_findings.h).
#pragma once

#include <vector>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

std::vector<Finding> FindInTraffic(const Cluster& cluster);

}  // namespace sightline::profiler

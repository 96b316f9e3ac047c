// A cluster as people read it in a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/cluster.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// What was found, one entry each; then the ranks, stages, hosts, groups and links. Of many ranks,
// the extremes and those that stand out are listed, and the others counted.
std::string ClusterText(const profiler::Cluster& cluster,
                        const std::vector<profiler::Finding>& findings, const Style& style);

// "0 to 7, 12"; "-" for none.
std::string RanksText(const std::vector<std::int64_t>& ranks);

}  // namespace sightline

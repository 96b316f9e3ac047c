// Two clusters side by side, as people read it in a terminal.
#pragma once

#include <string>

#include "sightline/profiler/cluster/compare_clusters.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// The medians of a step's parts, then the ranks. Of many ranks, those that changed unlike the
// others are listed, and the others counted. There must be ranks in both.
std::string ClusterChangeText(const profiler::ClusterChange& change, const Style& style);

}  // namespace sightline

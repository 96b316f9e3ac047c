// Finds operators that are slower than they should be: the rule slow-operator of summary.h.
#pragma once

#include <vector>

#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// At most one finding: the operator that costs most. `before`: as in Summarize.
std::vector<Finding> FindSlowOperators(const Profile& profile, const Profile* before);

}  // namespace sightline::profiler

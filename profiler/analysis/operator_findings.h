// Operators that are slower than they should be: the rule slow-operator of summary.h.
#pragma once

#include <vector>

#include "sightline/profiler/analysis/summary.h"

namespace sightline::profile {

// One operator at most: the one whose excess is greatest.
std::vector<Finding> SlowOperatorsOf(const Profile& profile, const Profile* before);

}  // namespace sightline::profile

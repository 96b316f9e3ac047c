// Settings of the environment that slow a training down: the rule environment of summary.h.
#pragma once

#include <vector>

#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// `idle_share`: which share of its time in a step the device is idle.
std::vector<Finding> JudgeEnvironment(const Profile& profile, double idle_share);

}  // namespace sightline::profiler

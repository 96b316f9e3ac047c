// What a device's time goes into: the rules "communication" and "device-idle" of summary.h.
#pragma once

#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// The findings of these rules. `uses` must be those of the profile and of a device (of_device).
std::vector<Finding> JudgeDevice(const Profile& profile, const StepTable& steps,
                                 const DeviceUseTable& uses);

}  // namespace sightline::profiler

// What a device's time goes into: the rules communication, host-bound and device-idle of
// summary.h.
#pragma once

#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// The findings of these rules. `uses` must be those of the profile and of a device (of_device).
// `waits_for_data`: there is a finding that the steps wait for their data, which need not be said
// of the device again.
std::vector<Finding> JudgeDevice(const Profile& profile, const StepTable& steps,
                                 const DeviceUseTable& uses, bool waits_for_data);

}  // namespace sightline::profiler

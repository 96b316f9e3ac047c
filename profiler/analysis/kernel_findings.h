// What a device's kernels waste: rules of summary.h that need Profile::kernels, or the counter of
// the cores' frequency.
#pragma once

#include <vector>

#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// The findings of the rules ai-cpu, few-cores, far-below-bound and core-frequency. `device_time`:
// nanoseconds that the device spent in all steps, of which the findings' shares are.
std::vector<Finding> JudgeKernels(const Profile& profile, std::int64_t device_time);

}  // namespace sightline::profiler

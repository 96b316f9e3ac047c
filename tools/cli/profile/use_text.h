// What a device did, and why it was idle, as text: for `profile steps` and `profile summary`.
#pragma once

#include <string>
#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/device/host_work.h"

namespace sightline {

// "1.1 ms (12.3 %)", of nanoseconds.
std::string PartText(double time, double total);

// "In all (1.223 s): computing 210.4 ms (17.2 %), ..., idle ...: for the host ..., ..."; empty if
// nothing is known.
std::string DeviceUseText(const profiler::DeviceUseTable& uses);
// "While a device waited for the host: operators 324.0 ms (most: aten::mm), ..."; empty for none.
std::string HostWorkText(const std::vector<profiler::HostActivity>& activities);

}  // namespace sightline

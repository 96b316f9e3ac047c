// Memory over time: the counters of a profile that tell how much was allocated or reserved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct MemoryCurve {
  std::string name;
  const Counter* samples = nullptr;
  double first = 0;
  double last = 0;
  double peak = 0;
  std::int64_t peak_time = 0;  // When it was reached first.
};

// The counters whose name contains "memory", in upper or lower case, in the profile's order.
// `profile` must outlive them.
std::vector<MemoryCurve> FindMemoryCurves(const Profile& profile);

// The greatest amount of memory that was allocated at a time, and by whom, from the profile's list
// of allocations. An allocation counts from its time until right before its release.
struct MemoryPeak {
  std::string device;  // "device 0"; empty if the source has one device.
  std::int64_t time = 0;
  double bytes = 0;
  // What one operator holds; in a snapshot what was allocated at one stack.
  struct Holder {
    std::string name;
    std::uint32_t stack = 0;  // In Profile::stacks.
    double bytes = 0;
    std::size_t allocations = 0;
  };
  std::vector<Holder> holders;  // By bytes, descending.
};

// The peak of each device, in the order of the devices' allocations; none if the profile lists
// none.
std::vector<MemoryPeak> FindMemoryPeaks(const Profile& profile);

}  // namespace sightline::profiler

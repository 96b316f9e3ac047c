// Memory over time: the counters of a profile that say how much was allocated or reserved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct MemoryCurve {
  std::string name;
  const Counter* samples = nullptr;
  double first = 0;
  double last = 0;
  double peak = 0;
  std::int64_t peak_time = 0;  // Of its first occurrence.
};

// In the order of the profile; `profile` must outlive them. A counter is one of memory where its
// name contains "memory", in any case.
std::vector<MemoryCurve> MemoryOf(const Profile& profile);

}  // namespace sightline::profile

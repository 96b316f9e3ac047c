// Memory over time: the counters of a profile that say how much was allocated or reserved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

// Who held the memory when most of it was held, by the allocations that the profile lists. An
// allocation counts from its time to its release, which it does not include.
struct MemoryPeak {
  std::int64_t time = 0;
  double bytes = 0;
  struct Holder {
    std::string name;
    double bytes = 0;
    std::size_t allocations = 0;
  };
  std::vector<Holder> holders;  // By bytes, descending.
};

// Nothing where the profile lists no allocations.
std::optional<MemoryPeak> PeakOf(const Profile& profile);

}  // namespace sightline::profile

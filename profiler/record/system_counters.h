// SystemCounters: records the samples of ResourceSampler as counters of the running profile. For
// one thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "sightline/base/system/resource_sampler.h"
#include "sightline/profiler/record/names.h"

namespace sightline::profiler {

class SystemCounters {
 public:
  // Takes a sample and records it. `dropped`: how many events of the profile were dropped; this is
  // a counter, too, once it is not 0.
  void Record(std::uint64_t dropped);

 private:
  void Add(const std::string& name, double value);

  ResourceSampler sampler_;
  std::unordered_map<std::string, EventName> names_;
  std::uint64_t last_dropped_ = 0;
};

}  // namespace sightline::profiler

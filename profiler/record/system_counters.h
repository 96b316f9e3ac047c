// SystemCounters: the samples of ResourceSampler as counters of the profile that is recorded, from
// the thread that calls.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "sightline/base/resource_sampler.h"
#include "sightline/profiler/record/names.h"

namespace sightline::tracing {

class SystemCounters {
 public:
  // `dropped`: events of the profile; a counter of its own once there are any.
  void Record(std::uint64_t dropped);

 private:
  void Add(const std::string& name, double value);

  ResourceSampler sampler_;
  std::unordered_map<std::string, NameId> names_;
  std::uint64_t last_dropped_ = 0;
};

}  // namespace sightline::tracing

// A clock that only its test moves. Set it while no other thread reads it.
#pragma once

#include <cstdint>

#include "sightline/base/clock.h"

namespace sightline::testing {

class ManualClock : public Clock {
 public:
  explicit ManualClock(double now = 0) : seconds(now) {}
  double WallSeconds() const override { return seconds; }
  std::int64_t MonotonicNanos() const override { return static_cast<std::int64_t>(seconds * 1e9); }

  double seconds;  // Since the Unix epoch.
};

}  // namespace sightline::testing

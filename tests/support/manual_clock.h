// A clock that only its test moves. Set it while no other thread reads it.
#pragma once

#include <cstdint>

#include "sightline/base/clock.h"

namespace sightline::testing {

class ManualClock : public Clock {
 public:
  explicit ManualClock(double now = 0) : seconds(now), begun_(now) {}
  double WallSeconds() const override { return seconds; }
  // Counts from the clock's first time, since a far one in nanoseconds does not fit.
  std::int64_t MonotonicNanos() const override {
    return static_cast<std::int64_t>((seconds - begun_) * 1e9);
  }

  double seconds;  // Since the Unix epoch.

 private:
  const double begun_;
};

}  // namespace sightline::testing

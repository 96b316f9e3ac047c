// The time. Everything in the library that needs the time asks a Clock, so that tests can set it.
// All methods may be called from any thread.
#pragma once

#include <cstdint>

namespace sightline {

class Clock {
 public:
  virtual ~Clock() = default;

  // Seconds since the Unix epoch, UTC, as events carry it in `wall_time`.
  virtual double WallSeconds() const = 0;

  // Nanoseconds of a clock that never goes back; only differences mean anything.
  virtual std::int64_t MonotonicNanos() const = 0;

  // The operating system's clocks; lives forever.
  static const Clock& System();
};

}  // namespace sightline

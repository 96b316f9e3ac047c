#include "sightline/base/clock.h"

#include <ctime>

namespace sightline {
namespace {

timespec Read(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return now;
}

class SystemClock final : public Clock {
 public:
  double WallSeconds() const override {
    const timespec now = Read(CLOCK_REALTIME);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  }
  std::int64_t MonotonicNanos() const override {
    const timespec now = Read(CLOCK_MONOTONIC);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  }
};

}  // namespace

const Clock& Clock::System() {
  static const SystemClock clock;
  return clock;
}

}  // namespace sightline

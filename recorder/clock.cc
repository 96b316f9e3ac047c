#include "sightline/recorder/clock.h"

#include <atomic>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>

#include <fstream>
#include <string>
#endif

namespace sightline {
namespace {

timespec Read(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return now;
}

double ReadWallSeconds() {
  const timespec now = Read(CLOCK_REALTIME);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::int64_t ReadMonotonicNanos() {
  const timespec now = Read(CLOCK_MONOTONIC);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

#if defined(__x86_64__)

// The kernel's clock costs 24 ns, a third of a recording call; the processor's counter, which the
// kernel reads too, 10 ns. So each thread takes the kernel's time anew when its last is 10 ms old,
// and counts ticks in between. At the worst rate that Calibrate accepts, 300 ppm off, that is 3 us
// of error, and a change of the system's time is seen after 10 ms.
struct TickAnchor {
  std::uint64_t ticks = 0;
  double wall_seconds = 0;
};

thread_local TickAnchor anchor;

class TickClock {
 public:
  TickClock() : enabled_(KernelTrustsTheCounter()) {}

  double WallSeconds() {
    const std::uint64_t elapsed = __rdtsc() - anchor.ticks;
    if (elapsed < horizon_ticks_.load(std::memory_order_acquire)) [[likely]] {
      return anchor.wall_seconds +
             static_cast<double>(elapsed) * seconds_per_tick_.load(std::memory_order_relaxed);
    }
    return enabled_ ? TakeAnchor() : ReadWallSeconds();
  }

 private:
  static constexpr double kHorizonSeconds = 0.01;
  static constexpr std::int64_t kCalibrationNanos = 10'000'000;
  // Reading counter and clock takes about 100 ticks; more than this, and something came between.
  static constexpr std::uint64_t kOneReadingTicks = 5'000;

  // Only when the counter runs evenly, never stops, and agrees between processors does the kernel
  // take it for its own clock.
  static bool KernelTrustsTheCounter() {
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    return std::getline(file, source) && source == "tsc";
  }

  double TakeAnchor() {
    const std::uint64_t before = __rdtsc();
    const double now = ReadWallSeconds();
    const std::int64_t nanos = ReadMonotonicNanos();
    if (__rdtsc() - before < kOneReadingTicks) {
      anchor = {before, now};
      if (horizon_ticks_.load(std::memory_order_relaxed) == 0) Calibrate(before, nanos);
    }
    return now;
  }

  // The counter's rate from two readings that lie far enough apart; until then the kernel's clock
  // is asked every time.
  void Calibrate(std::uint64_t ticks, std::int64_t nanos) {
    if (calibrating_.exchange(true, std::memory_order_acquire)) return;
    if (first_nanos_ == 0) {
      first_nanos_ = nanos;
      first_ticks_ = ticks;
    } else if (nanos - first_nanos_ > kCalibrationNanos && ticks > first_ticks_) {
      const double seconds_per_tick = static_cast<double>(nanos - first_nanos_) * 1e-9 /
                                      static_cast<double>(ticks - first_ticks_);
      seconds_per_tick_.store(seconds_per_tick, std::memory_order_relaxed);
      horizon_ticks_.store(static_cast<std::uint64_t>(kHorizonSeconds / seconds_per_tick),
                           std::memory_order_release);
    }
    calibrating_.store(false, std::memory_order_release);
  }

  const bool enabled_;
  std::atomic<double> seconds_per_tick_{0};
  std::atomic<std::uint64_t> horizon_ticks_{0};  // 0: not calibrated.
  std::atomic<bool> calibrating_{false};
  std::uint64_t first_ticks_ = 0;  // Both while calibrating.
  std::int64_t first_nanos_ = 0;
};

#else

class TickClock {
 public:
  double WallSeconds() { return ReadWallSeconds(); }
};

#endif

class SystemClock final : public Clock {
 public:
  double WallSeconds() const override { return ticks_.WallSeconds(); }
  std::int64_t MonotonicNanos() const override { return ReadMonotonicNanos(); }

 private:
  mutable TickClock ticks_;
};

}  // namespace

const Clock& Clock::System() {
  static const SystemClock clock;
  return clock;
}

}  // namespace sightline

// The profile's clock. If the kernel uses the processor's counter (x86-64: time stamp counter, ARM:
// virtual count) as its own clock, an event reads that counter, else CLOCK_MONOTONIC, which takes
// longer. The writer converts readings to nanoseconds of CLOCK_MONOTONIC by anchors: readings of
// both clocks at the same instant.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace sightline::profiler {

// Whether ReadTicks reads the processor's counter. ChooseClock decides it before a profile starts.
extern std::atomic<bool> counter_is_trusted;
void ChooseClock();

// CLOCK_MONOTONIC in nanoseconds, as std::chrono::steady_clock and Python's time.monotonic_ns().
inline std::int64_t MonotonicNanos() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// Any thread.
inline std::uint64_t ReadTicks() {
#if defined(__x86_64__)
  if (counter_is_trusted.load(std::memory_order_relaxed)) [[likely]]
    return __rdtsc();
#elif defined(__aarch64__)
  if (counter_is_trusted.load(std::memory_order_relaxed)) [[likely]] {
    std::uint64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
  }
#endif
  return static_cast<std::uint64_t>(MonotonicNanos());
}

// Converts ticks to nanoseconds, along a line through two neighbouring anchors. A later reading
// never gets an earlier time. For one thread, the writer's.
class TickTimeline {
 public:
  struct Anchor {
    std::uint64_t ticks = 0;
    std::int64_t nanos = 0;
  };

  // Reads both clocks, as close to each other as possible.
  static Anchor Read();

  // Call it before anything is converted. `first` and `second` must differ in ticks.
  void Start(Anchor first, Anchor second);
  // Adds the next anchor. Does nothing if it is not later than the last one.
  void Add(Anchor next);

  // A reading from before the last two anchors, by a thread that lost its processor between reading
  // and recording, is converted along the line before.
  std::int64_t Nanos(std::uint64_t ticks) const {
    return ticks < current_.from.ticks ? previous_.Nanos(ticks) : current_.Nanos(ticks);
  }

 private:
  struct Line {
    Anchor from;
    std::uint64_t nanos_per_tick = 0;  // In 2^-32 ns.
    std::int64_t Nanos(std::uint64_t ticks) const;
  };
  static Line Through(Anchor from, Anchor to);

  Line previous_;
  Line current_;
  Anchor last_;
};

inline std::int64_t TickTimeline::Line::Nanos(std::uint64_t ticks) const {
  __extension__ using Wide = __int128;
  const auto delta = static_cast<std::int64_t>(ticks - from.ticks);
  return from.nanos + static_cast<std::int64_t>(
                          (static_cast<Wide>(delta) * static_cast<Wide>(nanos_per_tick)) >> 32);
}

}  // namespace sightline::profiler

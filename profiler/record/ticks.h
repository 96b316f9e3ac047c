// The profile's clock. An event takes a reading of the processor's counter, 10 ns, where the kernel
// itself trusts that counter for its time, else of CLOCK_MONOTONIC, 25 ns. The writer turns
// readings into nanoseconds of CLOCK_MONOTONIC, between anchors: pairs of both clocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace sightline::tracing {

// Whether ReadTicks reads the processor's counter; decided once, before the first profile starts.
extern std::atomic<bool> counter_is_trusted;
void ChooseClock();

// CLOCK_MONOTONIC, as std::chrono::steady_clock and Python's time.monotonic_ns() read it.
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
#endif
  return static_cast<std::uint64_t>(MonotonicNanos());
}

// Ticks to nanoseconds: a line through each two neighbouring anchors, so that what is converted
// later is never earlier. For one thread, the writer's.
class TickTimeline {
 public:
  struct Anchor {
    std::uint64_t ticks = 0;
    std::int64_t nanos = 0;
  };

  // Both clocks at one instant, as near as they can be read.
  static Anchor Read();

  // `first` and `second` must differ in ticks; nothing is converted before.
  void Start(Anchor first, Anchor second);
  // The next anchor. Ignored where it is not behind the last one.
  void Add(Anchor next);

  // Readings from before the last two anchors, of a thread that was off the processor between
  // reading and recording, are placed by the older line.
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

}  // namespace sightline::tracing

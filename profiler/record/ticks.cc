#include "sightline/profiler/record/ticks.h"

#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace sightline::profiler {

std::atomic<bool> counter_is_trusted{false};

void ChooseClock() {
#if defined(__x86_64__)
  constexpr std::string_view kCounter = "tsc";
#elif defined(__aarch64__)
  constexpr std::string_view kCounter = "arch_sys_counter";
#else
  constexpr std::string_view kCounter = "none";
#endif
  // The kernel uses the counter as its own clock only if it runs evenly, never stops, and agrees
  // between processors.
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  counter_is_trusted.store(std::getline(file, source) && source == kCounter,
                           std::memory_order_relaxed);
}

TickTimeline::Anchor TickTimeline::Read() {
  // The narrowest of a few: a thread may lose its processor between two readings.
  constexpr int kTries = 5;
  Anchor best;
  std::uint64_t narrowest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = ReadTicks();
    const std::int64_t nanos = MonotonicNanos();
    const std::uint64_t width = ReadTicks() - before;
    if (width < narrowest) {
      narrowest = width;
      best = {before + width / 2, nanos};
    }
  }
  return best;
}

TickTimeline::Line TickTimeline::Through(Anchor from, Anchor to) {
  __extension__ using Wide = unsigned __int128;
  const auto nanos = static_cast<std::uint64_t>(to.nanos - from.nanos);
  return {from,
          static_cast<std::uint64_t>((static_cast<Wide>(nanos) << 32U) / (to.ticks - from.ticks))};
}

void TickTimeline::Start(Anchor first, Anchor second) {
  current_ = Through(first, second);
  previous_ = current_;
  last_ = second;
}

void TickTimeline::Add(Anchor next) {
  if (next.ticks <= last_.ticks || next.nanos <= last_.nanos) return;
  previous_ = current_;
  // From where the last line ends, which rounding may have put a nanosecond before its anchor.
  const Anchor from = {last_.ticks, current_.Nanos(last_.ticks)};
  current_ = Through(from, next);
  last_ = next;
}

}  // namespace sightline::profiler

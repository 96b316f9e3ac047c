// TraceClocks: the times of a Perfetto trace on one clock.
//
// A packet's time is of a clock of the system (monotonic, boot, real time), or of one that its
// sequence defines, which may count differences. Snapshots of several clocks at one moment tell how
// they relate. Source: clock_snapshot.proto, builtin_clock.proto, track_event.proto. One thread at
// a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace sightline::profiler {

// The clock of the model's times: the trace's own, or wall time (since 1970), for which the trace
// needs a snapshot of both.
enum class TraceClock : std::uint8_t { kOwn, kWall };

// value * unit + offset; no value if it is out of range (IsTime).
std::optional<std::int64_t> Scaled(std::int64_t value, std::int64_t unit, std::int64_t offset);

// The clocks that one sequence of packets has defined.
struct SequenceClocks {
  struct Clock {
    std::int64_t time = 0;    // Of an incremental clock: the last time, in its own units.
    std::int64_t unit = 1;    // Nanoseconds.
    std::int64_t offset = 0;  // To the trace's clock, nanoseconds.
    bool incremental = false;
  };
  std::map<std::uint64_t, Clock> clocks;
  // The clock of the last event; points into `clocks`, whose elements do not move.
  std::pair<std::uint64_t, Clock*> last{0, nullptr};
  std::uint64_t by_default = 0;  // The clock of packets that name none; 0: the system's.
  std::int64_t legacy_time = 0;  // Nanoseconds; what differences in microseconds count from.
};

class TraceClocks {
 public:
  explicit TraceClocks(TraceClock clock) : clock_(clock) {}

  // A ClockSnapshot of this sequence.
  void ReadSnapshot(std::string_view bytes, SequenceClocks& sequence);

  // The time of a packet of this sequence on the model's clock; no value if it cannot be. `clock`
  // is the packet's own; 0: it names none.
  std::optional<std::int64_t> Convert(std::uint64_t timestamp, std::uint64_t clock,
                                      SequenceClocks& sequence) const;
  // The same of an event's own time: microseconds, or how many since the one before.
  std::optional<std::int64_t> ConvertAbsolute(std::int64_t microseconds) const;
  std::optional<std::int64_t> ConvertDelta(std::int64_t microseconds,
                                           SequenceClocks& sequence) const;

 private:
  // The time of a snapshot on the trace's clock, by the times of these clocks.
  std::optional<std::int64_t> ReadSystemClocks(const std::map<std::uint64_t, std::int64_t>& system);

  TraceClock clock_;
  std::uint64_t reference_ = 0;  // The trace's clock, once a snapshot has one.
  std::map<std::uint64_t, std::int64_t> to_reference_;  // What is added to times of other clocks.
  std::int64_t shift_ = 0;                              // The model's time minus the trace's.
  bool shift_known_ = false;
};

}  // namespace sightline::profiler

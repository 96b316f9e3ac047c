// What the host did at certain times, as when a device waited for it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/device/device_timeline.h"
#include "sightline/profiler/device/intervals.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// What a thread was doing. Of calls within each other, the outermost that is one of the first five
// decides; otherwise the innermost call does.
enum class HostDoing : std::uint8_t {
  kWaitingForData,
  kReadingValue,  // item(), bool(tensor): it waits for the device, and copies one value.
  kSynchronizing,
  kAllocating,
  kCollectingGarbage,
  kLaunching,
  kOperator,
  kPython,
  kOther,  // A mark of the user's, or nothing is recorded.
};
inline constexpr std::size_t kHostDoings = 9;
// "reading a value from the device (item)"
std::string_view HostDoingName(HostDoing doing);
// "reading_value", for programs.
std::string_view HostDoingId(HostDoing doing);

struct HostActivity {
  HostDoing doing = HostDoing::kOther;
  std::int64_t time = 0;  // Nanoseconds.
  std::string call;       // That took most of it, by itself; empty if nothing is recorded.
  std::int64_t call_time = 0;
};

// Lanes of threads, and the times of each that count; merged lists (Merge).
using TimesOfLanes = std::map<LaneId, Intervals>;

// When devices waited for launches of each thread.
TimesOfLanes TimesForHost(const std::vector<DeviceTimeline>& devices);

class HostWork {
 public:
  HostWork(const Model& model, const TimesOfLanes& times);

  // The longest first.
  std::vector<HostActivity> Activities() const;
  std::int64_t TimeOf(HostDoing doing) const {
    return by_doing_.at(static_cast<std::size_t>(doing)).time;
  }
  // "aten::item 2.31 ms, aten::copy_ 1.20 ms": the calls that took most of the times by themselves;
  // empty if nothing is recorded.
  std::string LongestCalls() const;

 private:
  struct Sum {
    std::int64_t time = 0;
    std::map<NameId, std::int64_t> calls;
  };

  void AddLane(const Lane& lane, const Intervals& times);
  void Count(const std::vector<std::size_t>& open, std::int64_t time);
  HostDoing DoingOf(const std::vector<std::size_t>& open) const;

  const Model& model_;
  std::array<Sum, kHostDoings> by_doing_;
};

// What the host did while these devices of its trace waited for its launches, the longest first.
std::vector<HostActivity> HostWhileIdle(const Model& model,
                                        const std::vector<DeviceTimeline>& devices);

}  // namespace sightline::profiler

// What each device of a trace did at every moment, and why it did nothing.
//
// A device's tasks are the kernels, copies and collectives on its lanes. From its first task to its
// last, each moment belongs to the first of these that holds:
//
//   computing            a kernel runs, or memory is set
//   communication alone  a collective runs
//   copy alone           memory is copied
//   idle
//
// An idle time ends with a task, and the launch of that task tells why it was idle:
//
//   for the host  the launch began after the device had become idle
//   between       otherwise, if it is shorter than 30 ns: from one kernel to the next
//   other         launched in time but begun late, for a reason that is not recorded; or nobody
//                 recorded the launch
//
// (HTA's breakdown of idle time, there for each stream. Here a device is idle when all of its
// streams are.)
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/profiler/device/intervals.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

inline constexpr std::int64_t kNotLaunched = -kMaxTime - 1;  // Its launch is not recorded.
inline constexpr std::int64_t kLongestBetween = 30;          // Nanoseconds.

enum class IdleReason : std::uint8_t { kForHost, kBetween, kOther };

struct IdleGap {
  std::int64_t from = 0;
  std::int64_t to = 0;
  IdleReason reason = IdleReason::kOther;
  LaneId launcher{};  // Whose launch the device waited for. Of kForHost only.
};

struct DeviceTimeline {
  struct Task {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t launch = kNotLaunched;  // When the call that launched it began.
  };

  ColumnVector<Task> tasks;  // By their starts.
  bool has_launches = false;
  std::int64_t from = 0;  // Of the first task,
  std::int64_t to = 0;    // and the end of the last one.

  Cover computing{Intervals()};
  Cover communication{Intervals()};
  Cover copies{Intervals()};
  Cover computing_or_communication{Intervals()};
  Cover busy{Intervals()};

  ColumnVector<IdleGap> gaps;   // By their starts.
  Cover for_host{Intervals()};  // Those of this reason.
  Cover between{Intervals()};
};

// The devices of a trace; none if it has no kernels. A process with kernels is a device. If there
// is one of them only, it has the collectives that lie in processes of their own, too.
std::vector<DeviceTimeline> FindDevices(const Model& model);

// Whether a task of a device copies memory, by what its writer calls it.
bool IsCopy(std::string_view category, std::string_view name);

}  // namespace sightline::profiler

// How much of a step's time goes into computing, communication, both at once, or neither.
//
//   computing            time in which at least one operator runs
//   communication        time in which at least one communication runs
//   communication_alone  the part of it in which nothing is computed; the rest is overlapped
//   idle                 total - the time in which either runs
//
// (MindSpore's step_trace_time.csv, msprof-analyze: Overlapped = Communication - Communication(Not
// Overlapped), Free = the step without either.) The spans that compute are the devices' kernels; if
// there are none, the host's operators; without these, the user's spans. If a span within another
// one of its lane waits for data or communicates, its time does not count for the outer one.
//
// The figures are computed from the spans of the trace. If it has none for all steps, and the
// source has such a table, they come from the table; then total is the sum of computing,
// communication_alone and idle. If the table has no idle time, idle is the rest of the step.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Nanoseconds.
struct DeviceUse {
  std::int64_t total = 0;
  std::int64_t computing = 0;
  std::int64_t communication = 0;
  std::int64_t communication_alone = 0;
  std::int64_t idle = 0;

  std::int64_t overlapped() const { return communication - communication_alone; }
};

struct DeviceUseTable {
  std::vector<DeviceUse> steps;  // One for each step of the step table, or empty.
  DeviceUse all;                 // Of the whole profile.
  bool listed = false;           // From a table of the source, not from its trace.
  bool known = false;            // False: the profile has no such figures.
};

DeviceUseTable MeasureDeviceUse(const Profile& profile, const StepTable& steps);

}  // namespace sightline::profiler

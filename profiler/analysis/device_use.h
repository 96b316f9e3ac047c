// What a step's time is used for: computing, communication, both at once, neither.
//
//   computing            time in which at least one operator runs
//   communication        time in which at least one communication runs
//   communication_alone  of it that in which nothing is computed; the rest is overlapped
//   idle                 total - the time in which either runs
//
// (MindSpore's step_trace_time.csv, msprof-analyze: Overlapped = Communication - Communication(Not
// Overlapped), Free = the step without either.) Computing are the kernels of the devices; where
// there are none, the host's operators; where there are none of these either, the user's spans. On
// one lane a span that waits for data or communicates interrupts the span around it.
//
// From the spans of the trace; else, where the source has such a table, from its rows: total is
// then the sum of computing, communication_alone and idle. Of a table without idle time, idle is
// what they leave of the step.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

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
  std::vector<DeviceUse> steps;  // One for each step of the step table, or none.
  DeviceUse all;                 // Of the whole profile.
  bool listed = false;           // By a table of the source, not by its trace.
  bool known = false;            // False: the profile says nothing of it.
};

DeviceUseTable DeviceUseOf(const Profile& profile, const StepTable& steps);

}  // namespace sightline::profile

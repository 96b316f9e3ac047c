// How much of a step's time goes into computing, communication, both at once, or neither.
//
//   computing            time in which at least one operator runs
//   communication        time in which at least one communication runs
//   communication_alone  the part of it in which nothing is computed; the rest is overlapped
//   copy_alone           time in which memory is copied and neither runs; known of spans only
//   idle                 total - the time in which any of them runs
//
// (MindSpore's step_trace_time.csv, msprof-analyze: Overlapped = Communication - Communication(Not
// Overlapped), Free = the step without either.) Of an NPU, the time from the begin of a step to its
// first task is `preparing` and belongs to none of these.
//
// The figures come from the first of these that has them for all steps:
//   table  rows of the source about each step (step_trace_time.csv). total is the sum of computing,
//          communication_alone and idle; if the table has no idle time, idle is the rest of the
//          step
//   lanes  the trace's process "Overlap Analysis", in which an NPU's profiler draws the same
//   spans  what the devices did (device_timeline.h), the sum of all devices. A task belongs to the
//          step that launched it: a step goes from its first task, or the end of the step before if
//          that is later, to the end of its last one, and `preparing` is the time since the end of
//          the step before. If no launch is recorded, a step goes from mark to mark. The whole
//          profile goes from the first task to the last. Copies that nothing hides are apart.
//          Without kernels: the host's operators; without these, the user's spans. If a span within
//          another one of its lane waits for data or communicates, its time does not count for the
//          outer one
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/device/device_timeline.h"
#include "sightline/profiler/device/intervals.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Nanoseconds.
struct DeviceUse {
  std::optional<std::int64_t> number;  // Of the step; none: of the whole profile.
  std::int64_t total = 0;
  std::int64_t computing = 0;
  std::int64_t communication = 0;
  std::int64_t communication_alone = 0;
  std::int64_t idle = 0;
  std::int64_t preparing = 0;
  // The part of communication_alone that waited for another stage of a pipeline: what the table
  // says, or else how long the group "pp" waited in its sends and receives.
  std::int64_t bubble = 0;
  std::int64_t copy_alone = 0;
  // Parts of idle, if DeviceUseTable::has_launches (device_timeline.h).
  std::int64_t idle_for_host = 0;
  std::int64_t idle_between = 0;

  std::int64_t idle_other() const { return idle - idle_for_host - idle_between; }
  std::int64_t overlapped() const { return communication - communication_alone; }
  // What the device spends on its own stage (Stage of step_trace_time.csv).
  std::int64_t stage() const { return total - bubble; }
};

struct DeviceUseTable {
  // One for each step of the step table, or empty. If the step table has no steps, one for each
  // step that the source's table lists.
  std::vector<DeviceUse> steps;
  DeviceUse all;           // Of the whole profile.
  bool listed = false;     // From a table of the source, not from its trace.
  bool known = false;      // False: the profile has no such figures.
  bool of_device = false;  // Of a device: not of the host's operators or the user's spans.
  // Of the tasks of devices: `all` goes from the first of them to the last.
  bool by_tasks = false;
  bool has_launches = false;            // It is known why a device was idle.
  std::vector<DeviceTimeline> devices;  // Of whose tasks.
};

DeviceUseTable MeasureDeviceUse(const Profile& profile, const StepTable& steps);
// Whether that may be of a device. Reads no times.
bool HasDevice(const Profile& profile);

// The same by each source that the profile has: those that it lacks are not known. Their steps may
// be fewer than those of the step table.
struct DeviceUseSources {
  DeviceUseTable rows;   // The source's table.
  DeviceUseTable lanes;  // The lanes "Overlap Analysis".
  DeviceUseTable spans;
};
DeviceUseSources MeasureDeviceUseOfEach(const Profile& profile, const StepTable& steps);

// When these devices, or without any the host, computed, communicated and copied, by the spans of
// the trace.
struct BusyTimes {
  Intervals computing;  // Merged, like the others.
  Intervals communication;
  Intervals copies;
  bool of_device = false;
};
BusyTimes FindBusyTimes(const Model& model, const std::vector<DeviceTimeline>& devices);

}  // namespace sightline::profiler

// Tells which spans of an NPU's timeline compute, and which communicate.
//
// The process "Ascend Hardware" has tasks, but also what a stream does between them: it waits for
// events and notifications, records them, and copies. Only a task computes. The process of the
// collectives has a lane for each group, and below it lanes "Plane 0", "Plane 1" that show the
// parts of the same collectives again. (msprof: trace_view.json; checked with real files of
// torch_npu, against step_trace_time.csv.)
#pragma once

#include <string_view>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// Whether a task of the hardware computes, by its "Task Type". Types that do not tell ("Other",
// "N/A", none) are decided by the task's name.
bool TaskComputes(std::string_view task_type, std::string_view name);

// Sets the kinds of these spans: kKernel for tasks that compute, kRuntime for the rest of the
// hardware's spans and for the planes. Call it after ClassifyByLane.
void ClassifyDeviceTasks(Model& model);

}  // namespace sightline::profiler

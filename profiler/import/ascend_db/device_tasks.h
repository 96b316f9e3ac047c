// Reads what ran on the devices: TASK, COMPUTE_TASK_INFO, COMMUNICATION_OP,
// COMMUNICATION_TASK_INFO, COMMUNICATION_SCHEDULE_TASK_INFO, TASK_PMU_INFO.
//
// A task that COMPUTE_TASK_INFO describes is a kernel; these alone compute, whatever the type of
// the others is (waits, records, copies). A communication operator is on the lane of its group; its
// tasks are on the lanes of their planes as well, where they repeat its time.
#pragma once

#include "sightline/profiler/import/ascend/kernel_list.h"
#include "sightline/profiler/import/ascend_db/database_target.h"

namespace sightline::profiler {

struct DeviceParts {
  bool timeline = true;
  bool operators = true;
};

// Needs connections.from_calls, and fills connections.to_device. `operators` and `kernels` get the
// kernels, if they are wanted.
Status ReadDeviceTasks(DatabaseTarget& target, const DeviceParts& wanted, OperatorList& operators,
                       KernelList& kernels);

}  // namespace sightline::profiler

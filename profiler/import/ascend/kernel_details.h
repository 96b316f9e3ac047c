// Reads kernel_details.csv of NPU runs, and msprof's tables op_summary_*.csv and task_time_*.csv:
// one row for each execution of a kernel, or of any task (task_time).
//
// The first was tested with real files of torch_npu, the others are read by the columns in msprof's
// sources. Columns are found by their titles. Times are in microseconds, the start has a tab after
// it. A row whose Accelerator Core is COMMUNICATION or HCCL is a collective, not a kernel, and a
// row of task_time is a kernel if its kernel_type says so. "Step Id" is the step of a row. The
// columns "..._ratio", which the profiler writes at levels 1 and 2, say for which share of the time
// a unit of the cores was busy.
#pragma once

#include <string_view>

#include "sightline/profiler/import/ascend/kernel_list.h"
#include "sightline/profiler/import/mindspore/mindspore_operators.h"

namespace sightline::profiler {

// A row counts as one event. `add_spans`: also adds a span to the timeline for each. If the rows
// have steps and no span of the timeline is a step, adds a span for each step: from its first row's
// begin to its last row's end.
void ReadKernelDetails(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                       OperatorList& operators, KernelList& kernels);

// The lane of the steps of a device ("0"; empty if there is only one), which viewers show first.
LaneId StepLane(std::string_view device, ModelBuilder& builder);

}  // namespace sightline::profiler

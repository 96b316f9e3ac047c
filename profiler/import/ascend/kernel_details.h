// Reads kernel_details.csv of NPU runs: one row for each execution of a kernel.
//
// The columns are those of MindSpore 2.7's and 2.10's sources (profiler/analysis/viewer); no real
// file was available for tests. Columns are found by their titles. Times are in microseconds, the
// start has a tab after it.
#pragma once

#include "sightline/profiler/import/mindspore/mindspore_operators.h"

namespace sightline::profiler {

// A row counts as one event. `add_spans`: also adds a span to the timeline for each.
void ReadKernelDetails(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                       OperatorList& operators);

}  // namespace sightline::profiler

// kernel_details.csv of NPU runs: a row an execution of a kernel.
//
// Columns by MindSpore 2.7's and 2.10's sources (profiler/analysis/viewer); no real file has been
// seen. Matched by header; times in microseconds, the start with a tab behind it.
#pragma once

#include "sightline/profiler/import/mindspore_operators.h"

namespace sightline::profile {

// An event a row. `add_spans`: into the timeline too.
void ReadKernelDetails(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                       OperatorList& operators);

}  // namespace sightline::profile

// Reads step_trace_*.csv of msprof: when the iterations of a model ended, and how long they took.
// Read by the columns in msprof's sources: "Iteration ID", "Iteration End(us)" and "Iteration
// Time(us)".
#pragma once

#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// Adds a span for each iteration, unless the timeline has steps already. Iterations of further
// devices and models are not read, since a profile has one sequence of steps. A row counts as one
// event.
void ReadIterations(ByteWindow& window, ModelBuilder& builder);

}  // namespace sightline::profiler

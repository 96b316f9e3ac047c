// How long the thread of the training waits in each step, for data and for other processes.
//
//   period         from the end of the step before to the step's own end; the first begins with it
//   data_wait      spans of kDataWait that begin in the period, up to its end
//   communication  the same for spans of kCommunication
//
// This needs steps that are marked in the trace. Only the spans of the thread with the marks count,
// since those of a loader's threads do not make it wait. A span within another one of its kind does
// not count a second time.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

struct StepUse {
  std::int64_t number = 0;
  std::int64_t period = 0;  // Nanoseconds, like the others.
  std::int64_t data_wait = 0;
  std::int64_t communication = 0;
};

// One for each step of `table`; empty if the steps are not marked in the trace.
std::vector<StepUse> MeasureStepUse(const Model& model, const StepTable& table);

// The middle value, or the mean of the middle two; 0 if there are none.
double Median(std::vector<double> values);
// The value that a quarter of the values is below; 0 if there are none. Durations on a busy machine
// vary less here than at the median.
double LowerQuartile(ColumnVector<double> values);

}  // namespace sightline::profiler

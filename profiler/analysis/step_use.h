// What the thread of the training does in its steps, as far as the trace says: waits for data,
// waits for others.
//
//   period         from the end of the step before to the step's own end; of the first, the step
//   data_wait      spans of kDataWait that begin in the period, until it ends
//   communication  spans of kCommunication, the same
//
// Only marked steps have lanes, and only spans of the thread that has the marks block it: those of
// a loader's own threads do not count. A span within another of its kind counts once.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profile {

struct StepUse {
  std::int64_t number = 0;
  std::int64_t period = 0;  // Nanoseconds, as the others.
  std::int64_t data_wait = 0;
  std::int64_t communication = 0;
};

// One for each step of `table`; empty where its steps are not marks of this model.
std::vector<StepUse> StepUseOf(const Model& model, const StepTable& table);

// The middle one, or the mean of the middle two; 0 of none.
double MedianOf(std::vector<double> values);
// A quarter of the values is below it; 0 of none. What a busy machine adds to durations it adds to
// the upper ones.
double LowerQuartileOf(ColumnVector<double> values);

}  // namespace sightline::profile

// Compares two profiles of the same training: what got slower.
//
// All figures are means of a step, so that profiles of different lengths can be compared: totals
// are divided by the number of steps (by 1 if there are none).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/steps.h"

namespace sightline::profiler {

struct ComparedPart {
  std::string name;   // A phase ("gap", "work", "tail", "between steps") or an operator's type.
  double before = 0;  // Nanoseconds per step.
  double after = 0;
  // (after - before), divided by the sum of all such differences that have the same sign; 0..1.
  double share = 0;

  double difference() const { return after - before; }
};

struct Comparison {
  double step_before = 0;  // Mean step without the first, nanoseconds.
  double step_after = 0;
  std::size_t steps_before = 0;
  std::size_t steps_after = 0;
  // In the order of a step; last, if the steps are marked, the time before the next step.
  std::vector<ComparedPart> phases;
  std::vector<ComparedPart> operators;  // By |difference|, descending.
};

Comparison Compare(const Profile& before, const Profile& after, const StepOptions& options = {});

}  // namespace sightline::profiler

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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
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
// The standard deviation of normal values by their median absolute deviation.
inline constexpr double kScaleOfDeviation = 1.4826;
// The median of all but one of these, which are sorted; `own` is that one's value. REQUIRES: there
// are two or more, and `own` is among them.
template <typename Number>
Number MedianOfOthers(const std::vector<Number>& sorted, Number own) {
  const auto at = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), own) -
                                           sorted.begin());
  const auto other = [&](std::size_t i) { return sorted[i < at ? i : i + 1]; };
  const std::size_t count = sorted.size() - 1;
  const Number low = other((count - 1) / 2);
  return low + (other(count / 2) - low) / 2;
}

// A part of the steps' times: medians. Steps whose whole is not above 0 do not count.
struct MedianPart {
  double time = 0;  // Nanoseconds, like `whole`.
  double whole = 0;
  double share = 0;
};
// Of the steps from number `first` on. `part` and `whole` are members of a step's use.
template <typename Use>
MedianPart MedianPartOf(const std::vector<Use>& steps, std::size_t first, std::int64_t Use::*part,
                        std::int64_t Use::*whole) {
  std::vector<double> times;
  std::vector<double> wholes;
  std::vector<double> shares;
  for (std::size_t i = first; i < steps.size(); ++i) {
    if (steps[i].*whole <= 0) continue;
    times.push_back(static_cast<double>(steps[i].*part));
    wholes.push_back(static_cast<double>(steps[i].*whole));
    shares.push_back(times.back() / wholes.back());
  }
  return {Median(std::move(times)), Median(std::move(wholes)), Median(std::move(shares))};
}

// The value that a quarter of the values is below; 0 if there are none. Durations on a busy machine
// vary less here than at the median.
double LowerQuartile(ColumnVector<double> values);

}  // namespace sightline::profiler

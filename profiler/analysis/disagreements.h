// Numbers that two sources of a profile tell, and not alike: a part is missing, or a tool is wrong.
//
// Compared are, where a profile has both:
//   a step's computing, communication, communication alone and idle time
//                          the table of steps with the lanes "Overlap Analysis", and with the spans
//   count and time of each type of operator
//                          kernel_details.csv with op_statistic.csv
//   time of all kernels    kernel_details.csv with the trace
//   time of a collective   communication.json with its spans
//   peak of the memory     memory_record.csv with the trace's counter
// They disagree if they differ by more than 1 % of the greater one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

enum class Unit : std::uint8_t { kNanoseconds, kBytes, kCount };

struct Disagreement {
  std::string what;  // "computing of step 13"
  Unit unit = Unit::kNanoseconds;
  std::string first, second;  // The sources: "step_trace_time.csv", "kernel_details.csv".
  double first_value = 0;
  double second_value = 0;
};

// In the order above; within it, those that differ most first.
std::vector<Disagreement> FindDisagreements(const Profile& profile);

// "computing of step 13: 231.29 ms in step_trace_time.csv, 35.30 ms in kernel_details.csv".
std::string Describe(const Disagreement& one);

// All of them as one finding without a cost, of the rule "disagreement"; no value if there are
// none.
std::optional<Finding> DisagreementFinding(const Profile& profile);

}  // namespace sightline::profiler

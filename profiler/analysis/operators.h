// Operators by type and by name: how often, how long.
//
//   count    executions
//   total    sum of their durations, integer nanoseconds
//   average  total / count
//   share    total / sum of all totals, 0..1
//   flops    floating-point operations of all executions, 0 where the source says none
//   self     total without the operators that ran within them (PyTorch's nest, MindSpore's do not)
//
// Source of the numbers: the executions that the profile lists (MindSpore's timestamps to the
// nanosecond, a device's kernels), else the spans of the trace, else the sums that a csv has to six
// digits. In a trace an operator is a span that its writer calls one; where there are none, each
// span counts that is neither step nor scope nor Python, and `inferred` says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct OperatorRow {
  std::string name;  // Empty in a table by type.
  std::string type;
  std::string shapes;  // Of the table by name, where they are known and always the same.
  std::uint64_t count = 0;
  std::int64_t total = 0;  // Nanoseconds, as self.
  std::int64_t self = 0;
  double share = 0;
  double flops = 0;

  double average() const {
    return count == 0 ? 0 : static_cast<double>(total) / static_cast<double>(count);
  }
  // Operations a second while it runs.
  double flops_per_second() const {
    return total == 0 ? 0 : flops * 1e9 / static_cast<double>(total);
  }
};

struct OperatorTable {
  std::vector<OperatorRow> rows;  // By total, descending; then by name and type.
  OperatorSource source = OperatorSource::kNone;
  bool inferred = false;
  bool nested = false;  // Some operators ran within others: totals count time twice, self does not.
  std::int64_t total = 0;
  std::uint64_t count = 0;
};

enum class OperatorGrouping : std::uint8_t { kByType, kByName };

OperatorTable OperatorsOf(const Profile& profile, OperatorGrouping grouping);

// The rows that have `text` in their name or type, whatever the case of its letters; shares stay
// those of the whole.
OperatorTable Matching(OperatorTable table, std::string_view text);

}  // namespace sightline::profile

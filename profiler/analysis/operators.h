// Operators by type or by name: how often and how long they ran.
//
//   count    number of executions; an operator that only calls another of its name, as PyTorch's
//            overloads do, is one with it, here and in all that follows
//   total    sum of their durations, integer nanoseconds
//   average  total / count
//   share    total / sum of all totals of its side, host or device, 0..1
//   flops    floating-point operations of all executions; 0 if unknown
//   self     total without the operators that ran within them (PyTorch's nest, MindSpore's do not)
//
// The figures come from the executions that the profile lists (MindSpore's timestamps to the
// nanosecond, a device's kernels); if there are none, from the spans of the trace; if there are
// none, from the sums in a csv, which have six digits. In a trace an operator is a span that the
// writer marked as one. If it marked none, every span that is not a step, a scope or a Python
// function counts as one, and `inferred` is true.
//
//   device   of an operator of the host: the time of the device's tasks that were launched within
//            it, and device_self without those of operators within it, as in PyTorch's table. Known
//            if the trace records launches (launches.h)
//
// In a trace with both, an operator of the host and a device's kernel are rows of their own, also
// if they have one name, and their times are never added.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct OperatorRow {
  std::string name;  // Empty in a table by type.
  std::string type;
  std::string shapes;  // In a table by name, if they are known and always the same.
  std::uint64_t count = 0;
  std::int64_t total = 0;  // Nanoseconds, like `self`.
  std::int64_t self = 0;
  double share = 0;
  double flops = 0;
  bool of_device = false;   // In a trace: it ran on a device.
  std::int64_t device = 0;  // Nanoseconds, like device_self.
  std::int64_t device_self = 0;

  double average() const {
    return count == 0 ? 0 : static_cast<double>(total) / static_cast<double>(count);
  }
  // Floating-point operations in a second of running.
  double flops_per_second() const {
    return total == 0 ? 0 : flops * 1e9 / static_cast<double>(total);
  }
};

struct OperatorTable {
  std::vector<OperatorRow> rows;  // By total, descending; then by name and type.
  OperatorSource source = OperatorSource::kNone;
  bool inferred = false;
  // Some operators ran within others: the totals count that time twice, `self` once.
  bool nested = false;
  std::int64_t total = 0;   // Of the host's rows, or of all if there is one side only.
  std::uint64_t count = 0;  // Of the same.
  // Of the device's rows, beside those of the host; 0 if there is one side only.
  std::int64_t device_total = 0;
  std::uint64_t device_count = 0;
  bool has_launches = false;  // device and device_self of rows are known.
  // Of device_total, what no operator launched, or no recorded call.
  std::int64_t device_unlaunched = 0;

  bool has_both() const { return device_count > 0; }
};

enum class OperatorGrouping : std::uint8_t { kByType, kByName };

OperatorTable AnalyzeOperators(const Profile& profile, OperatorGrouping grouping);

// The rows of a device, if the table has both sides: all rows, otherwise.
OperatorTable OfDevice(OperatorTable table);

// The rows with `text` in their name or type, in upper or lower case. Their shares remain those of
// the whole table.
OperatorTable Matching(OperatorTable table, std::string_view text);

}  // namespace sightline::profiler

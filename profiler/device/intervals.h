// Intervals of time, merged: which part of them lies in which part of others.
//
//   Intervals busy = ...;
//   Merge(busy);
//   const Cover cover(std::move(busy));
//   use(cover.Within(step.start, step.end));
#pragma once

#include <cstdint>

#include "sightline/base/memory/column_memory.h"

namespace sightline::profiler {

// [from, to), in nanoseconds.
struct Interval {
  std::int64_t from = 0;
  std::int64_t to = 0;
};
using Intervals = ColumnVector<Interval>;

// Sorts them, and makes one of those that overlap or touch. Both functions below need lists that
// are merged.
void Merge(Intervals& intervals);

// The intersection of two lists, or the first without the second.
Intervals Combine(const Intervals& first, const Intervals& second, bool in_both);

// How much of a time merged intervals cover.
class Cover {
 public:
  explicit Cover(Intervals intervals);

  std::int64_t Within(std::int64_t from, std::int64_t to) const { return Until(to) - Until(from); }
  std::int64_t all() const { return before_.back(); }
  const Intervals& intervals() const { return intervals_; }

 private:
  std::int64_t Until(std::int64_t time) const;

  Intervals intervals_;
  ColumnVector<std::int64_t> before_;  // The sum of all intervals before each.
};

}  // namespace sightline::profiler

#include "sightline/profiler/device/intervals.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sightline::profiler {

void Merge(Intervals& intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.from < b.from; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].from <= intervals[last].to) {
      intervals[last].to = std::max(intervals[last].to, intervals[i].to);
    } else {
      intervals[++last] = intervals[i];
    }
  }
  if (!intervals.empty()) intervals.resize(last + 1);
}

Intervals Combine(const Intervals& first, const Intervals& second, bool in_both) {
  Intervals result;
  std::size_t at = 0;
  for (const Interval& one : first) {
    while (at < second.size() && second[at].to <= one.from) ++at;
    std::int64_t from = one.from;
    for (std::size_t i = at; i < second.size() && second[i].from < one.to; ++i) {
      const Interval both = {std::max(one.from, second[i].from), std::min(one.to, second[i].to)};
      if (in_both) result.push_back(both);
      if (!in_both && both.from > from) result.push_back({from, both.from});
      from = both.to;
    }
    if (!in_both && from < one.to) result.push_back({from, one.to});
  }
  return result;
}

Cover::Cover(Intervals intervals) : intervals_(std::move(intervals)) {
  before_.reserve(intervals_.size() + 1);
  before_.push_back(0);
  for (const Interval& one : intervals_) before_.push_back(before_.back() + one.to - one.from);
}

std::int64_t Cover::Until(std::int64_t time) const {
  const auto behind = std::partition_point(intervals_.begin(), intervals_.end(),
                                           [&](const Interval& one) { return one.to <= time; });
  const auto index = static_cast<std::size_t>(behind - intervals_.begin());
  const bool within = behind != intervals_.end() && behind->from < time;
  return before_[index] + (within ? time - behind->from : 0);
}

}  // namespace sightline::profiler

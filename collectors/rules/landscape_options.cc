#include "sightline/collectors/rules/landscape_options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "sightline/base/faults.h"

namespace sightline {
namespace {

constexpr std::int64_t kMinSize = 3;
constexpr std::int64_t kMaxSize = 256;
constexpr std::size_t kMinInterval = 3;
constexpr std::size_t kMaxListed = 10;  // The most numbers of a bad interval in a message.

bool Rises(const std::vector<std::int64_t>& interval) {
  return interval.front() >= 1 && std::adjacent_find(interval.begin(), interval.end(),
                                                     std::greater_equal<>()) == interval.end();
}

}  // namespace

std::string_view LandscapeUnitName(LandscapeUnit unit) {
  switch (unit) {
    case LandscapeUnit::kStep:
      return "step";
    case LandscapeUnit::kEpoch:
      return "epoch";
  }
  return "";
}

Status LandscapeOptions::Check() const {
  Faults faults;
  if (landscape_size < kMinSize || landscape_size > kMaxSize) {
    faults.Add("collect_landscape.landscape_size is {}, but must be between {} and {}",
               landscape_size, kMinSize, kMaxSize);
  }
  faults.AtLeastOne("collect_landscape.num_samples", num_samples, "sample");
  if (intervals.empty()) {
    faults.Add(
        "collect_landscape.intervals is empty, but must have a list of the {}s whose parameters "
        "are saved, e.g. [[1, 2, 3, 4]]",
        LandscapeUnitName(unit));
  }
  for (const std::vector<std::int64_t>& interval : intervals) {
    if (interval.size() >= kMinInterval && Rises(interval)) continue;
    const auto end =
        interval.begin() + static_cast<std::ptrdiff_t>(std::min(interval.size(), kMaxListed));
    faults.Add(
        "collect_landscape.intervals has [{}{}], but each needs at least {} {}s, from 1 on and "
        "rising",
        fmt::join(interval.begin(), end, ", "), end == interval.end() ? "" : ", ...", kMinInterval,
        LandscapeUnitName(unit));
  }
  return faults.ToStatus();
}

}  // namespace sightline

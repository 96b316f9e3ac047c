// Quantiles of numbers. Any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace sightline {

// Of some finite numbers, which are reordered: the value below which the share `at` of them lies,
// between two of them in proportion, as numpy.quantile does it. REQUIRES: !numbers.empty(), 0 <= at
// <= 1.
inline double QuantileOf(std::span<double> numbers, double at) {
  const double position = at * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (middle + 1 == numbers.end()) return *middle;
  const double above = *std::min_element(middle + 1, numbers.end());
  return std::lerp(*middle, above, position - static_cast<double>(below));
}

}  // namespace sightline

// Statistics of repeated runs: the spread of some numbers, and the band of one scalar around its
// mean, step by step.
//
//   const Band band = BandOf(group.runs(), "loss");
//   for (std::size_t i = 0; i < band.steps.size(); ++i)
//     Draw(band.steps[i], band.spreads[i].min, band.spreads[i].mean, band.spreads[i].max);
//
// Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

// Statistics of the finite numbers in a list. NaN if there are none.
struct Spread {
  std::uint64_t count = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  // Of the sample (n - 1); NaN for fewer than two numbers.
  double deviation = std::numeric_limits<double>::quiet_NaN();
};
Spread SpreadOfNumbers(std::span<const double> numbers);

struct Band {
  std::vector<std::int64_t> steps;  // Ascending; every step that at least one run has.
  std::vector<Spread> spreads;      // Over the runs that have the step.
};
// The band of the scalar `tag`. Each run contributes its last value of each step, from the first
// rank that has the tag. Runs without the tag are left out.
Band BandOf(std::span<const std::shared_ptr<const Run>> runs, std::string_view tag);

}  // namespace sightline

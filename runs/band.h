// What repeated runs came to: the spread of their values, and step by step of one scalar as a band
// around its mean.
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

#include "sightline/runs/run.h"

namespace sightline {

// Of the finite numbers among some. NaN without any.
struct Spread {
  std::uint64_t count = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  double deviation = std::numeric_limits<double>::quiet_NaN();  // Of a sample; two and more.
};
Spread SpreadOfNumbers(std::span<const double> numbers);

struct Band {
  std::vector<std::int64_t> steps;  // That any of the runs has, ascending.
  std::vector<Spread> spreads;      // Of those runs that have the step.
};
// Of each run the last value of a step counts, of the first rank that has the tag. Runs without it
// do not count.
Band BandOf(std::span<const std::shared_ptr<const Run>> runs, std::string_view tag);

}  // namespace sightline

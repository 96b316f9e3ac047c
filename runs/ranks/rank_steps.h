// RankSteps: what the ranks of one training have in common at each step: the median of their
// values, how far they usually are from it, and their exact minimum and maximum.
//
//   const std::vector<const Series*> ranks = RanksOf(*run, "loss");
//   const RankSteps steps = RankStepsOf(ranks);
//   for (std::size_t i = 0; i < steps.size(); ++i) Plot(steps.steps[i], steps.median[i]);
//
// Plain functions, callable from any thread. They take time in proportion to the ranks' points, and
// memory in proportion to the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/runs/model/series.h"

namespace sightline {

// Columns over the steps, all equally long. Statistics are those of the finite values; NaN if there
// are none. Each rank contributes the last value of each step.
struct RankSteps {
  std::vector<std::int64_t> steps;  // Ascending: every step that at least one rank recorded.
  std::vector<double> median;       // Of an even number of values: the mean of the middle two.
  std::vector<double> deviation;    // The median of the distances from the median (MAD).
  std::vector<double> low;
  std::vector<double> high;
  std::vector<std::uint32_t> finite;  // How many ranks have a finite value.
  std::vector<std::uint32_t> nan;
  std::vector<std::uint32_t> pos_inf;
  std::vector<std::uint32_t> neg_inf;

  std::size_t size() const { return steps.size(); }
};

// The scalar series of a tag, one for each rank that has it, by rank.
std::vector<const Series*> RanksOf(const Run& run, std::string_view tag);

// REQUIRES: all of them are scalars.
RankSteps RankStepsOf(std::span<const Series* const> ranks);

}  // namespace sightline

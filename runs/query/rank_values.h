// RankValues: the values of one function of a tag in the ranks of a run, and what they say of the
// ranks. Any thread.
//
//   const RankValues values = query.InRanks(*run);
//   if (values.worst) Show(*values.worst, values.min, values.max);
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace sightline {

struct RankValues {
  RankValues() = default;
  // The numbers of some of `count` ranks, by rank.
  RankValues(std::vector<std::pair<std::int32_t, double>> of_ranks, std::size_t count);

  // Whether a finite number differs from another, or some numbers are finite and others are not.
  bool differ() const;
  // (max - min) / |median|; empty for fewer than two finite numbers, or a median of 0.
  std::optional<double> spread() const;

  std::vector<std::pair<std::int32_t, double>> values;
  std::size_t ranks = 0;  // That have the tag, with such a number or without.
  // Of the finite numbers; NaN if there are none.
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  double median = std::numeric_limits<double>::quiet_NaN();
  double mean = std::numeric_limits<double>::quiet_NaN();
  std::size_t finite = 0;               // How many there are.
  std::vector<std::int32_t> nonfinite;  // The ranks with NaN or infinity.
  // The first rank with NaN or infinity, or else the one whose number is farthest from the median,
  // the first of those. Empty if no rank is worse than another: there is one rank, none has a
  // finite number, or all are equally far from the median, as two always are.
  std::optional<std::int32_t> worst;
};

}  // namespace sightline

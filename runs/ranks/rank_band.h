// RankBand: what a chart shows of the ranks of one training: the median line, and the band between
// the least and the greatest value of any rank. No point lies outside the band.
//
//   const RankBand band = BandOfRanks(steps, 0, 999'999, 1000);
//   for (const RankColumn& column : band.columns) Draw(column.first_step, column.low, column.high);
//
// Plain functions, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sightline/runs/ranks/rank_steps.h"

namespace sightline {

// One step, or several consecutive ones.
struct RankColumn {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  // The extremes of the finite values of all ranks; NaN if there are none.
  double low = 0;
  double high = 0;
  // The median of the ranks at the first and the last step, and its extremes over the steps. NaN
  // where no rank has a finite value.
  double first = 0;
  double last = 0;
  double least = 0;
  double most = 0;
  std::uint64_t nan = 0;
  std::uint64_t pos_inf = 0;
  std::uint64_t neg_inf = 0;
};

struct RankBand {
  bool exact = true;  // Whether each column is a single step.
  std::vector<RankColumn> columns;
};

// The positions [begin, end) of the steps first..last.
std::pair<std::size_t, std::size_t> PositionsOf(const RankSteps& steps, std::int64_t first,
                                                std::int64_t last);

// The band over the steps first..last (both included): each step by itself if there are at most
// twice `count`, else at most `count` columns of equal width. REQUIRES: count != 0.
RankBand BandOfRanks(const RankSteps& steps, std::int64_t first, std::int64_t last,
                     std::size_t count);

// Cuts first..last into `count` columns of equal width: the column of a step between them.
std::size_t ColumnOfStep(std::int64_t step, std::int64_t first, std::int64_t last,
                         std::size_t count);

}  // namespace sightline

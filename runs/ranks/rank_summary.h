// What a table and a heat map show of the ranks of one training.
//
// Plain functions, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sightline/runs/ranks/rank_steps.h"

namespace sightline {

// A row of the table: the last value, and statistics of the finite values; NaN if there are none.
// Each step counts once, with the value that was recorded last.
struct RankSummary {
  std::int32_t rank = 0;
  std::int64_t last_step = 0;
  double last = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  std::uint64_t steps = 0;      // All that it recorded.
  std::uint64_t nonfinite = 0;  // Those at which it is NaN or infinite.
};
// Of the steps first..last (both included). Ranks without a step there are left out.
std::vector<RankSummary> SummariesOf(std::span<const Series* const> ranks, std::int64_t first,
                                     std::int64_t last);

// Ranks x steps. Each cell has one recorded value: of all in it, the first that is not finite, or
// else the one that is furthest from the median of all ranks at its step.
struct RankHeat {
  struct Row {  // Consecutive ranks; a single one if there is room.
    std::int32_t first_rank = 0;
    std::int32_t last_rank = 0;
  };
  struct Cell {
    bool recorded = false;
    double value = 0;
    double median = 0;  // NaN if no rank is finite at that step.
  };
  std::vector<Row> rows;
  std::size_t columns = 0;  // Equal parts of the steps first..last.
  std::vector<Cell> cells;  // Row by row.
};
// At most `rows` rows and `columns` columns. REQUIRES: rows != 0, columns != 0, first <= last.
RankHeat HeatOf(std::span<const Series* const> ranks, const RankSteps& steps, std::int64_t first,
                std::int64_t last, std::size_t rows, std::size_t columns);

}  // namespace sightline

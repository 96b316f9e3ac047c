#include "sightline/runs/ranks/rank_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sightline/runs/model/step_cursor.h"
#include "sightline/runs/ranks/rank_band.h"

namespace sightline {
namespace {

// Calls see(step, value) for the steps first..last of a rank.
template <typename See>
void ForEachIn(const Series& rank, std::int64_t first, std::int64_t last, See see) {
  for (StepCursor cursor(rank); !cursor.done() && cursor.step() <= last; cursor.Next())
    if (cursor.step() >= first) see(cursor.step(), cursor.value());
}

RankSummary SummaryOf(const Series& rank, std::int64_t first, std::int64_t last) {
  RankSummary summary;
  summary.rank = rank.key().rank;
  summary.min = summary.max = std::numeric_limits<double>::quiet_NaN();
  ForEachIn(rank, first, last, [&](std::int64_t step, double value) {
    ++summary.steps;
    summary.last_step = step;
    summary.last = value;
    if (!std::isfinite(value)) {
      ++summary.nonfinite;
      return;
    }
    summary.mean += (value - summary.mean) / static_cast<double>(summary.steps - summary.nonfinite);
    summary.min = std::fmin(summary.min, value);
    summary.max = std::fmax(summary.max, value);
  });
  if (summary.steps == summary.nonfinite) summary.mean = summary.min;
  return summary;
}

bool Outranks(const RankHeat::Cell& next, const RankHeat::Cell& held) {
  if (!held.recorded || !std::isfinite(held.value)) return !held.recorded;
  if (!std::isfinite(next.value)) return true;
  return std::abs(next.value - next.median) > std::abs(held.value - held.median);
}

}  // namespace

std::vector<RankSummary> SummariesOf(std::span<const Series* const> ranks, std::int64_t first,
                                     std::int64_t last) {
  std::vector<RankSummary> summaries;
  for (const Series* rank : ranks) {
    RankSummary summary = SummaryOf(*rank, first, last);
    if (summary.steps > 0) summaries.push_back(summary);
  }
  return summaries;
}

RankHeat HeatOf(std::span<const Series* const> ranks, const RankSteps& steps, std::int64_t first,
                std::int64_t last, std::size_t rows, std::size_t columns) {
  RankHeat heat;
  const auto [begin, end] = PositionsOf(steps, first, last);
  // No more columns than steps, so that no column is empty for want of them.
  heat.columns = std::max<std::size_t>(1, std::min(columns, end - begin));
  const std::size_t each = (ranks.size() + rows - 1) / rows;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i % each == 0) {
      heat.rows.push_back({ranks[i]->key().rank, ranks[i]->key().rank});
      heat.cells.resize(heat.cells.size() + heat.columns);
    }
    heat.rows.back().last_rank = ranks[i]->key().rank;
    const std::size_t row = (heat.rows.size() - 1) * heat.columns;
    std::size_t position = begin;
    ForEachIn(*ranks[i], first, last, [&](std::int64_t step, double value) {
      while (steps.steps[position] != step) ++position;
      const RankHeat::Cell next{true, value, steps.median[position]};
      RankHeat::Cell& held = heat.cells[row + ColumnOfStep(step, first, last, heat.columns)];
      if (Outranks(next, held)) held = next;
    });
  }
  return heat;
}

}  // namespace sightline

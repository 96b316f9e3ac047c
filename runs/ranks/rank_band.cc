#include "sightline/runs/ranks/rank_band.h"

#include <algorithm>
#include <cmath>

namespace sightline {
namespace {

RankColumn ColumnOf(const RankSteps& steps, std::size_t i) {
  const double median = steps.median[i];
  return {steps.steps[i], steps.steps[i], steps.low[i], steps.high[i],    median,          median,
          median,         median,         steps.nan[i], steps.pos_inf[i], steps.neg_inf[i]};
}

// std::fmin and fmax leave NaN out.
void Add(const RankColumn& next, RankColumn& column) {
  column.last_step = next.last_step;
  column.last = next.last;
  column.low = std::fmin(column.low, next.low);
  column.high = std::fmax(column.high, next.high);
  column.least = std::fmin(column.least, next.least);
  column.most = std::fmax(column.most, next.most);
  column.nan += next.nan;
  column.pos_inf += next.pos_inf;
  column.neg_inf += next.neg_inf;
}

}  // namespace

std::pair<std::size_t, std::size_t> PositionsOf(const RankSteps& steps, std::int64_t first,
                                                std::int64_t last) {
  const auto begin = std::lower_bound(steps.steps.begin(), steps.steps.end(), first);
  const auto end = std::upper_bound(begin, steps.steps.end(), last);
  return {static_cast<std::size_t>(begin - steps.steps.begin()),
          static_cast<std::size_t>(end - steps.steps.begin())};
}

std::size_t ColumnOfStep(std::int64_t step, std::int64_t first, std::int64_t last,
                         std::size_t count) {
  // Unsigned, since the range may be wider than an int64; the product may be wider than a uint64.
  __extension__ using Wide = unsigned __int128;
  const auto from = [&](std::int64_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(first);
  };
  return static_cast<std::size_t>(Wide{from(step)} * count / (Wide{from(last)} + 1));
}

RankBand BandOfRanks(const RankSteps& steps, std::int64_t first, std::int64_t last,
                     std::size_t count) {
  RankBand band;
  const auto [begin, end] = PositionsOf(steps, first, last);
  band.exact = end - begin <= 2 * count;
  std::size_t column = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t next = band.exact ? i : ColumnOfStep(steps.steps[i], first, last, count);
    if (i != begin && next == column) {
      Add(ColumnOf(steps, i), band.columns.back());
    } else {
      band.columns.push_back(ColumnOf(steps, i));
    }
    column = next;
  }
  return band;
}

}  // namespace sightline

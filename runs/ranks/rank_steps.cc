#include "sightline/runs/ranks/rank_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sightline/base/quantile.h"
#include "sightline/runs/model/step_cursor.h"

namespace sightline {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Steps whose values are gathered at once, so that each series is read in pieces of its own order.
// Those of a thousand ranks fit into the processor's second cache.
constexpr std::size_t kBlock = 32;

bool SameSteps(const Series& a, const Series& b) {
  return std::equal(a.steps().begin(), a.steps().end(), b.steps().begin(), b.steps().end());
}

// Every step of any rank. Ranks mostly have equal steps, which are taken once.
std::vector<std::int64_t> StepsOfAll(std::span<const Series* const> ranks) {
  std::vector<std::int64_t> all;
  const Series* before = nullptr;
  for (const Series* rank : ranks) {
    if (before == nullptr || !SameSteps(*before, *rank))
      all.insert(all.end(), rank->steps().begin(), rank->steps().end());
    before = rank;
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Reorders the values.
double MedianOf(std::span<double> values) {
  return values.empty() ? kNone : QuantileOf(values, 0.5);
}

// The values of some consecutive steps, a row a step.
class Block {
 public:
  explicit Block(std::size_t ranks) : ranks_(ranks), values_(kBlock * ranks), sizes_(kBlock) {}

  void Clear() { std::fill(sizes_.begin(), sizes_.end(), 0); }
  void Add(std::size_t row, double value) { values_[row * ranks_ + sizes_[row]++] = value; }
  std::span<double> row(std::size_t row) {
    return std::span(values_).subspan(row * ranks_, sizes_[row]);
  }

 private:
  std::size_t ranks_;
  std::vector<double> values_;
  std::vector<std::size_t> sizes_;
};

void Append(std::span<double> values, RankSteps& steps) {
  const auto end = std::partition(values.begin(), values.end(),
                                  [](double value) { return std::isfinite(value); });
  std::uint32_t nan = 0;
  std::uint32_t up = 0;
  for (auto at = end; at != values.end(); ++at) {
    nan += std::isnan(*at) ? 1U : 0U;
    up += *at > 0 ? 1U : 0U;
  }
  const auto others = static_cast<std::uint32_t>(values.end() - end);
  steps.nan.push_back(nan);
  steps.pos_inf.push_back(up);
  steps.neg_inf.push_back(others - nan - up);
  const std::span<double> finite(values.begin(), end);
  steps.finite.push_back(static_cast<std::uint32_t>(finite.size()));
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  steps.low.push_back(finite.empty() ? kNone : *low);
  steps.high.push_back(finite.empty() ? kNone : *high);
  const double median = MedianOf(finite);
  steps.median.push_back(median);
  for (double& value : finite) value = std::abs(value - median);
  steps.deviation.push_back(MedianOf(finite));
}

}  // namespace

std::vector<const Series*> RanksOf(const Run& run, std::string_view tag) {
  std::vector<const Series*> ranks;
  for (const auto& series : run.OfTag(ContentKind::kScalar, tag)) ranks.push_back(series.get());
  return ranks;
}

RankSteps RankStepsOf(std::span<const Series* const> ranks) {
  RankSteps steps;
  steps.steps = StepsOfAll(ranks);
  for (auto* column : {&steps.median, &steps.deviation, &steps.low, &steps.high})
    column->reserve(steps.size());
  std::vector<StepCursor> cursors;
  cursors.reserve(ranks.size());
  for (const Series* rank : ranks) cursors.emplace_back(*rank);
  Block block(ranks.size());
  for (std::size_t begin = 0; begin < steps.size(); begin += kBlock) {
    const auto some = std::span(steps.steps).subspan(begin, std::min(kBlock, steps.size() - begin));
    block.Clear();
    for (StepCursor& cursor : cursors) {
      for (std::size_t row = 0; !cursor.done() && cursor.step() <= some.back(); cursor.Next()) {
        while (some[row] != cursor.step()) ++row;
        block.Add(row, cursor.value());
      }
    }
    for (std::size_t row = 0; row < some.size(); ++row) Append(block.row(row), steps);
  }
  return steps;
}

}  // namespace sightline

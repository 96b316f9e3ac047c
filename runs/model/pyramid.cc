#include "sightline/runs/model/pyramid.h"

#include <algorithm>
#include <cmath>

#include "sightline/base/memory/column_memory.h"

namespace sightline {
namespace {

// Nodes that are made between two checks of the memory limit: those of 8 MB of values.
constexpr std::size_t kNodesAtOnce = std::size_t{1} << 14U;

void AddFinite(double low, double high, Extremes& extremes) {
  if (std::isnan(low)) return;
  extremes.min = std::isnan(extremes.min) ? low : std::min(extremes.min, low);
  extremes.max = std::isnan(extremes.max) ? high : std::max(extremes.max, high);
}

}  // namespace

void Extremes::Add(double value) {
  ++count;
  if (std::isfinite(value)) [[likely]] {
    AddFinite(value, value, *this);
  } else if (std::isnan(value)) {
    ++nan_count;
  } else {
    ++(value > 0 ? pos_inf_count : neg_inf_count);
  }
}

void Extremes::Add(const Extremes& other) {
  AddFinite(other.min, other.max, *this);
  count += other.count;
  nan_count += other.nan_count;
  pos_inf_count += other.pos_inf_count;
  neg_inf_count += other.neg_inf_count;
}

void Pyramid::AddTo(const Node& node, Extremes& extremes) {
  AddFinite(node.min, node.max, extremes);
  extremes.count += node.count;
  extremes.nan_count += node.nan_count;
  extremes.pos_inf_count += node.pos_inf_count;
  extremes.neg_inf_count += node.neg_inf_count;
}

void Pyramid::Extend(std::span<const double> values) {
  values_ = values;
  // Makes only whole nodes. The rest at the end is read from the level below.
  const auto add_nodes = [&](std::size_t level, std::size_t below, const auto& add) {
    if (level == levels_.size() && below >= kFactor) levels_.emplace_back();
    if (level == levels_.size()) return std::size_t{0};
    std::vector<Node>& nodes = levels_[level];
    nodes.reserve(below / kFactor);
    while (nodes.size() < below / kFactor) {
      if (nodes.size() % kNodesAtOnce == kNodesAtOnce - 1) MemoryLimit::Keep();
      Extremes extremes;
      const std::size_t begin = nodes.size() * kFactor;
      for (std::size_t i = begin; i < begin + kFactor; ++i) add(i, extremes);
      nodes.push_back({extremes.min, extremes.max, static_cast<std::uint32_t>(extremes.nan_count),
                       static_cast<std::uint32_t>(extremes.pos_inf_count),
                       static_cast<std::uint32_t>(extremes.neg_inf_count),
                       static_cast<std::uint32_t>(extremes.count)});
    }
    return nodes.size();
  };
  std::size_t below = add_nodes(
      0, values.size(), [&](std::size_t i, Extremes& extremes) { extremes.Add(values[i]); });
  for (std::size_t level = 1; below != 0; ++level) {
    below = add_nodes(level, below, [&](std::size_t i, Extremes& extremes) {
      AddTo(levels_[level - 1][i], extremes);
    });
  }
}

// Goes from the values at both ends inwards, and one level up each time the rest consists of whole
// nodes.
Extremes Pyramid::Of(std::size_t begin, std::size_t end, ColumnReader<double>& values) const {
  Extremes extremes;
  std::size_t unit_begin = begin;
  std::size_t unit_end = end;
  for (std::size_t level = 0; unit_begin < unit_end; ++level) {
    const auto add = [&](std::size_t i) {
      if (level == 0) {
        extremes.Add(values[i]);
      } else {
        AddTo(levels_[level - 1][i], extremes);
      }
    };
    const std::size_t above = level < levels_.size() ? levels_[level].size() : 0;
    const std::size_t whole_begin = (unit_begin + kFactor - 1) / kFactor;
    const std::size_t whole_end = std::min(unit_end / kFactor, above);
    if (whole_begin >= whole_end) {
      for (std::size_t i = unit_begin; i < unit_end; ++i) add(i);
      break;
    }
    for (std::size_t i = unit_begin; i < whole_begin * kFactor; ++i) add(i);
    for (std::size_t i = whole_end * kFactor; i < unit_end; ++i) add(i);
    unit_begin = whole_begin;
    unit_end = whole_end;
  }
  return extremes;
}

}  // namespace sightline

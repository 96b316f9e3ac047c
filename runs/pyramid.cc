#include "sightline/runs/pyramid.h"

#include <algorithm>
#include <cmath>

namespace sightline {
namespace {

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

Pyramid::Pyramid(std::span<const double> values) : values_(values) {
  const auto node_of = [](const Extremes& extremes) {
    return Node{extremes.min,
                extremes.max,
                static_cast<std::uint32_t>(extremes.nan_count),
                static_cast<std::uint32_t>(extremes.pos_inf_count),
                static_cast<std::uint32_t>(extremes.neg_inf_count),
                static_cast<std::uint32_t>(extremes.count)};
  };
  // Whole nodes only: what is left at the end is read from the level below.
  std::vector<Node> level(values.size() / kFactor);
  for (std::size_t i = 0; i < level.size(); ++i) {
    Extremes extremes;
    for (const double value : values.subspan(i * kFactor, kFactor)) extremes.Add(value);
    level[i] = node_of(extremes);
  }
  while (!level.empty()) {
    std::vector<Node> above(level.size() / kFactor);
    for (std::size_t i = 0; i < above.size(); ++i) {
      Extremes extremes;
      for (std::size_t j = 0; j < kFactor; ++j) AddTo(level[i * kFactor + j], extremes);
      above[i] = node_of(extremes);
    }
    levels_.push_back(std::move(level));
    level = std::move(above);
  }
}

// From the values at both ends inwards, a level up each time the rest is whole nodes.
Extremes Pyramid::Of(std::size_t begin, std::size_t end) const {
  Extremes extremes;
  std::size_t unit_begin = begin;
  std::size_t unit_end = end;
  for (std::size_t level = 0; unit_begin < unit_end; ++level) {
    const auto add = [&](std::size_t i) {
      if (level == 0) {
        extremes.Add(values_[i]);
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

// Scalar series and sides of a comparison, made from values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/runs/compare/comparand.h"
#include "sightline/runs/model/series_points.h"

namespace sightline::testing {

using StepValues = std::vector<std::pair<std::int64_t, double>>;

// In the order in which they were recorded.
inline std::shared_ptr<const Series> MadeSeries(const StepValues& values,
                                                const std::string& tag = "loss",
                                                std::int32_t rank = 0) {
  SeriesPoints points;
  for (const auto& [step, value] : values) {
    points.steps.push_back(step);
    points.wall_times.push_back(static_cast<double>(points.steps.size()));
    points.values.push_back(value);
  }
  points.Sort();
  return std::make_shared<const Series>(SeriesKey{ContentKind::kScalar, "", tag, rank},
                                        std::move(points));
}

// Steps 1 to `last`.
inline StepValues ValuesOf(std::int64_t last, const std::function<double(std::int64_t)>& value_at) {
  StepValues values;
  for (std::int64_t step = 1; step <= last; ++step) values.emplace_back(step, value_at(step));
  return values;
}

// REQUIRES: ordered by tag, then by rank.
inline Comparand MadeComparand(const std::vector<std::shared_ptr<const Series>>& series,
                               RunLineage lineage = {}) {
  Comparand side{"made"};
  side.lineage = std::move(lineage);
  for (const auto& one : series) {
    const std::string& tag = one->key().tag;
    if (side.tags.empty() || side.tags.back().tag != tag) side.tags.push_back({tag, {}});
    side.tags.back().ranks.push_back(one.get());
  }
  side.owner = std::make_shared<std::vector<std::shared_ptr<const Series>>>(series);
  return side;
}

}  // namespace sightline::testing

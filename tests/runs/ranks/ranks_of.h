// Ranks of a training, made from a function of rank and step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sightline/runs/model/series_points.h"

namespace sightline::testing {

// Owns the series of one tag.
class Ranks {
 public:
  // No value: the rank recorded nothing at that step.
  using ValueAt = std::function<std::optional<double>(std::int32_t rank, std::int64_t step)>;

  // Steps first, first + every, ... up to `last`.
  Ranks(std::int32_t ranks, std::int64_t last, const ValueAt& value_at, std::int64_t every = 1) {
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      SeriesPoints points;
      for (std::int64_t step = 1; step <= last; step += every) {
        const auto value = value_at(rank, step);
        if (value) Add(points, step, *value);
      }
      Add({ContentKind::kScalar, "", "loss", rank}, std::move(points));
    }
  }

  void Add(const SeriesKey& key, SeriesPoints points) {
    points.Sort();
    if (points.steps.empty()) return;
    owned_.push_back(std::make_unique<Series>(key, std::move(points)));
    all_.push_back(owned_.back().get());
  }
  static void Add(SeriesPoints& points, std::int64_t step, double value) {
    points.steps.push_back(step);
    points.wall_times.push_back(static_cast<double>(points.steps.size()));
    points.values.push_back(value);
  }

  const std::vector<const Series*>& all() const { return all_; }

 private:
  std::vector<std::unique_ptr<Series>> owned_;
  std::vector<const Series*> all_;
};

}  // namespace sightline::testing

// LossLandscape: the loss around a point of parameter space, on a grid spanned by two directions,
// and the path that training took there. MindInsight draws it; the TensorBoard encoder stores its
// tensors.
//
// Plain values and pure functions: callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

struct LossLandscape {
  struct Path {
    std::vector<std::int32_t> intervals = {};  // The step or epoch of each point.
    std::vector<double> x = {};
    std::vector<double> y = {};
    std::vector<double> z = {};

    bool operator==(const Path&) const = default;
  };
  struct Point {
    double x = 0;
    double y = 0;
    double z = 0;

    bool operator==(const Point&) const = default;
  };

  std::vector<double> x = {};  // The grid's coordinates along the first direction,
  std::vector<double> y = {};  // and along the second.
  std::vector<double> z = {};  // Loss at [y][x], row by row: y.size() * x.size() numbers.
  std::optional<Path> path = {};
  std::optional<Point> convergence_point = {};

  std::string decomposition = {};  // "PCA" or "Random".
  std::string unit = {};           // "epoch" or "step".
  std::int32_t step_per_epoch = 0;

  bool operator==(const LossLandscape&) const = default;
};

// All numbers as float64: float_data for MindInsight, raw_data for those who need the rest of the
// digits. kInvalidArgument when z has not y.size() * x.size() numbers, or the path's lists differ
// in length.
Result<std::string> SerializeLandscape(const LossLandscape& landscape);

// A serialized LossLandscape, MindSpore's own included. kDataLoss for bytes that are none, or whose
// tensors do not fit each other.
Result<LossLandscape> ParseLandscape(std::string_view message);

}  // namespace sightline

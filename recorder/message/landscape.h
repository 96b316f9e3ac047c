// LossLandscape: the loss around a point of parameter space, on a grid spanned by two directions,
// and the path that training took there. MindInsight draws it; the TensorBoard encoder stores its
// tensors.
//
// Plain values and pure functions: callable from any thread.
#pragma once

#include <array>
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

  // The loss along a straight line.
  struct Line {
    // "first" or "second": a direction, through the last checkpoint, in the direction's units.
    // "checkpoints": from the path's first checkpoint, at 0, to its last, at 1.
    std::string along = {};
    std::vector<double> at = {};
    std::vector<double> z = {};
    std::vector<std::vector<double>> metrics = {};  // Of each further metric, as many as `at`.

    bool operator==(const Line&) const = default;
  };
  // What the peers' schema has no field for; they skip it.
  struct Details {
    std::optional<std::uint64_t> seed = {};
    std::string normalisation = {};  // "none", "layer" or "filter".
    std::optional<std::array<double, 2>> explained_variance = {};
    std::vector<double> distances = {};  // Of the path's points from the plane; none, or one each.
    // What was measured besides the loss: of each metric, a number for each point of z, then for
    // each of the path.
    std::vector<std::vector<double>> metrics = {};
    std::vector<Line> lines = {};
    std::vector<bool> evaluated = {};  // Of each point of z; empty: all are. Others are NaN.

    bool operator==(const Details&) const = default;
  };

  std::vector<double> x = {};  // The grid's coordinates along the first direction,
  std::vector<double> y = {};  // and along the second.
  std::vector<double> z = {};  // Loss at [y][x], row by row: y.size() * x.size() numbers.
  std::optional<Path> path = {};
  std::optional<Point> convergence_point = {};

  std::string decomposition = {};  // "PCA" or "Random".
  std::string unit = {};           // "epoch" or "step".
  std::int32_t step_per_epoch = 0;
  std::optional<Details> details = {};

  bool operator==(const LossLandscape&) const = default;
};

// All numbers as float64: float_data for MindInsight, raw_data for those who need the rest of the
// digits. kInvalidArgument when z has not y.size() * x.size() numbers, or the lists of path or
// details do not fit each other.
Result<std::string> SerializeLandscape(const LossLandscape& landscape);

// A serialized LossLandscape, MindSpore's own included. kDataLoss for bytes that are none, or whose
// tensors do not fit each other.
Result<LossLandscape> ParseLandscape(std::string_view message);

}  // namespace sightline

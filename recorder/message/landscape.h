// LossLandscape: the loss around a point of parameter space, on a grid that two directions span,
// and the path of the training there. MindInsight draws it; the TensorBoard encoder stores its
// tensors.
//
// Plain values and pure functions; any thread may call them.
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
    // "first" or "second": in that direction, through the last checkpoint, in the direction's
    // units. "checkpoints": from the path's first checkpoint, which is at 0, to its last, at 1.
    std::string along = {};
    std::vector<double> at = {};
    std::vector<double> z = {};
    std::vector<std::vector<double>> metrics = {};  // For each further metric, as many as `at`.

    bool operator==(const Line&) const = default;
  };
  // Data for which MindSpore's schema has no field. MindInsight skips it.
  struct Details {
    std::optional<std::uint64_t> seed = {};
    std::string normalisation = {};  // "none", "layer" or "filter".
    std::optional<std::array<double, 2>> explained_variance = {};
    // The distance of each of the path's points from the plane; may be empty.
    std::vector<double> distances = {};
    // For each metric besides the loss: a number for each point of z, then one for each point of
    // the path.
    std::vector<std::vector<double>> metrics = {};
    std::vector<Line> lines = {};
    // Whether each point of z was evaluated; those that were not are NaN. Empty: all were.
    std::vector<bool> evaluated = {};

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

// Returns the serialized message. Its tensors are float64, with float_data for MindInsight and
// raw_data with all digits. kInvalidArgument if z does not have y.size() * x.size() numbers, or if
// the lists of the path or the details do not fit each other.
Result<std::string> SerializeLandscape(const LossLandscape& landscape);

// Parses a serialized LossLandscape, also one that MindSpore made. kDataLoss for bytes that are
// none, or whose tensors do not fit each other.
Result<LossLandscape> ParseLandscape(std::string_view message);

}  // namespace sightline

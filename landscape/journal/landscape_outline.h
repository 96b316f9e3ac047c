// LandscapeOutline: a landscape without its losses, as in the first record of a journal of points
// (point_journal.h), and the landscape that it becomes with them.
//
// Plain values and pure functions: callable from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline::landscape {

// The numbers that were measured at each point. The points of the grid have the numbers
// y_index * x.size() + x_index; those of the path follow, then those of each line.
using PointValues = std::map<std::size_t, std::vector<double>>;

struct LandscapeOutline {
  struct Line {
    std::string along;  // As in LossLandscape::Line.
    std::vector<double> at;
  };
  struct Parameter {
    std::string name;
    std::vector<std::int64_t> shape;
  };

  std::string tag;
  std::string decomposition;  // "PCA", "Random" or "Given".
  std::string unit = "step";
  std::int64_t step_per_epoch = 0;
  std::int64_t num_samples = 0;
  std::vector<std::int64_t> numbers;  // The step or epoch of each checkpoint.
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> path_x;  // As many as numbers.
  std::vector<double> path_y;
  std::vector<double> distances;
  std::string normalisation;
  std::uint64_t seed = 0;
  std::optional<std::array<double, 2>> explained_variance;
  std::vector<Line> lines;
  // Of both directions and the last checkpoint: it distinguishes landscapes that are otherwise
  // equal.
  std::uint32_t checksum = 0;
  std::vector<Parameter> parameters;
};

std::size_t PointCount(const LandscapeOutline& outline);

// One JSON object; the same outline gives the same text.
std::string PrintOutline(const LandscapeOutline& outline);
// kDataLoss, naming the field, if a field is missing or wrong. Parameters are not read.
Result<LandscapeOutline> ParseOutline(std::string_view text);

// The landscape of the known points: the first number of a point is its loss. Points that are not
// in `values` are NaN, and the landscape's details name them.
LossLandscape LandscapeOf(const LandscapeOutline& outline, const PointValues& values);

}  // namespace sightline::landscape

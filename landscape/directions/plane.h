// Plane: everything about a landscape that is known before the first loss: parameters, directions,
// trajectory and axes.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(TrainMetadata metadata, ReadTrainMetadata(files, "./run"));
//   SIGHTLINE_ASSIGN_OR_RETURN(Plane plane, PlaneOfInterval(files, metadata, 0, {}));
//   plane.trajectory.x
//
// Pure but for the files that are read; callable from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/train_metadata.h"
#include "sightline/landscape/directions/directions.h"
#include "sightline/landscape/directions/parameter_set.h"
#include "sightline/landscape/journal/landscape_outline.h"

namespace sightline::landscape {

struct PlaneOptions {
  ParameterChoice parameters = {};
  DirectionOptions directions = {};
  // Points along each axis, 1 to 4096; 0: the metadata's landscape_size.
  std::int64_t x_size = 0;
  std::int64_t y_size = 0;
  // Smallest and largest coordinate. By default around the trajectory as in MindSpore, and -1 to 1
  // around a result.
  std::optional<std::array<double, 2>> x_range = {};
  std::optional<std::array<double, 2>> y_range = {};
  // Points of each line, 0 to 4096; 0: no lines. Two lines go along the directions through the last
  // checkpoint, as far as the axes reach; one goes straight from an interval's first checkpoint to
  // its last, and a fifth beyond both.
  std::int64_t line_size = 0;
  // Directions of the user: none or two, or one with directions.random_second. Each has tensors
  // under the parameters' names. They are normalised like the others.
  std::vector<Checkpoint> given_directions = {};

  // OK, or kInvalidArgument naming every option out of range.
  Status Check() const;
};

struct Plane {
  std::string tag;                    // "landscape_[1, 3]"
  std::string decomposition;          // "PCA", "Random" or "Given".
  std::vector<std::int64_t> numbers;  // The step or epoch of each checkpoint.
  ParameterSet parameters;
  Directions directions;
  Trajectory trajectory;  // Of a result: the one point (0, 0).
  std::vector<double> x;
  std::vector<double> y;
  std::vector<LandscapeOutline::Line> lines;
  std::vector<float> checkpoint_difference;  // First less last, if there is a line between them.
};

// LossLandscape::Line::along.
inline constexpr std::string_view kAlongFirst = "first";
inline constexpr std::string_view kAlongSecond = "second";
inline constexpr std::string_view kAlongCheckpoints = "checkpoints";

// Of interval `index` of the metadata, by PCA. REQUIRES: there is one.
Result<Plane> PlaneOfInterval(FileSystem& files, const TrainMetadata& metadata, std::size_t index,
                              const PlaneOptions& options);

// Around the last checkpoint of the last interval, by random directions.
Result<Plane> PlaneOfResult(FileSystem& files, const TrainMetadata& metadata,
                            const PlaneOptions& options);

}  // namespace sightline::landscape

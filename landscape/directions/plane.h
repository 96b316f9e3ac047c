// Plane: everything about a landscape that is known before the first loss: parameters, directions,
// trajectory and axes.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(TrainMetadata metadata, ReadTrainMetadata("./run"));
//   SIGHTLINE_ASSIGN_OR_RETURN(Plane plane, PlaneOfInterval(metadata, 0, {}));
//   plane.trajectory.x
//
// Pure but for the files that are read; callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/train_metadata.h"
#include "sightline/landscape/directions/directions.h"
#include "sightline/landscape/directions/parameter_set.h"
#include "sightline/landscape/directions/plane_options.h"
#include "sightline/landscape/journal/landscape_outline.h"

namespace sightline::landscape {

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

// The plane of interval `index` of the metadata, by PCA. REQUIRES: the metadata has it.
Result<Plane> PlaneOfInterval(const TrainMetadata& metadata, std::size_t index,
                              const PlaneOptions& options);

// A plane around the last checkpoint of the last interval, by random directions.
Result<Plane> PlaneOfResult(const TrainMetadata& metadata, const PlaneOptions& options);

}  // namespace sightline::landscape

// Directions: the two vectors that span a landscape's plane.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(Directions plane, PcaDirections(set, {}));
//   SIGHTLINE_ASSIGN_OR_RETURN(Trajectory path, ProjectCheckpoints(set, plane, 0));
//
// The same arguments give the same bits on one machine, whatever the number of threads. Pure
// functions; callable from any thread.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/directions/parameter_set.h"
#include "sightline/landscape/directions/plane_options.h"

namespace sightline::landscape {

struct Directions {
  std::vector<float> first;
  std::vector<float> second;
  // For PCA: the share of the checkpoints' variance in each direction, which is its singular value
  // squared over the sum of all squares.
  std::optional<std::array<double, 2>> explained_variance;
};

// The two leading principal components of the checkpoints, as MindSpore computes them. Take the
// matrix whose columns are the differences of each checkpoint from the last, less the column's own
// mean over the parameters. The directions are its left singular vectors times their singular
// values, with the entry of largest magnitude positive. They are computed by the Gram matrix in
// float64, and then normalised.
//
// kInvalidArgument for fewer than three checkpoints (two with random_second), for checkpoints with
// NaN or infinity, and for those that span no plane.
Result<Directions> PcaDirections(const ParameterSet& set, const DirectionOptions& options);

// Two vectors of independent standard-normal numbers that depend only on the seed, normalised.
Result<Directions> RandomDirections(const ParameterSet& set, const DirectionOptions& options);

// Takes the first checkpoint of `set`, and the second if there are three, as directions, and
// normalises them to the last one. If there is one direction and random_second is set, the second
// is random and orthogonal to it. kInvalidArgument, naming the file, for a direction that is zero
// or has NaN or infinity.
Result<Directions> GivenDirections(const ParameterSet& set, const DirectionOptions& options);

// The places of the checkpoints on the plane, in units of the directions, by least squares, and
// their Euclidean distances from it. The last checkpoint is at (0, 0).
struct Trajectory {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> distances;
};

// kInvalidArgument if the directions are parallel or zero.
Result<Trajectory> ProjectCheckpoints(const ParameterSet& set, const Directions& directions,
                                      int threads);

}  // namespace sightline::landscape

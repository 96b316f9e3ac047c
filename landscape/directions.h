// Directions: the two vectors that span a landscape's plane.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(Directions plane, PcaDirections(set, {}));
//   SIGHTLINE_ASSIGN_OR_RETURN(Trajectory path, ProjectCheckpoints(set, plane, 0));
//
// The same arguments give the same bits on one machine, whatever the number of threads. Pure
// functions; callable from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/parameter_set.h"

namespace sightline::landscape {

enum class Normalisation {
  kNone,
  kLayer,   // Each parameter's part gets the norm of the parameter in the last checkpoint:
            // MindSpore.
  kFilter,  // The same for each row of the first dimension (Li et al. 2018, section 4).
};

std::string_view NormalisationName(Normalisation normalisation);  // "none", "layer", "filter".
std::optional<Normalisation> NormalisationNamed(std::string_view name);

struct DirectionOptions {
  Normalisation normalisation = Normalisation::kLayer;
  std::uint64_t seed = 0;
  // Where there is one direction only (checkpoints that lie on a line, one that is given), take a
  // random second one that is orthogonal to it, instead of an error.
  bool random_second = false;
  int threads = 0;  // 0: as many as the machine has.
};

struct Directions {
  std::vector<float> first;
  std::vector<float> second;
  // Of PCA: the part of the checkpoints' variance that each direction has; singular value squared
  // over the sum of their squares.
  std::optional<std::array<double, 2>> explained_variance;
};

// The two leading principal components of the checkpoints, as MindSpore computes them: of the
// matrix whose columns are the differences of each checkpoint from the last, less the column's own
// mean over the parameters, the left singular vectors times their singular values; the entry of
// largest magnitude is positive. Computed by the Gram matrix, in float64. Then normalised.
//
// kInvalidArgument for fewer than three checkpoints (two with random_second), for checkpoints that
// hold NaN or infinity, and for those that span no plane.
Result<Directions> PcaDirections(const ParameterSet& set, const DirectionOptions& options);

// Two vectors of independent standard-normal numbers that depend on the seed alone, normalised.
Result<Directions> RandomDirections(const ParameterSet& set, const DirectionOptions& options);

// The first checkpoint of `set`, and its second where it holds three, taken as directions and
// normalised to its last. With one direction the second is a random one, orthogonal to it, where
// random_second allows. kInvalidArgument, naming the file, for a direction that is zero or holds
// NaN or infinity.
Result<Directions> GivenDirections(const ParameterSet& set, const DirectionOptions& options);

// Where the checkpoints are, in units of the directions from the last one, by least squares, and
// how far (Euclidean) from the plane. The last is at (0, 0).
struct Trajectory {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> distances;
};

// kInvalidArgument where the directions are parallel or zero.
Result<Trajectory> ProjectCheckpoints(const ParameterSet& set, const Directions& directions,
                                      int threads);

}  // namespace sightline::landscape

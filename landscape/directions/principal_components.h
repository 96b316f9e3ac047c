// The principal components of a set's checkpoints. Used by directions.cc. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/directions/directions.h"
#include "sightline/landscape/directions/parameter_set.h"

namespace sightline::landscape {

struct Principal {
  // For each direction: the factors of the differences, and the mean that is subtracted.
  std::array<std::vector<double>, 2> factors;
  std::array<double, 2> offsets = {0, 0};
  std::array<double, 2> explained = {0, 0};
  bool is_line = false;
};

// The components of the differences from the last checkpoint, each less its own mean. REQUIRES: at
// least two differences.
Result<Principal> FindPrincipal(const ParameterSet& set, int threads);

// Fills the first `count` directions, not yet normalised; returns the sign that each must get.
std::array<double, 2> FillDirections(const ParameterSet& set, const Principal& principal,
                                     std::size_t count, int threads, Directions& out);

// The error for checkpoints from which no plane can be made; `what` ends the sentence.
Status DegenerateCheckpoints(const ParameterSet& set, std::string_view what);

}  // namespace sightline::landscape

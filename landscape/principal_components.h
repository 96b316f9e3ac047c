// The principal components of a set's checkpoints. Used by directions.cc. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/directions.h"
#include "sightline/landscape/parameter_set.h"

namespace sightline::landscape {

struct Principal {
  // Of the differences, for each direction: factors and what is subtracted (their means).
  std::array<std::vector<double>, 2> factors;
  std::array<double, 2> offsets = {0, 0};
  std::array<double, 2> explained = {0, 0};
  bool is_line = false;
};

// Of the differences from the last checkpoint, each less its own mean. Two at least.
Result<Principal> FindPrincipal(const ParameterSet& set, int threads);

// Fills the first `count` directions, as long as the set, not yet normalised; returns the sign each
// must get.
std::array<double, 2> FillDirections(const ParameterSet& set, const Principal& principal,
                                     std::size_t count, int threads, Directions& out);

// What is wrong with the set's checkpoints.
Status DegenerateCheckpoints(const ParameterSet& set, std::string_view what);

}  // namespace sightline::landscape

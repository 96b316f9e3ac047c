// Scaling and random numbers for pairs of directions. Used by directions.cc. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/landscape/directions/directions.h"
#include "sightline/landscape/directions/parameter_set.h"

namespace sightline::landscape {

// Scales both directions, parameter by parameter or filter by filter, to the norm of the same part
// of the last checkpoint, times the direction's sign. A part that is zero stays zero; a part whose
// checkpoint is zero becomes zero.
void NormaliseDirections(const ParameterSet& set, Normalisation normalisation, int threads,
                         std::array<double, 2> signs, Directions& directions);

// Standard-normal numbers that depend only on seed, stream and position (SplitMix64 and
// Box-Muller).
void FillNormal(std::uint64_t seed, std::uint64_t stream, int threads, std::vector<float>& out);

}  // namespace sightline::landscape

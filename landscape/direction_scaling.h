// What happens to a pair of directions after they were found. Used by directions.cc. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/landscape/directions.h"
#include "sightline/landscape/parameter_set.h"

namespace sightline::landscape {

// Scales both directions, parameter by parameter or filter by filter, to the norm of the last
// checkpoint there, times `sign` each. A part that is zero stays zero, and one where the checkpoint
// is zero becomes zero.
void NormaliseDirections(const ParameterSet& set, Normalisation normalisation, int threads,
                         std::array<double, 2> signs, Directions& directions);

// Standard-normal numbers that depend on seed, stream and position alone (SplitMix64 and
// Box-Muller).
void FillNormal(std::uint64_t seed, std::uint64_t stream, int threads, std::vector<float>& out);

}  // namespace sightline::landscape

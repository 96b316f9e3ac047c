// Whether a series leaves the noise of others of its kind: the reference and further runs of the
// same training with other seeds.
//
//   const NoiseFinding found = LeavesNoise(*mine, kind, 0.01);
//   if (found.leaves) Say(*found.leaves);
//
// The steps that all of them have are divided into at most 40 windows of equally many. For each
// window and run there is its mean, and the logarithm of the deviation of its steps from the mean
// of the kind. A window is out if one of these two is further from that of the kind than chance
// explains, by Student's t: the variance is that of the kind over nine windows around it, whose
// degrees of freedom shrink as successive windows of a run resemble each other (a run that is lucky
// stays lucky). The chance is divided among windows and the two measures (Bonferroni). A series
// leaves at the first of two successive windows that are out on the same side; from there it goes
// back while windows are further than two deviations out. It also leaves at the first of three
// steps in a row that are not finite while all of the kind are.
//
// A plain function, callable from any thread. It takes time in proportion to the points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sightline/runs/model/series.h"

namespace sightline {

// So many runs besides the reference are needed.
inline constexpr std::size_t kLeastLikeRuns = 3;

struct NoiseFinding {
  bool known = false;  // There were enough runs, and enough common steps.
  std::optional<std::int64_t> leaves;
};

// `kind`: the series of the reference and of runs like it. `chance`: that a series of the kind is
// said to leave, between 0 and 1. REQUIRES: all are scalars.
NoiseFinding LeavesNoise(const Series& series, std::span<const Series* const> kind, double chance);

}  // namespace sightline

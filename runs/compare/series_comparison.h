// How long one scalar series follows another one, its reference, step by step.
//
//   const SeriesComparison found = CompareSeries(*reference, *mine, 0.02);
//   if (found.leaves) Say(found.leaves->step);
//
// a and b are the values of the reference and of the other series at one step. They are alike if
// |b - a| <= tolerance x max(|a|, median / 10), where the median is that of |a| over the finite
// values of the reference. The tenth of it keeps a value near zero from asking for more precision
// than the series has. Values that are not finite are alike if they are the same one: NaN and NaN,
// inf and inf. Of a step with several values, the one that was recorded last counts.
//
// Plain functions, callable from any thread. They take time in proportion to the points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/runs/model/series.h"

namespace sightline {

// So many joined steps in a row must be beyond the tolerance for a series to leave its reference.
// If fewer steps are joined, all of them must be.
inline constexpr std::size_t kLeavingSteps = 3;

// The steps that both series have, ascending, and how many only one of them has.
struct JoinedSteps {
  std::vector<std::int64_t> steps;
  std::vector<double> a;
  std::vector<double> b;
  std::uint64_t only_in_a = 0;
  std::uint64_t only_in_b = 0;
};
// Step s of `a` is joined with step s + shift of `b`. REQUIRES: both are scalars.
JoinedSteps JoinSteps(const Series& a, const Series& b, std::int64_t shift = 0);

struct StepPair {
  std::int64_t step = 0;
  double a = 0;
  double b = 0;
};

enum class SeriesVerdict : std::uint8_t {
  kAlike,
  kWithinNoise,  // Beyond the tolerance, but no further than other runs of its kind (run_noise.h).
  kTooFewSteps,  // Fewer than half of the steps of the series that has fewer are joined.
  kLeaves,
};

struct SeriesComparison {
  SeriesVerdict verdict = SeriesVerdict::kAlike;
  std::uint64_t joined = 0;  // Steps that both series have,
  std::uint64_t only_in_a = 0;
  std::uint64_t only_in_b = 0;
  std::uint64_t beyond = 0;              // those of them that are beyond the tolerance,
  std::uint64_t single = 0;              // and of these, those in rows of fewer than kLeavingSteps.
  std::optional<StepPair> leaves;        // The first step of the first row that is long enough.
  std::optional<StepPair> first_single;  // The first of the single ones.
  std::optional<StepPair> last;          // The last joined step; none if none is joined.
  // The mean of |b - a| / max(|a|, median / 10) over the joined steps at which both are finite and
  // the divisor is not 0; none if there are none.
  std::optional<double> mean_difference;
  // -1 or 1 if the series are not alike, but would be if that were added to the steps of `b`.
  std::optional<std::int64_t> alike_if_shifted;
};

// REQUIRES: both are scalars, tolerance >= 0.
SeriesComparison CompareSeries(const Series& a, const Series& b, double tolerance);

}  // namespace sightline

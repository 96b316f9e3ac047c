// Which ranks leave the others, which are not finite while the others are, and which miss steps at
// an end (docs/ranks.md).
//
//   const std::vector<const Series*> ranks = RanksOf(*run, "iteration-time");
//   const RankComparison found = CompareRanks(ByStage(*run, ranks), RankStepsOf(ranks));
//   for (const LeavingRank& one : found.leaving) Say(one.rank, one.excess, one.since);
//
// Ranks are compared within their pipeline stage (rank_stages.h), if it has four or more of them
// with the tag. A *window* is 20 of a rank's recorded steps, or 2 % of those of the run if that is
// more.
//
// Plain functions, callable from any thread. They take time in proportion to the ranks' points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sightline/runs/model/series.h"
#include "sightline/runs/ranks/rank_steps.h"

namespace sightline {

// A rank is out at a step if its value is further from the median of the ranks than 5 % of that
// median and than 6 times the median distance. It leaves if it is out in 80 % of a window, and is
// back if it is out in 20 % of one.
struct LeavingRank {
  std::int32_t rank = 0;
  bool above = false;  // On which side it is out more often.
  // The median of (value - median) / |median| over the steps at which it is out. None if the median
  // is 0 at all of them.
  std::optional<double> excess;
  std::int64_t since = 0;             // The first step of those at which it is out.
  std::optional<std::int64_t> until;  // The last one; none if it did not come back.
};

// A rank whose values became NaN or infinite at a step at which more than half of the ranks were
// finite. The last such time counts.
struct NonFiniteRank {
  std::int32_t rank = 0;
  std::int64_t since = 0;
  std::optional<std::int64_t> until;  // The last step without a finite value; none if none came.
};

// A rank that begins or ends with more than a window of steps less than half of the others.
struct MissingSteps {
  std::int32_t rank = 0;
  std::int64_t first = 0;  // Its own first and last step.
  std::int64_t last = 0;
  bool late = false;   // It begins later than the others.
  bool early = false;  // It ends earlier.
};

struct RankComparison {
  std::size_t stages = 0;                // The parts that were compared within themselves.
  std::vector<LeavingRank> leaving;      // Those that did not come back first, then by excess.
  std::vector<NonFiniteRank> nonfinite;  // By step, then by rank.
  std::vector<MissingSteps> missing;     // By rank.
};

// The ranks of a tag by their stage (ByStage), and what RankStepsOf tells of all of them.
RankComparison CompareRanks(std::span<const std::vector<const Series*>> stages,
                            const RankSteps& steps);

}  // namespace sightline

// RunComparison: whether one run follows another one, its reference: tag by tag and rank by rank,
// from which step it leaves, and what differs besides (docs/compare.md).
//
//   const RunComparison found = CompareRuns(reference, mine, {.tolerance = 0.02});
//   if (found.verdict == RunVerdict::kDiffers) Say(found.tags.front());
//
// Plain functions, callable from any thread. They take time in proportion to the points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/runs/compare/comparand.h"
#include "sightline/runs/compare/run_differences.h"
#include "sightline/runs/compare/series_comparison.h"
#include "sightline/runs/query/tag_filter.h"

namespace sightline {

struct ComparedRank {
  std::int32_t rank = 0;    // In the reference,
  std::int32_t rank_b = 0;  // and in the other run.
  SeriesComparison found;
};

struct ComparedTag {
  std::string tag;                      // In the reference,
  std::string tag_b;                    // and in the other run.
  std::vector<ComparedRank> ranks;      // By rank.
  std::vector<std::int32_t> only_in_a;  // Ranks of the reference that the other run does not have,
  std::vector<std::int32_t> only_in_b;  // and the other way round.

  // That of the worst rank.
  SeriesVerdict verdict() const;
  // The rank that leaves first, else the worst one. REQUIRES: !ranks.empty().
  const ComparedRank& first() const;
  // Whether it has every rank of the reference, and all follow it.
  bool alike() const { return verdict() <= SeriesVerdict::kWithinNoise && only_in_a.empty(); }
};

enum class RunVerdict : std::uint8_t {
  kAlike,
  kDiffers,  // A tag leaves, has too few steps, or is missing in the other run, or a rank is.
  kNothingToCompare,  // No tag is common, or all have too few common steps.
};

struct RunComparison {
  RunVerdict verdict = RunVerdict::kNothingToCompare;
  // Those that leave first, by the step at which they do; then those with too few steps; then the
  // others by name.
  std::vector<ComparedTag> tags;
  std::vector<std::string> only_in_a;
  std::vector<std::string> only_in_b;
  // Tags that were not compared, since they measure the speed of a machine (MeasuresSpeed); by
  // name.
  std::vector<std::string> left_out;
  RunDifferences differences;
};

struct RunComparisonOptions {
  double tolerance = 0.02;  // At least 0.
  // Of either run. Without one: all but those that measure speed.
  TagFilter tags = {};
  // Further runs of the kind of the reference, such as those of other seeds. A series that is
  // beyond the tolerance is then within the noise, or leaves at the step at which it leaves the
  // noise. None is judged so of which fewer than kLeastLikeRuns of them have the tag and rank of
  // the reference.
  std::span<const Comparand> like = {};
};

// Whether a tag says how fast a step was or what it took of the machine, by names of Sightline,
// MindFormers, Megatron and Hugging Face: "step_time/auto", "system/cpu_percent", "throughput". Two
// runs of one training differ in these.
bool MeasuresSpeed(std::string_view tag);
// Whether a tag is compared: the filter chooses it, or there is none and it does not measure speed.
bool IsCompared(std::string_view tag, const TagFilter& filter);

// That a run of the kind of the reference is said to leave the noise in any of its tags.
inline constexpr double kNoiseChance = 0.01;

// Tags are joined by name. Tags that are left are joined if their names differ in case and in the
// signs between words only ("lm loss", "lm-loss"), and then a loss with an lm loss. If one is left
// on each side and none was joined, these two are. Ranks are joined by number; a tag with one rank
// on one side is joined with the rank of the same number on the other side, or else with its lowest
// one.
RunComparison CompareRuns(const Comparand& a, const Comparand& b,
                          const RunComparisonOptions& options);

}  // namespace sightline

// Several ranks of a training side by side: who keeps the others waiting.
//
// A rank that is slow makes the others wait for it in their communication: their steps become as
// long as its own, and only what is left without communication tells them apart. Rules:
//
//   straggler     a rank's step without its communication is 1.2 times as long as the others' of
//                 its stage (their median; MindInsight's limit of 20 %), and they communicate
//                 longer than it does, or the profiles have no communication. Cost: its excess by
//                 the step
//   slow-stage    the same of a stage of a pipeline-parallel training by the others' mean
//   slow-link     a link carries 20 % less a second than the mean of its kind
//   slow-device   a rank does 20 % fewer FLOPs a second than the mean of its stage
//   communication a rank communicates alone for more than 10 % of its step
// (MindInsight, profiler/proposer: cluster.) Link, device and communication have no cost of their
// own: they explain the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/summary.h"

namespace sightline::profile {

// A rank's steps without the first; medians in nanoseconds.
struct RankUse {
  std::int64_t rank = 0;
  std::string path;
  std::size_t steps = 0;
  double step = 0;  // Period; where steps are not marked, their total.
  double data_wait = 0;
  double communication = 0;

  std::optional<std::int64_t> stage;
  double flops = 0;            // A second, as the source says; 0: unknown.
  std::vector<LinkUse> links;  // Sums of all steps, by link and transport.

  double own() const { return step - communication; }
  double communication_share() const { return step == 0 ? 0 : communication / step; }
};

// `rank`: of a profile that does not say its own.
RankUse RankUseOf(const Profile& profile, std::int64_t rank);

// The slowest, where there is one.
std::optional<Finding> StragglerOf(const std::vector<RankUse>& ranks);

// Everything that the rules find, in their order; of links, devices and communication the worst.
std::vector<Finding> FindingsOf(const std::vector<RankUse>& ranks);

}  // namespace sightline::profile

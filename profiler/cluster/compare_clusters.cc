#include "sightline/profiler/cluster/compare_clusters.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

constexpr double kLeastShare = 0.08;  // Of the median of what ranks did by themselves before.
constexpr double kDeviations = 3;

// The ranks with device steps by number. Counts those without a number.
std::map<std::int64_t, const ClusterRank*> RanksOf(const Cluster& cluster, std::size_t& unknown) {
  std::map<std::int64_t, const ClusterRank*> ranks;
  for (const ClusterRank& one : cluster.ranks) {
    if (!one.part.use.rank) ++unknown;
    if (one.part.use.rank && !one.part.steps.empty()) ranks.emplace(*one.part.use.rank, &one);
  }
  return ranks;
}

template <typename Value>
double MedianOf(const std::vector<RankChange>& ranks, Value value) {
  std::vector<double> values;
  values.reserve(ranks.size());
  for (const RankChange& one : ranks) values.push_back(value(one));
  return Median(std::move(values));
}

StepMeans MediansOfRanks(const std::vector<RankChange>& ranks, StepMeans RankChange::*when) {
  std::vector<StepMeans> means;
  means.reserve(ranks.size());
  for (const RankChange& one : ranks) means.push_back(one.*when);
  return MediansOf(means);
}

void MarkOutliers(ClusterChange& change) {
  // Of two, neither is the other's rule.
  if (change.ranks.size() < 3) return;
  const auto distance = [&](const RankChange& one) { return change.DistanceOf(one); };
  const double own = MedianOf(change.ranks, [](const RankChange& one) { return one.before.own(); });
  const double deviation = kScaleOfDeviation * MedianOf(change.ranks, distance);
  const double least = std::max(kLeastShare * own, kDeviations * deviation);
  for (RankChange& one : change.ranks) one.stands_out = distance(one) > least;
}

}  // namespace

double ClusterChange::DistanceOf(const RankChange& rank) const {
  return std::abs(rank.own() - own);
}

ClusterChange CompareClusters(const Cluster& before, const Cluster& after) {
  ClusterChange change;
  const auto old = RanksOf(before, change.unknown);
  const auto current = RanksOf(after, change.unknown);
  for (const auto& [rank, one] : old) {
    const auto found = current.find(rank);
    if (found == current.end()) {
      change.only_before.push_back(rank);
    } else {
      change.ranks.push_back({.rank = rank, .before = one->means, .after = found->second->means});
    }
  }
  for (const auto& [rank, one] : current)
    if (!old.contains(rank)) change.only_after.push_back(rank);
  if (change.ranks.empty()) return change;
  change.before = MediansOfRanks(change.ranks, &RankChange::before);
  change.after = MediansOfRanks(change.ranks, &RankChange::after);
  change.own = MedianOf(change.ranks, [](const RankChange& one) { return one.own(); });
  MarkOutliers(change);
  return change;
}

}  // namespace sightline::profiler

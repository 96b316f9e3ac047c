#include "sightline/profiler/cluster/compare_clusters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/cluster/efficiency.h"
#include "sightline/tests/profiler/cluster/made_cluster.h"

namespace sightline::profiler {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kMs = 1'000'000;

// A rank with a step of these parts, in ms.
RankPart Part(std::int64_t rank, std::int64_t computing, std::int64_t communication) {
  RankPart part;
  part.use.rank = rank;
  part.use.path = "rank_" + std::to_string(rank);
  part.steps = {{.number = 1,
                 .total = (computing + communication) * kMs,
                 .computing = computing * kMs,
                 .communication = communication * kMs,
                 .communication_alone = communication * kMs}};
  return part;
}

Cluster Made(const testing::Causes& causes, std::uint32_t seed) {
  return JoinParts(testing::PartsOf(testing::MakeCluster({}, causes, seed)));
}

std::vector<std::int64_t> Outstanding(const ClusterChange& change) {
  std::vector<std::int64_t> ranks;
  for (const RankChange& one : change.ranks)
    if (one.stands_out) ranks.push_back(one.rank);
  return ranks;
}

TEST(CompareClusters, ComparesRanksOfTheSameNumber) {
  const ClusterChange change =
      CompareClusters(JoinParts({Part(0, 60, 40), Part(1, 62, 38), Part(2, 61, 39)}),
                      JoinParts({Part(2, 51, 29), Part(0, 50, 30), Part(3, 50, 30)}));
  ASSERT_THAT(change.ranks, SizeIs(2));
  EXPECT_EQ(change.ranks[1].rank, 2);
  EXPECT_EQ(change.ranks[1].before.computing, 61.0 * kMs);
  EXPECT_EQ(change.ranks[1].after.computing, 51.0 * kMs);
  EXPECT_EQ(change.ranks[1].own(), -10.0 * kMs);
  EXPECT_THAT(change.only_before, ElementsAre(1));
  EXPECT_THAT(change.only_after, ElementsAre(3));
  EXPECT_EQ(change.before.step, 100.0 * kMs);
  EXPECT_EQ(change.after.step, 80.0 * kMs);
}

TEST(CompareClusters, RanksWithoutStepsOrNumberTakeNoPart) {
  RankPart without = Part(1, 1, 1);
  without.steps.clear();
  RankPart unknown = Part(2, 1, 1);
  unknown.use.rank.reset();
  const ClusterChange change = CompareClusters(JoinParts({Part(0, 60, 40), Part(1, 60, 40)}),
                                               JoinParts({Part(0, 60, 40), without, unknown}));
  EXPECT_THAT(change.ranks, SizeIs(1));
  EXPECT_THAT(change.only_before, ElementsAre(1));
  EXPECT_EQ(change.unknown, 1);
}

TEST(CompareClusters, NothingInCommonIsNoChange) {
  const ClusterChange change = CompareClusters(JoinParts({Part(0, 1, 1)}), JoinParts({}));
  EXPECT_THAT(change.ranks, IsEmpty());
  EXPECT_EQ(change.after.step, 0);
}

TEST(CompareClusters, OfTwoRanksNeitherStandsOut) {
  const ClusterChange change = CompareClusters(JoinParts({Part(0, 50, 50), Part(1, 50, 50)}),
                                               JoinParts({Part(0, 50, 50), Part(1, 90, 10)}));
  EXPECT_THAT(Outstanding(change), IsEmpty());
}

TEST(CompareClusters, ARankThatBecameSlowStandsOutInTwentyOfTwenty) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const int rank = static_cast<int>(seed * 7 % 16);
    const ClusterChange change =
        CompareClusters(Made({}, seed), Made({.slow_rank = rank, .factor = 1.2}, seed + 100));
    EXPECT_THAT(Outstanding(change), ElementsAre(rank)) << seed;
  }
}

TEST(CompareClusters, InHealthyClustersNoRankStandsOut) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const ClusterChange change = CompareClusters(Made({}, seed), Made({}, seed + 100));
    EXPECT_THAT(Outstanding(change), IsEmpty()) << seed;
  }
}

TEST(CompareClusters, JsonHasMicrosecondsOfEachRank) {
  const auto json = ClusterChangeToJson(
      CompareClusters(JoinParts({Part(0, 60, 40)}), JoinParts({Part(0, 50, 30)})));
  EXPECT_EQ(json["ranks"][0]["before"]["step_us"], 100'000);
  EXPECT_EQ(json["ranks"][0]["after"]["own_us"], 50'000);
  EXPECT_EQ(json["after"]["communication_us"], 30'000);
  EXPECT_EQ(json["ranks"][0]["stands_out"], false);
}

TEST(Efficiency, IsOfTheMedianStepAndOfAllRanks) {
  RankPart first = Part(0, 60, 40);
  first.groups = {{.id = "1", .name = "dp", .ranks = {0, 1, 2, 3}}};
  const Cluster cluster = JoinParts({first, Part(1, 60, 40), Part(2, 80, 40)});
  const auto efficiency =
      MeasureEfficiency(cluster, {.flops = 40e12, .peak_flops = 400e12, .tokens = 5000});
  ASSERT_TRUE(efficiency);
  EXPECT_EQ(efficiency->step, 100.0 * kMs);
  EXPECT_EQ(efficiency->ranks, 4) << "a missing rank computes, too";
  EXPECT_THAT(*efficiency->flops_per_second, DoubleNear(100e12, 1));
  EXPECT_THAT(*efficiency->mfu, DoubleNear(0.25, 1e-9));
  EXPECT_THAT(*efficiency->tokens_per_second, DoubleNear(50'000, 1e-6));
}

TEST(Efficiency, CountsPreparing) {
  RankPart part = Part(0, 60, 40);
  part.steps[0].preparing = 25 * kMs;
  EXPECT_EQ(MeasureEfficiency(JoinParts({part}), {})->step, 125.0 * kMs);
}

TEST(Efficiency, OfRanksWithoutDeviceStepsIsOfTheHostsSteps) {
  RankPart part;
  part.use.step = 40.0 * kMs;
  EXPECT_EQ(MeasureEfficiency(JoinParts({part}), {})->step, 40.0 * kMs);
}

TEST(Efficiency, WhatIsNotGivenIsNotSaid) {
  const Cluster cluster = JoinParts({Part(0, 60, 40)});
  const auto json = EfficiencyToJson(*MeasureEfficiency(cluster, {.flops = 1e12}));
  EXPECT_TRUE(json.contains("flops_per_second"));
  EXPECT_FALSE(json.contains("mfu"));
  EXPECT_FALSE(json.contains("tokens_per_second"));
  EXPECT_FALSE(MeasureEfficiency(JoinParts({}), {.flops = 1}));
}

}  // namespace
}  // namespace sightline::profiler

// What the ranks of a training have in common at each step.
#include "sightline/runs/ranks/rank_steps.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "sightline/tests/runs/ranks/ranks_of.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::Ranks;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(RankStepsTest, EachStepHasTheMedianAndTheExtremesOfItsRanks) {
  const Ranks ranks(4, 2, [](auto rank, auto step) {
    return static_cast<double>(step == 1 ? rank : rank * rank);
  });
  const RankSteps steps = RankStepsOf(ranks.all());
  EXPECT_THAT(steps.steps, ElementsAre(1, 2));
  EXPECT_THAT(steps.median, ElementsAre(1.5, 2.5)) << "of 0 1 2 3 and of 0 1 4 9";
  EXPECT_THAT(steps.deviation, ElementsAre(1, 2)) << "of 1.5 0.5 0.5 1.5 and of 2.5 1.5 1.5 6.5";
  EXPECT_THAT(steps.low, ElementsAre(0, 0));
  EXPECT_THAT(steps.high, ElementsAre(3, 9));
  EXPECT_THAT(steps.finite, ElementsAre(4, 4));
}

TEST(RankStepsTest, WhatIsNotFiniteIsCountedAndLeftOut) {
  const double values[] = {3, kNaN, kInf, -kInf, 5};
  const Ranks ranks(5, 1, [&](auto rank, auto) { return values[rank]; });
  const RankSteps steps = RankStepsOf(ranks.all());
  EXPECT_THAT(steps.median, ElementsAre(4));
  EXPECT_THAT(steps.finite, ElementsAre(2));
  EXPECT_THAT(steps.nan, ElementsAre(1));
  EXPECT_THAT(steps.pos_inf, ElementsAre(1));
  EXPECT_THAT(steps.neg_inf, ElementsAre(1));
}

TEST(RankStepsTest, AStepWithoutAFiniteValueHasNoMedian) {
  const Ranks ranks(2, 1, [](auto, auto) { return kNaN; });
  const RankSteps steps = RankStepsOf(ranks.all());
  EXPECT_TRUE(std::isnan(steps.median[0]));
  EXPECT_TRUE(std::isnan(steps.low[0]));
  EXPECT_TRUE(std::isnan(steps.deviation[0]));
}

TEST(RankStepsTest, RanksMayRecordDifferentSteps) {
  const Ranks ranks(3, 600, [](auto rank, auto step) {
    return step % (rank + 1) == 0 ? std::optional<double>(rank) : std::nullopt;
  });
  const RankSteps steps = RankStepsOf(ranks.all());
  ASSERT_EQ(steps.size(), 600U);
  EXPECT_EQ(steps.finite[0], 1U) << "step 1";
  EXPECT_EQ(steps.finite[5], 3U) << "step 6";
  EXPECT_EQ(steps.median[5], 1);
  EXPECT_EQ(steps.finite[597], 2U) << "step 598";
}

TEST(RankStepsTest, TheLastValueOfAStepCounts) {
  Ranks ranks(0, 0, {});
  SeriesPoints points;
  for (const double value : {1, 2, 3}) Ranks::Add(points, 7, value);
  ranks.Add({ContentKind::kScalar, "", "loss", 0}, std::move(points));
  const RankSteps steps = RankStepsOf(ranks.all());
  EXPECT_THAT(steps.median, ElementsAre(3));
  EXPECT_THAT(steps.finite, ElementsAre(1));
}

TEST(RankStepsTest, NoRanksHaveNoSteps) { EXPECT_EQ(RankStepsOf({}).size(), 0U); }

}  // namespace
}  // namespace sightline

#include "sightline/collectors/rules/overhead_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sightline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr double kMillisecond = 1e6;

// Steps of 10 ms; recording one takes `light`, and with heavy values `heavy`.
class OverheadBudgetTest : public ::testing::Test {
 protected:
  void Train(int steps) {
    trained = cost = 0;
    for (int i = 0; i < steps; ++i) {
      const bool is_heavy = has_heavy && left_out + 1 >= state.every;
      left_out = is_heavy ? 0 : left_out + 1;
      const StepCost step{10 * kMillisecond, (is_heavy ? heavy : light) * kMillisecond, is_heavy,
                          between * kMillisecond};
      trained += step.trained_nanos;
      cost += step.cost_nanos + step.between_nanos;
      if (const auto change = budget.Charge(step, state)) {
        EXPECT_EQ(change->every, state.every);
        rates.push_back(change->every);
        lowered.push_back(change->lowered);
        overhead = change->overhead;
      }
    }
  }

  const OverheadBudget budget{0.01};
  OverheadState state;
  double light = 0.01;
  double heavy = 1;
  double between = 0;  // Recording outside of steps.
  bool has_heavy = true;
  std::int64_t left_out = 0;
  std::vector<std::int64_t> rates;
  std::vector<bool> lowered;
  double overhead = 0;
  double trained = 0;  // Of the last call of Train.
  double cost = 0;
};

TEST_F(OverheadBudgetTest, LowersTheRateUntilTheCostIsWithinTheBudget) {
  Train(200);
  EXPECT_THAT(rates, ElementsAre(8, 16));
  EXPECT_THAT(lowered, Each(true));
  Train(1600);
  EXPECT_LE(cost / trained, 0.01);
  EXPECT_GE(cost / trained, 0.005);  // And not further than that.
}

TEST_F(OverheadBudgetTest, SaysWhatRecordingTook) {
  Train(4);
  EXPECT_THAT(rates, ElementsAre(8));
  EXPECT_DOUBLE_EQ(overhead, 0.1);
}

TEST_F(OverheadBudgetTest, RaisesItAgainWhenThereIsRoom) {
  Train(200);
  rates.clear();
  lowered.clear();
  heavy = 0.02;
  Train(400);
  EXPECT_THAT(rates, ElementsAre(8, 1));
  EXPECT_THAT(lowered, Each(false));
}

TEST_F(OverheadBudgetTest, ChangesNothingWithinTheBudget) {
  heavy = 0.09;
  Train(10'000);
  EXPECT_THAT(rates, IsEmpty());
}

TEST_F(OverheadBudgetTest, ChangesNothingWhereNothingHeavyIsRecorded) {
  has_heavy = false;
  light = 5;
  Train(10'000);
  EXPECT_THAT(rates, IsEmpty());
}

TEST_F(OverheadBudgetTest, DoesNotSwingAroundTheBudget) {
  heavy = 0.11;  // 1.1 % at every step, 0.6 % at every second one: not well below 1 %.
  Train(100'000);
  EXPECT_THAT(rates, ElementsAre(2));
  heavy = 0.09;  // 0.9 % at every step is too near to try.
  Train(100'000);
  EXPECT_THAT(rates, ElementsAre(2));
}

TEST_F(OverheadBudgetTest, WhereScalarsTakeItAllTheRestIsStillRecordedNowAndThen) {
  light = 1;
  heavy = 2;
  Train(10'000);
  EXPECT_EQ(state.every, 128);
  heavy = 1e6;
  Train(200'000);
  EXPECT_EQ(state.every, OverheadBudget::kLeastRate);
}

TEST_F(OverheadBudgetTest, WhatIsRecordedBetweenTheStepsTakesFromTheRoomOfTheRest) {
  between = 0.08;
  Train(4000);
  EXPECT_LE(cost / trained, 0.01);
  EXPECT_EQ(state.every, 128);  // Not 16: an eighth of the budget is left for histograms.
}

TEST_F(OverheadBudgetTest, OneSlowWriteIsForgotten) {
  heavy = 0.02;
  Train(3);
  heavy = 1000;
  Train(1);
  heavy = 0.02;
  EXPECT_THAT(rates, Each(Le(8)));
  Train(200);
  EXPECT_EQ(state.every, 1);
}

TEST_F(OverheadBudgetTest, ARateThatIsRaisedInVainIsRaisedMoreAndMoreRarely) {
  for (int i = 0; i < 100'000; ++i) {
    heavy = state.every == 1 ? 0.2 : 0.02;  // What is recorded at every step misses some cache.
    Train(1);
  }
  EXPECT_GT(rates.size(), 10U);
  EXPECT_LT(rates.size(), 40U);
}

}  // namespace
}  // namespace sightline

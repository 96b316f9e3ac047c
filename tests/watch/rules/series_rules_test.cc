#include "sightline/watch/rules/series_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "sightline/tests/watch/growing_runs.h"

namespace sightline::watch {
namespace {

using sightline::testing::GrowingRuns;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Values whose median is 2 and whose usual deviation is 0.148.
double Around2(std::int64_t step) { return 2 + 0.1 * static_cast<double>(step % 3 - 1); }

class SeriesRulesTest : public ::testing::Test {
 protected:
  void AddUsual(std::int64_t first, std::int64_t count) {
    for (std::int64_t step = first; step < first + count; ++step)
      runs_.Add("a", "loss", step, Around2(step));
  }

  GrowingRuns runs_;
};

TEST_F(SeriesRulesTest, NanIsToldWithItsTagAndStepAndIsOverAfterTwentyFiniteValues) {
  RunWatch watch = runs_.Watch({"nan"});
  AddUsual(0, 5);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 5, kNan);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("a nan: loss is nan at step 5"));
  runs_.Add("a", "loss", 6, kNan);
  AddUsual(7, 19);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  AddUsual(26, 1);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("over a nan: loss is nan at step 5"));
}

TEST_F(SeriesRulesTest, NanOfManyTagsIsOneEventThatNamesTheFirst) {
  RunWatch watch = runs_.Watch({"nan", "nan(acc)"});
  for (const char* tag : {"acc", "grad/a", "grad/b"}) runs_.Add("a", tag, 3, 1);
  runs_.Look(watch);
  runs_.Add("a", "grad/a", 4, std::numeric_limits<double>::infinity());
  for (const char* tag : {"grad/a", "grad/b"}) runs_.Add("a", tag, 5, kNan);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("a nan: grad/a is inf at step 4, and 1 more tag"));
  runs_.Add("a", "acc", 6, kNan);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("a nan(acc): acc is nan at step 6"));
}

TEST_F(SeriesRulesTest, WhatCameAndWentBetweenTwoLooksIsTold) {
  RunWatch watch = runs_.Watch({"nan"});
  AddUsual(0, 5);
  runs_.Look(watch);
  runs_.Add("a", "loss", 5, kNan);
  AddUsual(6, 100);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("a nan: loss is nan at step 5"));
  AddUsual(106, 1);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("over a nan: loss is nan at step 5"));
}

TEST_F(SeriesRulesTest, ASpikeIsAboveTheMedianByEightUsualDeviations) {
  RunWatch watch = runs_.Watch({"spike(loss)"});
  AddUsual(0, 50);
  runs_.Add("a", "loss", 50, 2 + 7.9 * 0.14826);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 51, 2 + 8.2 * 0.14826);
  const auto events = runs_.Events(watch);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].cause.text, "loss is 3.215732 at step 51; the median of the 51 before is 2");
  EXPECT_EQ(events[0].cause.tag, "loss");
  EXPECT_EQ(events[0].cause.step, 51);
  EXPECT_THAT(events[0].cause.ranks, ElementsAre(0));
}

TEST_F(SeriesRulesTest, TheLimitOfASpikeIsTheSecondArgument) {
  RunWatch watch = runs_.Watch({"spike(loss, 20)"});
  AddUsual(0, 50);
  runs_.Add("a", "loss", 50, 4);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 51, 6);
  EXPECT_EQ(runs_.Look(watch).size(), 1U);
}

TEST_F(SeriesRulesTest, ADropIsNoSpikeNorIsOneAfterFewValues) {
  RunWatch watch = runs_.Watch({"spike(loss)"});
  AddUsual(0, 19);
  runs_.Add("a", "loss", 19, 1000);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  AddUsual(20, 50);
  runs_.Add("a", "loss", 70, -1000);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
}

// Without noise, any change would be infinitely many deviations.
TEST_F(SeriesRulesTest, AValueThatNeverChangedSpikesAboveEightPercent) {
  RunWatch watch = runs_.Watch({"spike(loss)"});
  for (int step = 0; step < 30; ++step) runs_.Add("a", "loss", step, 2);
  runs_.Add("a", "loss", 30, 2.15);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 31, 2.17);
  EXPECT_EQ(runs_.Look(watch).size(), 1U);
}

TEST_F(SeriesRulesTest, APlateauHasNoNewMinimumNorMaximum) {
  RunWatch watch = runs_.Watch({"plateau(loss, 10)"});
  for (int step = 0; step < 20; ++step) runs_.Add("a", "loss", step, 10 - 0.1 * step);
  for (int step = 20; step < 29; ++step) runs_.Add("a", "loss", step, 9);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 29, 9);
  EXPECT_THAT(runs_.Look(watch),
              ElementsAre("a plateau(loss, 10): loss has no new minimum or maximum in 10 recorded"
                          " steps, up to step 29"));
  runs_.Add("a", "loss", 30, 9);
  EXPECT_THAT(runs_.Look(watch), IsEmpty());
  runs_.Add("a", "loss", 31, 7);
  EXPECT_THAT(runs_.Look(watch), ElementsAre(::testing::StartsWith("over a plateau")));
}

TEST_F(SeriesRulesTest, RanksOfOneCauseAreNamedTogether) {
  RunWatch watch = runs_.Watch({"nan"});
  for (int rank = 0; rank < 4; ++rank) runs_.Add("job", rank, "loss", 1, 2);
  runs_.Look(watch);
  for (int rank = 0; rank < 4; ++rank) runs_.Add("job", rank, "loss", 2, rank == 1 ? 2 : kNan);
  EXPECT_THAT(runs_.Look(watch), ElementsAre("job nan: loss is nan at step 2 in ranks 0, 2, 3"));
}

// A training that is resumed from an earlier step records these steps again.
TEST_F(SeriesRulesTest, WhatIsRecordedAgainIsReadAgain) {
  RunWatch watch = runs_.Watch({"nan"});
  AddUsual(0, 10);
  runs_.Add("a", "loss", 10, kNan);
  EXPECT_EQ(runs_.Look(watch).size(), 1U);
  AddUsual(2, 30);  // Between the others: the points are ordered by step.
  EXPECT_THAT(runs_.Look(watch), ElementsAre("over a nan: loss is nan at step 10"));
}

}  // namespace
}  // namespace sightline::watch

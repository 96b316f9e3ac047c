// Two runs, tag by tag and rank by rank.
#include "sightline/runs/compare/run_comparison.h"

#include <gmock/gmock.h>

#include "sightline/tests/runs/compare/made_series.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MadeComparand;
using testing::MadeSeries;
using testing::ValuesOf;

// 1 until the step `leaves`, from which on it is 2.
std::shared_ptr<const Series> One(const std::string& tag, std::int64_t leaves = 1000,
                                  std::int32_t rank = 0) {
  return MadeSeries(ValuesOf(20, [=](auto step) { return step < leaves ? 1.0 : 2.0; }), tag, rank);
}

std::vector<std::string> NamesIn(const RunComparison& found) {
  std::vector<std::string> names;
  for (const ComparedTag& tag : found.tags) names.push_back(tag.tag + "=" + tag.tag_b);
  return names;
}

TEST(RunComparisonTest, TagsAreJoinedByName) {
  const auto a = MadeComparand({One("acc"), One("loss"), One("lr")});
  const auto b = MadeComparand({One("acc"), One("loss"), One("time")});
  const RunComparison found = CompareRuns(a, b, {});
  EXPECT_THAT(NamesIn(found), ElementsAre("acc=acc", "loss=loss"));
  EXPECT_THAT(found.only_in_a, ElementsAre("lr"));
  EXPECT_THAT(found.only_in_b, ElementsAre("time"));
}

TEST(RunComparisonTest, AMissingTagIsNotAlikeAndOneMoreIs) {
  const auto two = MadeComparand({One("acc"), One("loss")});
  const auto one = MadeComparand({One("loss")});
  EXPECT_EQ(CompareRuns(two, two, {}).verdict, RunVerdict::kAlike);
  EXPECT_EQ(CompareRuns(two, one, {}).verdict, RunVerdict::kDiffers);
  EXPECT_EQ(CompareRuns(one, two, {}).verdict, RunVerdict::kAlike);
}

TEST(RunComparisonTest, NamesOfOtherFrameworksAreJoined) {
  const auto a = MadeComparand({One("grad norm"), One("lm loss"), One("x")});
  const auto b = MadeComparand({One("LM-Loss"), One("grad_norm"), One("y")});
  const RunComparison found = CompareRuns(a, b, {});
  EXPECT_THAT(NamesIn(found), ElementsAre("grad norm=grad_norm", "lm loss=LM-Loss"));
  EXPECT_THAT(found.only_in_a, ElementsAre("x")) << "x and y are only joined if they are alone";
  const auto chosen = [](std::string_view tag) { return tag == "x" || tag == "y"; };
  EXPECT_THAT(NamesIn(CompareRuns(a, b, {.tags = chosen})), ElementsAre("x=y"));
}

TEST(RunComparisonTest, AnExactNameIsPreferred) {
  const auto a = MadeComparand({One("lm loss"), One("lm_loss")});
  const RunComparison found = CompareRuns(a, a, {});
  EXPECT_THAT(NamesIn(found), ElementsAre("lm loss=lm loss", "lm_loss=lm_loss"));
}

TEST(RunComparisonTest, WhatLeavesFirstComesFirst) {
  const auto a = MadeComparand({One("a"), One("b"), One("c"), One("d")});
  const auto few = MadeSeries({{100, 1}, {101, 1}}, "b");
  const auto b = MadeComparand({One("a"), few, One("c", 9), One("d", 5)});
  EXPECT_THAT(NamesIn(CompareRuns(a, b, {})), ElementsAre("d=d", "c=c", "b=b", "a=a"));
}

TEST(RunComparisonTest, WhatMeasuresTheMachineIsLeftOutUnlessItIsChosen) {
  const auto a = MadeComparand({One("loss"), One("step_time/auto"), One("system/cpu_percent")});
  const auto b = MadeComparand({One("loss"), One("step_time/auto", 3)});
  const RunComparison found = CompareRuns(a, b, {});
  EXPECT_EQ(found.verdict, RunVerdict::kAlike);
  EXPECT_THAT(found.left_out, ElementsAre("step_time/auto", "system/cpu_percent"));
  EXPECT_THAT(found.only_in_a, IsEmpty());
  const auto all = [](std::string_view) { return true; };
  EXPECT_EQ(CompareRuns(a, b, {.tags = all}).verdict, RunVerdict::kDiffers);
  for (const char* tag :
       {"phase/forward", "samples_per_second/auto", "iteration-time", "throughput",
        "elapsed time per iteration (ms)", "eval_runtime", "B-samples-per-day"}) {
    EXPECT_TRUE(MeasuresSpeed(tag)) << tag;
  }
  for (const char* tag : {"loss", "timestep_loss", "learning-rate", "grad-norm", "my_phase/loss"})
    EXPECT_FALSE(MeasuresSpeed(tag)) << tag;
}

TEST(RunComparisonTest, RanksAreComparedInTurn) {
  const auto a = MadeComparand({One("loss", 1000, 0), One("loss", 1000, 1), One("loss", 1000, 2)});
  const auto b = MadeComparand({One("loss", 1000, 0), One("loss", 9, 1), One("loss", 6, 2)});
  const RunComparison found = CompareRuns(a, b, {});
  ASSERT_EQ(found.tags.size(), 1U);
  EXPECT_EQ(found.tags[0].ranks.size(), 3U);
  EXPECT_EQ(found.tags[0].verdict(), SeriesVerdict::kLeaves);
  EXPECT_EQ(found.tags[0].first().rank, 2);
  EXPECT_EQ(found.verdict, RunVerdict::kDiffers);
}

TEST(RunComparisonTest, AMissingRankIsNotAlike) {
  const auto three =
      MadeComparand({One("loss", 1000, 0), One("loss", 1000, 1), One("loss", 1000, 2)});
  const auto two = MadeComparand({One("loss", 1000, 0), One("loss", 1000, 1)});
  const RunComparison found = CompareRuns(three, two, {});
  EXPECT_EQ(found.verdict, RunVerdict::kDiffers);
  EXPECT_THAT(found.tags[0].only_in_a, ElementsAre(2));
  EXPECT_EQ(CompareRuns(two, three, {}).verdict, RunVerdict::kAlike);
}

// A reference on one device beside a training on several.
TEST(RunComparisonTest, OneRankIsComparedWithThatOfItsNumberOrTheLowest) {
  const auto several = MadeComparand({One("loss", 9, 2), One("loss", 1000, 3)});
  const auto of = [&](std::int32_t rank) {
    return CompareRuns(MadeComparand({One("loss", 1000, rank)}), several, {});
  };
  EXPECT_EQ(of(3).verdict, RunVerdict::kAlike);
  EXPECT_EQ(of(0).verdict, RunVerdict::kDiffers);
  EXPECT_EQ(of(0).tags[0].ranks[0].rank_b, 2);
  EXPECT_THAT(of(0).tags[0].only_in_b, ElementsAre(3));
}

TEST(RunComparisonTest, WithoutACommonTagOrCommonStepsThereIsNothingToCompare) {
  const auto loss = MadeComparand({One("loss")});
  EXPECT_EQ(CompareRuns(loss, MadeComparand({}), {}).verdict, RunVerdict::kNothingToCompare);
  const auto late = MadeComparand({MadeSeries({{100, 1}, {101, 1}}, "loss")});
  EXPECT_EQ(CompareRuns(loss, late, {}).verdict, RunVerdict::kNothingToCompare);
  const auto both = MadeComparand({One("acc"), One("loss")});
  const auto one_late = MadeComparand({One("acc"), MadeSeries({{100, 1}, {101, 1}}, "loss")});
  EXPECT_EQ(CompareRuns(both, one_late, {}).verdict, RunVerdict::kDiffers);
  const auto none = [](std::string_view) { return false; };
  EXPECT_THAT(CompareRuns(loss, loss, {.tags = none}).tags, IsEmpty());
}

}  // namespace
}  // namespace sightline

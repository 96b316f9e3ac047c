// How often SummaryMonitor records: the frequencies of kinds and tags, and the overhead budget.
#include <string>
#include <vector>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/collectors/summary_monitor_fixture.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNan;
using ::testing::SizeIs;
using testing::SummaryMonitorTest;

// What a step of every kind records at steps 1 to 12.
class FrequencyRunTest : public SummaryMonitorTest {
 protected:
  FrequencyRunTest() {
    options.collect_freq = 4;
    options.collect_specified_data = OnlyMetrics();
    options.collect_specified_data.collect_histograms = true;
    options.collect_specified_data.histogram_regular = "fc1.bias";
  }
  std::vector<std::string> Tags() {
    Train(12, [&](StepInfo& info) {
      wanted.push_back(info.wants_tensors);
      info.parameters = network;
      info.tensors.Add("grad/fc", weights.data(), {4});
    });
    std::vector<std::string> tags;
    for (const std::string& value : Recorded())
      tags.push_back(value.substr(0, value.find_first_of(":=")));
    return tags;
  }
  std::vector<bool> wanted;
};

TEST_F(FrequencyRunTest, KindsAndTagsAreRecordedAtTheirOwnSteps) {
  options.frequencies = {{.kind = ValueKind::kHistogram, .every_steps = 6},
                         {.tag = "grad/", .first_steps = 2}};
  EXPECT_THAT(Tags(),
              ElementsAre("1 loss/auto", "1 fc1.bias/auto", "1 grad/fc", "2 grad/fc", "4 loss/auto",
                          "6 fc1.bias/auto", "8 loss/auto", "12 loss/auto", "12 fc1.bias/auto"));
}

TEST_F(FrequencyRunTest, TensorsAreAskedForOnlyWhereOneMayBeRecorded) {
  options.frequencies = {{.kind = ValueKind::kTensor, .every_steps = 8}};
  EXPECT_THAT(Tags(), ::testing::Contains("8 grad/fc"));
  EXPECT_THAT(wanted, ElementsAre(true, false, true, false));  // Steps 1, 4, 8, 12.
}

TEST_F(FrequencyRunTest, AKindIsAskedForOnlyAtTheStepsOfItsFrequency) {
  options.frequencies = {{.kind = ValueKind::kHistogram, .tag = "grad/", .every_steps = 5},
                         {.kind = ValueKind::kHistogram, .every_steps = 6}};
  std::vector<std::string> asked;
  Train(12, [&](StepInfo& info) {
    asked.push_back(std::to_string(info.step) + (info.wants_scalars ? " scalars" : "") +
                    (info.wants_histograms ? " histograms" : ""));
  });
  EXPECT_THAT(asked,
              ElementsAre("1 scalars histograms", "4 scalars", "5 histograms", "6 histograms",
                          "8 scalars", "10 histograms", "12 scalars histograms"));
}

TEST_F(FrequencyRunTest, AFrequencyInSecondsFollowsTheClock) {
  options.frequencies = {{.tag = "grad/", .every_seconds = 5}};
  options.collect_specified_data = Nothing();
  EXPECT_THAT(Tags(), ElementsAre("1 grad/fc", "6 grad/fc", "11 grad/fc"));
}

TEST_F(FrequencyRunTest, SaysBeforehandWhatWouldBeRecorded) {
  options.frequencies = {{.kind = ValueKind::kTensor, .tag = "grad/", .every_steps = 3}};
  SummaryMonitor& run = Monitor();
  EXPECT_TRUE(run.ShouldRecord("grad/fc", 3));
  EXPECT_FALSE(run.ShouldRecord("logits", 3));
  EXPECT_TRUE(run.ShouldRecord("logits", 4));
  EXPECT_FALSE(run.ShouldRecord("grad/fc", 4));
  EXPECT_TRUE(run.ShouldRecord("loss/auto", 4, ValueKind::kScalar));
  EXPECT_FALSE(run.ShouldRecord("input_data/auto", 4, ValueKind::kImage));  // Not collected.
  std::vector<std::string> inside;
  run.EndStep(3, [&](StepInfo&) {
    for (const char* tag : {"grad/fc", "logits"})
      if (run.ShouldRecord(tag, 3)) inside.emplace_back(tag);
  });
  EXPECT_THAT(inside, ElementsAre("grad/fc"));
  EXPECT_FALSE(run.ShouldRecord("grad/fc", 3));  // It is recorded now.
}

// Steps of a second; a histogram takes half of one to fetch.
class BudgetRunTest : public SummaryMonitorTest {
 protected:
  BudgetRunTest() {
    CollectOnly(OnlyMetrics());
    options.max_overhead = 0.1;
  }
  void Run(std::int64_t steps, double fetch_seconds = 0.5) {
    Train(steps, [&](StepInfo& info) {
      if (!info.wants_histograms) return;
      clock.seconds += fetch_seconds;
      info.histograms.Add("grad", weights.data(), {4});
    });
  }
};

TEST_F(BudgetRunTest, LeavesOutHistogramsAndSaysSo) {
  Run(100);
  EXPECT_EQ(said[1],
            "after step 5 histograms, images and tensors are recorded at one in 8 of their steps: "
            "recording took 50 % of the time, more than max_overhead = 10 %");
  const std::int64_t thinned = Monitor().thinned_steps();
  const std::vector<std::string> recorded = Recorded();
  std::int64_t histograms = 0;
  std::int64_t losses = 0;
  for (const std::string& value : recorded) {
    histograms += value.find(" grad:histogram=") != std::string::npos ? 1 : 0;
    losses += value.find(" loss/auto=") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(losses, 100);
  EXPECT_EQ(histograms, 5 + 95 / 8);
  EXPECT_EQ(histograms + thinned, 100);
  EXPECT_THAT(recorded, Contains("5 recording_rate/auto=0.125"));
  EXPECT_THAT(said.back(), HasSubstr("left out histograms, images and tensors of 84 steps, for "
                                     "max_overhead"));
  EXPECT_THAT(said, SizeIs(3));  // Start, one change, end.
}

TEST_F(BudgetRunTest, WhereAllThatIsDueIsLeftOutTheTrainerIsNotAsked) {
  CollectOnly(Nothing());
  options.frequencies = {{.kind = ValueKind::kTensor, .every_steps = 1},
                         {.kind = ValueKind::kScalar, .every_steps = 1000}};
  options.collect_freq = 1000;
  std::vector<std::int64_t> asked;
  Train(20, [&](StepInfo& info) {
    asked.push_back(info.step);
    clock.seconds += 0.5;
    info.tensors.Add("logits", weights.data(), {4});
  });
  EXPECT_THAT(asked, ElementsAre(1, 2, 3, 4, 5, 13));
  EXPECT_EQ(Monitor().thinned_steps(), 14);
}

TEST_F(BudgetRunTest, TagsWithAFrequencyAreThinnedToo) {
  options.frequencies = {{.tag = "grad", .every_steps = 2}};
  Train(40, [&](StepInfo& info) {
    if (!Monitor().ShouldRecord("grad", info.step, ValueKind::kHistogram)) return;
    clock.seconds += 0.5;
    info.histograms.Add("grad", weights.data(), {4});
  });
  // Of 1, 2, 4, 6, ... 40 those up to 8, and one in 4 of the others.
  EXPECT_EQ(Monitor().thinned_steps(), 12);
}

TEST_F(BudgetRunTest, EvaluationsAndCheckpointsAreNeitherTrainingNorRecording) {
  // 20 % of the training; of everything only 1 %.
  for (std::int64_t step = 1; step <= 5; ++step) {
    clock.seconds += 1;
    Monitor().EndStep(step, [&](StepInfo& info) {
      clock.seconds += 0.2;
      info.histograms.Add("grad", weights.data(), {4});
    });
    Monitor().BeginEvaluation();
    clock.seconds += 20;
    Monitor().EndEvaluation(step, {});
  }
  EXPECT_THAT(said, Contains(HasSubstr("recording took 20 % of the time")));
}

TEST_F(BudgetRunTest, WhatIsLoggedBetweenStepsTakesFromTheBudgetToo) {
  // Each tag's first NaN is told, which takes 80 ms here, as logging it does.
  options.on_nonfinite = [this](const NonFinite&) { clock.seconds += 0.08; };
  for (int step = 1; step <= 100; ++step) {
    clock.seconds += 1;
    Monitor().EndStep(step, [&](StepInfo& info) {
      if (!info.wants_histograms) return;
      clock.seconds += 0.05;  // By itself within the budget.
      info.histograms.Add("grad", weights.data(), {4});
    });
    const std::string tag = "note " + std::to_string(step);
    Monitor().Log(step, {{tag, kNan}});
  }
  EXPECT_GT(Monitor().thinned_steps(), 0);
  EXPECT_THAT(said, Contains(HasSubstr("recording took 13 % of the time")));
}

TEST_F(BudgetRunTest, WhatIsLoggedWithinAStepIsCountedOnce) {
  options.on_nonfinite = [this](const NonFinite&) { clock.seconds += 0.06; };
  Train(100, [&](StepInfo& info) {
    const std::string tag = "note " + std::to_string(info.step);
    Monitor().Log(info.step, {{tag, kNan}});
    if (info.wants_histograms) info.histograms.Add("grad", weights.data(), {4});
  });
  EXPECT_EQ(Monitor().thinned_steps(), 0);  // 6 % of the time, not 12 %.
}

TEST_F(BudgetRunTest, SaysBeforehandWhatIsLeftOut) {
  Run(6);
  EXPECT_FALSE(Monitor().ShouldRecord("grad", 7, ValueKind::kHistogram));
  EXPECT_TRUE(Monitor().ShouldRecord("loss/auto", 7, ValueKind::kScalar));
}

TEST_F(BudgetRunTest, WithinTheBudgetNothingIsSaidOrLeftOut) {
  Run(100, 0.05);
  EXPECT_EQ(Monitor().thinned_steps(), 0);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(said, SizeIs(2));
}

}  // namespace
}  // namespace sightline

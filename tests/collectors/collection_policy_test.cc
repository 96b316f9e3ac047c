#include "sightline/collectors/collection_policy.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::CorpusPath;
using ::sightline::testing::ReadFileOrDie;
using ::testing::ElementsAre;
using ::testing::SizeIs;

using Steps = std::vector<std::int64_t>;

constexpr std::int64_t kNever = StepSeries::kNever;
constexpr std::int64_t kSecond = 1'000'000'000;

Steps Collected(const CollectionPolicy& policy, std::int64_t total) {
  Steps steps;
  for (std::int64_t step = 1; step <= total; ++step) {
    if (policy.Collects(step)) steps.push_back(step);
  }
  return steps;
}

Steps TensorSteps(const CollectionRules& rules, std::int64_t until) {
  const CollectionPolicy policy(rules);
  Steps steps;
  for (std::int64_t step = 1; step <= until; ++step) {
    if (policy.CollectsTensors(step)) steps.push_back(step);
  }
  return steps;
}

// The 14 real runs of MindSpore's SummaryCollector. Those in data sink mode count steps on the CPU
// too, so the step rule holds for them; they tell nothing of the epoch rule.
struct RealRun {
  std::string name;
  CollectionRules rules;
  std::int64_t steps = 0;
  std::int64_t steps_per_epoch = 0;
  nlohmann::json recorded;  // "kind:tag" -> steps
};

std::vector<RealRun> RealRuns() {
  std::vector<RealRun> runs;
  for (const auto& setting :
       nlohmann::json::parse(ReadFileOrDie(CorpusPath("mindspore/rules/recorded_steps.json")))) {
    RealRun run;
    const auto epochs = setting["epochs"].get<std::int64_t>();
    run.steps_per_epoch = setting["steps_per_epoch"].get<std::int64_t>();
    run.steps = epochs * run.steps_per_epoch;
    run.rules.collect_freq = setting["collect_freq"].get<std::int64_t>();
    if (!setting["collect_tensor_freq"].is_null()) {
      run.rules.collect_tensor_freq = setting["collect_tensor_freq"].get<std::int64_t>();
    }
    run.rules.total_steps = run.steps;
    run.recorded = setting["recorded"];
    nlohmann::json title = setting;
    title.erase("recorded");
    run.name = title.dump();
    runs.push_back(std::move(run));
  }
  return runs;
}

TEST(CollectionPolicy, RecordsTheTensorStepsOfRealRuns) {
  const std::vector<RealRun> runs = RealRuns();
  EXPECT_THAT(runs, SizeIs(14));
  for (const RealRun& run : runs) {
    EXPECT_EQ(TensorSteps(run.rules, run.steps), run.recorded["tensor:t"].get<Steps>()) << run.name;
  }
}

TEST(CollectionPolicy, RecordsTheOtherStepsOfRealRunsOnceEach) {
  for (const RealRun& run : RealRuns()) {
    const Steps ours = Collected(CollectionPolicy(run.rules), run.steps);
    for (const auto& [tag, recorded] : run.recorded.items()) {
      if (tag == "tensor:t") continue;
      const auto theirs = recorded.get<Steps>();
      // MindSpore's defect: a collected step that ends an epoch is recorded twice by the collector
      // itself.
      for (std::size_t i = 1; i < theirs.size(); ++i) {
        if (theirs[i] == theirs[i - 1]) {
          EXPECT_EQ(theirs[i] % run.steps_per_epoch, 0) << run.name << tag;
        }
      }
      Steps once = theirs;
      once.erase(std::unique(once.begin(), once.end()), once.end());
      EXPECT_EQ(ours, once) << run.name << " " << tag;
    }
  }
}

TEST(CollectionPolicy, CollectsStepOneAndTheMultiples) {
  EXPECT_THAT(Collected(CollectionPolicy({.collect_freq = 10}), 35), ElementsAre(1, 10, 20, 30));
  EXPECT_THAT(Collected(CollectionPolicy({.collect_freq = 1}), 4), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Collected(CollectionPolicy({.collect_freq = 10}), 600), SizeIs(61));
}

TEST(CollectionPolicy, TakesStepZeroOfATrainerThatHasOneForAMultiple) {
  const CollectionPolicy policy({.collect_freq = 10});
  EXPECT_TRUE(policy.Collects(0));
  EXPECT_FALSE(policy.Collects(-10));
  EXPECT_EQ(policy.NextAfter(-7), 0);
}

TEST(CollectionPolicy, RecordsTensorsAtTheirOwnFrequencyWhenGiven) {
  EXPECT_THAT(TensorSteps({.collect_freq = 10, .collect_tensor_freq = 4, .total_steps = 600}, 13),
              ElementsAre(1, 4, 8, 12));
}

TEST(CollectionPolicy, RecordsTensorsWithTheRestOfAShortRun) {
  EXPECT_THAT(TensorSteps({.collect_freq = 10, .total_steps = 20}, 20), ElementsAre(1, 10, 20));
}

TEST(CollectionPolicy, SpreadsTwentyTensorStepsOverALongRun) {
  EXPECT_THAT(TensorSteps({.collect_freq = 10, .total_steps = 1'000'000}, 1'000'000), SizeIs(20));
}

TEST(CollectionPolicy, DoublesTheDistanceOfTensorStepsWhenTheTotalIsUnknown) {
  EXPECT_THAT(TensorSteps({.collect_freq = 10}, 700),
              ElementsAre(1, 10, 20, 40, 80, 160, 320, 640));
}

TEST(CollectionPolicy, NamesTheNextStepOfWhichSomethingIsRecorded) {
  std::mt19937 generator(1);
  const auto random = [&](std::int64_t below) {
    return static_cast<std::int64_t>(generator()) % below;
  };
  for (int round = 0; round < 200; ++round) {
    CollectionRules rules{.collect_freq = 1 + random(12), .total_steps = random(300)};
    if (random(2) == 0) rules.collect_tensor_freq = 1 + random(12);
    const CollectionPolicy policy(rules);
    std::int64_t next = policy.NextAfter(-1);
    for (std::int64_t step = 0; step < 400; ++step) {
      const bool due = policy.Collects(step) || policy.CollectsTensors(step);
      ASSERT_EQ(due, step == next) << "step " << step << ", freq " << rules.collect_freq;
      if (due) next = policy.NextAfter(step);
      ASSERT_EQ(policy.NextAfter(step), next);
    }
  }
}

TEST(CollectionPolicy, HasNoNextStepWhereStepsEnd) {
  EXPECT_EQ((StepSeries{.period = 3}.NextAfter(kNever - 1)), kNever);
  EXPECT_EQ((StepSeries{.period = 3, .last = 9}.NextAfter(9)), kNever);
  EXPECT_EQ((StepSeries{.period = kNever - 1}.NextAfter(1)), kNever - 1);
  EXPECT_EQ((StepSeries{.period = 1, .doubling = true}.NextAfter(kNever - 1)), kNever);
}

// Decide, with the state that a run keeps.
class CollectionDecide : public ::testing::Test {
 protected:
  CollectionDecision At(std::int64_t step, std::int64_t seconds) {
    return policy.Decide(step, seconds * kSecond, state);
  }

  CollectionPolicy policy{{.collect_freq = 10, .collect_tensor_freq = 15}};
  CollectionState state;
};

TEST_F(CollectionDecide, TellsTensorsFromTheRest) {
  EXPECT_TRUE(At(10, 0).collect);
  EXPECT_FALSE(At(20, 0).collect_tensors);
  EXPECT_TRUE(At(30, 0).collect);
  EXPECT_TRUE(At(45, 0).collect_tensors);
  EXPECT_FALSE(At(60 + 15, 0).collect);
  EXPECT_TRUE(At(77, 0).nothing());
}

TEST_F(CollectionDecide, RecordsAStepOnce) {
  EXPECT_FALSE(At(10, 0).nothing());
  EXPECT_TRUE(At(10, 1).nothing());
  EXPECT_FALSE(At(20, 2).nothing());
}

TEST_F(CollectionDecide, RecordsAgainAfterARestart) {
  EXPECT_FALSE(At(20, 0).nothing());
  EXPECT_FALSE(At(10, 1).nothing());
  EXPECT_FALSE(At(20, 2).nothing());
}

TEST_F(CollectionDecide, GivesTheMeanTimeOfTheStepsBetween) {
  EXPECT_EQ(At(10, 100).seconds_per_step, std::nullopt);
  EXPECT_EQ(At(20, 105).seconds_per_step, 0.5);
}

TEST_F(CollectionDecide, LeavesPausesOutOfTheStepTime) {
  EXPECT_TRUE(At(10, 100).collect);
  state.paused_nanos = 4 * kSecond;
  EXPECT_EQ(At(20, 105).seconds_per_step, 0.1);
  EXPECT_EQ(At(30, 106).seconds_per_step, 0.1);
}

TEST_F(CollectionDecide, HasNoStepTimeRightAfterARestart) {
  EXPECT_TRUE(At(20, 100).collect);
  EXPECT_EQ(At(10, 105).seconds_per_step, std::nullopt);
}

}  // namespace
}  // namespace sightline

#include "sightline/collectors/rules/collection_policy.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "sightline/collectors/rules/frequency_table.h"
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
  EXPECT_TRUE(At(10, 0).due[kRestSource]);
  EXPECT_FALSE(At(20, 0).due[kTensorSource]);
  EXPECT_TRUE(At(30, 0).due[kRestSource]);
  EXPECT_TRUE(At(45, 0).due[kTensorSource]);
  EXPECT_FALSE(At(60 + 15, 0).due[kRestSource]);
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
  EXPECT_TRUE(At(10, 100).due[kRestSource]);
  state.paused_nanos = 4 * kSecond;
  EXPECT_EQ(At(20, 105).seconds_per_step, 0.1);
  EXPECT_EQ(At(30, 106).seconds_per_step, 0.1);
}

TEST_F(CollectionDecide, HasNoStepTimeRightAfterARestart) {
  EXPECT_TRUE(At(20, 100).due[kRestSource]);
  EXPECT_EQ(At(10, 105).seconds_per_step, std::nullopt);
}

// The steps of 1 to `total` at which the first frequency records; a step takes `seconds`.
Steps FrequencySteps(const Frequency& frequency, std::int64_t total, double seconds = 1) {
  const CollectionPolicy policy({.collect_freq = 1'000'000, .frequencies = {frequency}});
  CollectionState state;
  Steps steps;
  for (std::int64_t step = 1; step <= total; ++step) {
    const auto now = static_cast<std::int64_t>(static_cast<double>(step) * seconds * 1e9);
    if (policy.Decide(step, now, state).due[kFrequencySources]) steps.push_back(step);
  }
  return steps;
}

TEST(CollectionFrequency, EveryStepsAreStepOneAndTheMultiples) {
  EXPECT_THAT(FrequencySteps({.tag = "t", .every_steps = 10}, 35), ElementsAre(1, 10, 20, 30));
}

TEST(CollectionFrequency, FirstStepsAreAllRecorded) {
  EXPECT_THAT(FrequencySteps({.tag = "t", .first_steps = 3}, 100), ElementsAre(1, 2, 3));
  EXPECT_THAT(FrequencySteps({.tag = "t", .every_steps = 4, .first_steps = 5}, 13),
              ElementsAre(1, 2, 3, 4, 5, 8, 12));
}

TEST(CollectionFrequency, EverySecondsCountFromTheLastRecordedStep) {
  EXPECT_THAT(FrequencySteps({.tag = "t", .every_seconds = 30}, 100), ElementsAre(1, 31, 61, 91));
  EXPECT_THAT(FrequencySteps({.tag = "t", .every_seconds = 30}, 10, 20),
              ElementsAre(1, 3, 5, 7, 9));
  EXPECT_THAT(FrequencySteps({.tag = "t", .every_steps = 40, .every_seconds = 30}, 100),
              ElementsAre(1, 31, 40, 70, 80));
}

TEST(CollectionFrequency, AKindWithAFrequencyOfItsOwnLeavesTheRules) {
  const CollectionPolicy policy(
      {.collect_freq = 10,
       .total_steps = 600,
       .frequencies = {{.kind = ValueKind::kTensor, .every_steps = 250},
                       {.kind = ValueKind::kHistogram, .every_steps = 100}}});
  EXPECT_FALSE(policy.CollectsTensors(31));
  EXPECT_TRUE(policy.Collects(30));
  CollectionState state;
  const CollectionDecision decision = policy.Decide(30, 0, state);
  EXPECT_TRUE(decision.Records(ValueKind::kScalar, FrequencyTable::kNone));
  EXPECT_FALSE(decision.Records(ValueKind::kHistogram, 1));
  EXPECT_TRUE(policy.Decide(100, 0, state).Records(ValueKind::kHistogram, 1));
  EXPECT_TRUE(policy.Decide(250, 0, state).Records(ValueKind::kTensor, 0));
}

TEST(CollectionFrequency, WhereEveryKindHasOneNothingElseIsDue) {
  std::vector<Frequency> all;
  for (const ValueKind kind : kStepKinds) all.push_back({.kind = kind, .every_steps = 70});
  const CollectionPolicy policy({.collect_freq = 10, .frequencies = all});
  EXPECT_EQ(policy.NextAfter(1), 70);
  EXPECT_FALSE(policy.Collects(10));
}

TEST(CollectionFrequency, AKindKeepsTheRulesWhereOnlySomeTagsLeaveThem) {
  const CollectionPolicy policy(
      {.collect_freq = 10,
       .frequencies = {{.kind = ValueKind::kTensor, .tag = "grad/.*", .every_steps = 7}}});
  EXPECT_TRUE(policy.CollectsTensors(10));
  EXPECT_EQ(policy.NextAfter(1), 7);
  EXPECT_EQ(policy.NextAfter(7), 10);
}

TEST(CollectionFrequency, PeekingChangesNothing) {
  const CollectionPolicy policy(
      {.collect_freq = 10, .frequencies = {{.tag = "t", .every_seconds = 5}}});
  CollectionState state;
  EXPECT_TRUE(policy.Peek(3, 0, state).due[kFrequencySources]);
  EXPECT_TRUE(policy.Peek(3, 0, state).due[kFrequencySources]);
  EXPECT_TRUE(policy.Decide(3, 0, state).due[kFrequencySources]);
  EXPECT_TRUE(policy.Peek(4, kSecond, state).nothing());
}

// Steps of a millisecond, 30 s: the clock is read at few of them, and no value comes late by more
// than 64.
TEST(CollectionFrequency, LooksAtTheClockAtFewSteps) {
  const CollectionPolicy policy(
      {.collect_freq = 1'000'000, .frequencies = {{.tag = "t", .every_seconds = 30}}});
  CollectionState state;
  Steps recorded;
  int looks = 0;
  std::int64_t next = 1;
  for (std::int64_t step = 1; step <= 100'000; ++step) {
    if (step < next) continue;
    ++looks;
    if (policy.Decide(step, step * 1'000'000, state).due[kFrequencySources])
      recorded.push_back(step);
    next = policy.NextAfter(step, state);
    ASSERT_LE(next, step + 64);
  }
  ASSERT_THAT(recorded, SizeIs(4));
  EXPECT_LT(looks, 2'000);
  for (std::size_t i = 1; i < recorded.size(); ++i) {
    EXPECT_GE(recorded[i], recorded[i - 1] + 30'000);
    EXPECT_LE(recorded[i], recorded[i - 1] + 30'064);
  }
}

TEST(CollectionFrequency, CountsWhatItLists) {
  for (const StepSeries& series :
       {StepSeries{.period = 4, .first = 5}, StepSeries{.period = 1, .last = 3, .first = 3},
        StepSeries{.period = 7, .last = 20, .first = 9},
        StepSeries{.period = 3, .doubling = true}}) {
    for (std::int64_t total = 0; total < 40; ++total) {
      const Steps steps = series.StepsTo(total);
      EXPECT_EQ(series.CountTo(total), static_cast<std::int64_t>(steps.size())) << total;
      for (std::int64_t step = 1; step <= total; ++step) {
        const bool listed = std::find(steps.begin(), steps.end(), step) != steps.end();
        EXPECT_EQ(series.Contains(step), listed) << step;
      }
    }
  }
}

// A training of steps of 10 ms whose recording takes 1 ms where heavy values are recorded.
class CollectionBudget : public ::testing::Test {
 protected:
  static constexpr std::int64_t kMillisecond = 1'000'000;

  // Steps at which values of `kind` were recorded, as far as `until`. `brings`: the sources that
  // have heavy values.
  Steps Recorded(const CollectionPolicy& policy, ValueKind kind, ValueSources brings,
                 std::int64_t until, int frequency = FrequencyTable::kNone) {
    Steps steps;
    for (; step <= until; ++step) {
      now += 10 * kMillisecond;
      EXPECT_EQ(policy.Peek(step, now, state).thinned, Thinned(policy));
      const CollectionDecision decision = policy.Decide(step, now, state);
      if (decision.nothing()) continue;
      if (decision.Records(kind, frequency)) steps.push_back(step);
      const ValueSources heavy = decision.due & ~decision.thinned & brings;
      now += heavy.any() ? kMillisecond : 0;
      if (const auto change = policy.Charge(decision, heavy, now, state))
        rates.push_back(change->every);
    }
    return steps;
  }
  ValueSources Thinned(const CollectionPolicy& policy) const {
    CollectionState copy = state;
    return policy.Decide(step, now, copy).thinned;
  }
  static ValueSources From(std::size_t source) { return ValueSources().set(source); }

  CollectionState state;
  std::int64_t step = 1;
  std::int64_t now = 0;
  std::vector<std::int64_t> rates;
};

TEST_F(CollectionBudget, ThinsHeavyValuesAndNeverScalars) {
  const CollectionPolicy policy({.collect_freq = 1, .max_overhead = 0.01});
  EXPECT_THAT(Recorded(policy, ValueKind::kHistogram, From(kRestSource), 1000).size(),
              ::testing::AllOf(::testing::Gt(50), ::testing::Lt(150)));
  EXPECT_THAT(Recorded(policy, ValueKind::kScalar, From(kRestSource), 1100), SizeIs(100));
  EXPECT_THAT(rates, ElementsAre(8, 16));
}

TEST_F(CollectionBudget, WithoutOneNothingIsThinned) {
  const CollectionPolicy policy({.collect_freq = 1});
  EXPECT_FALSE(policy.has_budget());
  for (; step <= 100; ++step)
    EXPECT_TRUE(policy.Decide(step, now += kSecond, state).thinned.none());
}

TEST_F(CollectionBudget, ThinsEverySourceOfItsOwnSteps) {
  // Were the steps of both counted together, tensors would never have their turn: heavy values are
  // recorded at one in 8 steps, and tensors are due at others of these.
  const CollectionPolicy policy(
      {.collect_freq = 1, .collect_tensor_freq = 8, .max_overhead = 0.02});
  const Steps tensors =
      Recorded(policy, ValueKind::kTensor, From(kRestSource) | From(kTensorSource), 4000);
  EXPECT_THAT(rates, ElementsAre(8));
  EXPECT_GT(tensors.size(), 4000U / 8 / 8 - 2);
  EXPECT_LT(tensors.size(), 4000U / 8 / 8 + 5);
}

TEST_F(CollectionBudget, LeavesASourceAloneThatBringsNothingHeavy) {
  const CollectionPolicy policy({.collect_freq = 1,
                                 .frequencies = {{.tag = "grad/", .every_steps = 2}},
                                 .max_overhead = 0.01});
  const ValueSources grad = From(kFrequencySources);
  EXPECT_THAT(Recorded(policy, ValueKind::kTensor, grad, 1000, 0).size(), ::testing::Lt(150));
  EXPECT_GT(rates.size(), 0U);
  EXPECT_FALSE(policy.Peek(step, now, state).thinned[kRestSource]);
}

TEST_F(CollectionBudget, AFrequencyInSecondsIsThinnedByItsTurnsNotByItsLooks) {
  const CollectionPolicy policy(
      {.collect_freq = 1'000'000,
       .frequencies = {{.kind = ValueKind::kTensor, .every_seconds = 0.05}},
       .max_overhead = 0.01});
  const Steps steps = Recorded(policy, ValueKind::kTensor, From(kFrequencySources), 2000, 0);
  ASSERT_THAT(rates, ElementsAre(2));
  ASSERT_GT(steps.size(), 10U);
  EXPECT_EQ(steps.back() - steps[steps.size() - 2], 10);  // 0.1 s.
}

}  // namespace
}  // namespace sightline

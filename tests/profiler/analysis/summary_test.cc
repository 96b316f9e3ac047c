#include "sightline/profiler/analysis/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "sightline/profiler/analysis/ranks.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::ImportEvents;
using ::testing::IsEmpty;
using ::testing::Not;

// A training as a trace has it. Times in microseconds.
struct Training {
  int steps = 30;
  int first = 1000;  // The first step's computing.
  int compute = 1000;
  int wait = 20;
  int communicate = 50;
  std::function<int(int step)> matmul = [](int) { return 100; };
  std::function<int(int layer)> layer = [](int) { return 100; };  // Of layers 0 to 3.
  std::function<double(int step)> memory = [](int) { return 5e8; };
};

class Events {
 public:
  void Span(const char* category, const std::string& name, int duration,
            const std::string& shapes = "") {
    Add(R"("ph":"X","cat":")" + std::string(category) + R"(","name":")" + name + R"(","dur":)" +
        std::to_string(duration) +
        (shapes.empty() ? "" : R"(,"args":{"Input Dims":")" + shapes + "\"}"));
  }
  void Counter(const std::string& name, double value) {
    Add(R"("ph":"C","name":")" + name + R"(","args":{"value":)" + std::to_string(value) + "}");
  }
  int time = 0;
  std::string text;

 private:
  void Add(const std::string& event) {
    text += (text.empty() ? "" : ",") + ("{" + event) + R"(,"pid":1,"tid":1,"ts":)" +
            std::to_string(time) + "}";
  }
};

Profile ProfileOf(const Training& training) {
  Events events;
  for (int step = 0; step < training.steps; ++step) {
    events.Span("data", "next", training.wait);
    events.time += training.wait;
    int left = step == 0 ? training.first : training.compute;
    events.Span("step", "step " + std::to_string(step + 1), left + training.communicate);
    events.Counter("system/memory_bytes", training.memory(step));
    const int matmul = training.matmul(step);
    events.Span("operator", "MatMul", matmul);
    events.time += matmul;
    left -= matmul;
    for (int layer = 0; layer < 4; ++layer) {
      events.Span("operator", "fc" + std::to_string(layer) + "/Dense-op1", training.layer(layer));
      events.time += training.layer(layer);
      left -= training.layer(layer);
    }
    events.time += std::max(left, 0);
    events.Span("communication", "all reduce", training.communicate);
    events.time += training.communicate + 5;
  }
  return ImportEvents(events.text);
}

MATCHER_P(OfRule, rule, "") { return arg.rule == rule; }

void ExpectFirst(const std::vector<Finding>& found, const std::string& rule) {
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, rule);
  for (const Finding& one : found) {
    EXPECT_FALSE(one.what.empty() || one.evidence.empty() || one.change.empty());
    EXPECT_GT(one.share, 0);
    EXPECT_LE(one.share, 1);
  }
}

TEST(Summary, OfAHealthyTrainingIsEmpty) { EXPECT_THAT(Summarize(ProfileOf({})), IsEmpty()); }

TEST(Summary, NamesDataThatTheStepsWaitFor) {
  const auto found = Summarize(ProfileOf({.wait = 500}));
  ExpectFirst(found, "data-wait");
  EXPECT_THAT(found.front().evidence, HasSubstr("waits 0.50 ms of its 1.55 ms"));
}

// Each batch finds the queue empty, as with one worker that is as fast as the training.
TEST(Summary, OfEmptyQueuesSaysOnlyWhatTheStepsWait) {
  BatchRecord batch;
  batch.get = batch.total = 20'000;
  batch.queue_capacity = 4;
  Profile fast = ProfileOf({});
  fast.data.batches.assign(30, batch);
  EXPECT_THAT(Summarize(fast), IsEmpty());
  Profile slow = ProfileOf({.wait = 500});
  slow.data.batches.assign(30, batch);
  const auto found = Summarize(slow);
  ExpectFirst(found, "data-wait");
  EXPECT_LT(found.front().share, 0.5);
  EXPECT_THAT(found.front().evidence, HasSubstr("30 of 30 batches found the queue empty"));
}

TEST(Summary, NamesASlowFirstStep) {
  const auto found = Summarize(ProfileOf({.first = 20'000}));
  ExpectFirst(found, "first-step");
  EXPECT_THAT(found.front().evidence, HasSubstr("20.05 ms, the others 1.05 ms"));
}

TEST(Summary, SaysNothingOfAFirstStepThatALongTrainingOutweighs) {
  EXPECT_THAT(Summarize(ProfileOf({.steps = 300, .first = 10'000})), IsEmpty());
}

TEST(Summary, NamesAnOperatorThatBecomesSlower) {
  const auto found =
      Summarize(ProfileOf({.matmul = [](int step) { return step < 20 ? 100 : 220; }}));
  ExpectFirst(found, "slow-operator");
  EXPECT_EQ(found.front().subject, "MatMul");
}

TEST(Summary, SaysNothingOfAnOperatorWhereTheWholeMachineBecomesSlower) {
  std::string events;
  int time = 0;
  for (int step = 0; step < 60; ++step) {
    for (const char* name : {"MatMul", "ReLU", "BiasAdd"}) {
      const int duration = step < 30 ? 100 : 200;
      events += std::string(events.empty() ? "" : ",") +
                R"({"ph":"X","cat":"operator","tid":1,"name":")" + name + R"(","ts":)" +
                std::to_string(time) + R"(,"dur":)" + std::to_string(duration) + "}";
      time += duration;
    }
  }
  EXPECT_THAT(Summarize(ImportEvents(events)), IsEmpty());
}

TEST(Summary, NamesAnOperatorThatIsSlowerThanBefore) {
  const Profile before = ProfileOf({});
  const Profile now = ProfileOf({.matmul = [](int) { return 200; }});
  EXPECT_THAT(Summarize(now), IsEmpty());
  const auto found = Summarize(now, &before);
  ExpectFirst(found, "slow-operator");
  EXPECT_EQ(found.front().subject, "MatMul");
  EXPECT_THAT(Summarize(before, &now), IsEmpty());
}

TEST(Summary, NamesMemoryThatGrowsFromStepToStep) {
  const auto found = Summarize(ProfileOf({.memory = [](int step) { return 5e8 + 2e7 * step; }}));
  ExpectFirst(found, "memory-growth");
  EXPECT_EQ(found.front().subject, "system/memory_bytes/value");
}

TEST(Summary, SaysNothingOfMemoryThatIsTakenAtFirstOrFallsBack) {
  EXPECT_THAT(
      Summarize(ProfileOf({.memory = [](int step) { return step < 6 ? 1e8 * (step + 1) : 6e8; }})),
      IsEmpty());
  EXPECT_THAT(Summarize(ProfileOf({.memory = [](int step) { return 5e8 + 1e8 * (step % 5); }})),
              IsEmpty());
}

// Of 50 samples the first 10 are skipped; each eighth of the others has 5.
std::function<double(int)> MemoryBySteps(const std::vector<double>& eighths) {
  return [eighths](int step) {
    return step < 10 ? 1e8 : eighths.at(static_cast<std::size_t>(step - 10) / 5);
  };
}

std::vector<Finding> SummaryOfMemory(const std::vector<double>& eighths) {
  return Summarize(ProfileOf({.steps = 50, .memory = MemoryBySteps(eighths)}));
}

TEST(Summary, CallsALeakWhatRisesInAllEighthsButOne) {
  const auto found = SummaryOfMemory({5e8, 6e8, 7e8, 7e8, 8e8, 9e8, 9.5e8, 10e8});
  ExpectFirst(found, "memory-growth");
  EXPECT_NEAR(found.front().share, 0.5, 1e-9) << "its growth by its last value";
  EXPECT_THAT(found.front().evidence, HasSubstr("rose from 500.0 to 1000.0 million"));
  EXPECT_THAT(SummaryOfMemory({5e8, 6e8, 7e8, 7e8, 8e8, 8e8, 9e8, 10e8}), IsEmpty());
}

// A step takes memory and gives it back: what counts is what is left, the least of each eighth.
TEST(Summary, CallsALeakWhatIsLeftBehindThePeaks) {
  const auto left = MemoryBySteps({5e8, 6e8, 7e8, 7.5e8, 8e8, 9e8, 9.5e8, 10e8});
  const auto found = Summarize(ProfileOf(
      {.steps = 50, .memory = [&](int step) { return step % 5 == 3 ? left(step) : 3e9; }}));
  ExpectFirst(found, "memory-growth");
  EXPECT_THAT(found.front().evidence, HasSubstr("rose from 500.0 to 1000.0 million"));
}

TEST(Summary, CallsNoLeakWhatHasStoppedToGrowAtTheEnd) {
  EXPECT_THAT(SummaryOfMemory({5e8, 6e8, 7e8, 7.5e8, 8e8, 9e8, 10e8, 10e8}), IsEmpty());
  EXPECT_THAT(SummaryOfMemory({5e8, 6e8, 7e8, 7.5e8, 8e8, 9e8, 10e8, 9e8}), IsEmpty());
}

// As a program does that warms up, or takes a buffer once.
TEST(Summary, CallsNoLeakWhatHardlyGrowsInTheLastHalf) {
  EXPECT_THAT(SummaryOfMemory({5e8, 6e8, 6.1e8, 6.2e8, 6.3e8, 6.4e8, 6.45e8, 6.5e8}), IsEmpty());
  ExpectFirst(SummaryOfMemory({5e8, 6e8, 6.1e8, 6.2e8, 6.3e8, 6.4e8, 6.5e8, 6.7e8}),
              "memory-growth");
}

TEST(Summary, CallsNoLeakWhatRisesByATenthOrLess) {
  EXPECT_THAT(SummaryOfMemory({5e8, 5.1e8, 5.2e8, 5.3e8, 5.35e8, 5.4e8, 5.45e8, 5.5e8}), IsEmpty());
  ExpectFirst(SummaryOfMemory({5e8, 5.1e8, 5.2e8, 5.3e8, 5.35e8, 5.4e8, 5.45e8, 5.6e8}),
              "memory-growth");
}

TEST(Summary, CallsALeakOfTenSamplesOrMore) {
  const auto memory = [](int step) { return 5e8 + 1e8 * step; };
  ExpectFirst(Summarize(ProfileOf({.steps = 10, .memory = memory})), "memory-growth");
  EXPECT_THAT(Summarize(ProfileOf({.steps = 9, .memory = memory})), IsEmpty());
}

// Steps as MindSpore records them: `gap` microseconds without an operator, and `work`.
Profile Recorded(int steps, int gap, int work) {
  Profile profile;
  for (int step = 0; step < steps; ++step) {
    const std::int64_t start = step * (gap + work) * 1000LL;
    profile.steps.push_back({.number = step + 1,
                             .start = start,
                             .end = start + (gap + work) * 1000LL,
                             .forward_start = start + gap * 1000LL,
                             .backward_end = std::nullopt,
                             .communication = {}});
  }
  return profile;
}

TEST(Summary, NamesStepsWhoseFirstOperatorComesLate) {
  const auto found = Summarize(Recorded(10, 600, 1000));
  ExpectFirst(found, "late-start");
  EXPECT_NEAR(found.front().share, 600 / 1600.0, 1e-9);
  EXPECT_THAT(found.front().evidence, HasSubstr("0.60 ms of a step, 38 % of it"));
  ExpectFirst(Summarize(Recorded(4, 600, 1000)), "late-start");
  EXPECT_THAT(Summarize(Recorded(3, 600, 1000)), IsEmpty());
}

// An operator that runs again may be the begin of a step, or not.
TEST(Summary, FindsNothingByStepsThatAreOnlyInferred) {
  Events events;
  for (int step = 0; step < 10; ++step) {
    events.Span("operator", "MatMul", step == 0 ? 90'000 : 1000);
    events.time += (step == 0 ? 90'000 : 1000) + 600;
  }
  const Profile profile = ImportEvents(events.text);
  EXPECT_EQ(AnalyzeSteps(profile).source, StepSource::kInferred);
  EXPECT_THAT(Summarize(profile), IsEmpty());
}

TEST(Summary, CallsNoMarkedStepLate) {
  Events events;
  for (int step = 0; step < 10; ++step) {
    events.time = step * 2000;
    events.Span("step", "step " + std::to_string(step), 2000);
    events.time += 1500;
    events.Span("operator", "MatMul", 400);
  }
  EXPECT_THAT(Summarize(ImportEvents(events.text)), IsEmpty());
}

TEST(Summary, CallsAStartLateBehindHalfAMillisecondAnd30Percent) {
  EXPECT_THAT(Summarize(Recorded(10, 500, 500)), IsEmpty());
  ExpectFirst(Summarize(Recorded(10, 501, 500)), "late-start");
  EXPECT_THAT(Summarize(Recorded(10, 3000, 7000)), IsEmpty());
  ExpectFirst(Summarize(Recorded(10, 3010, 6990)), "late-start");
}

TEST(Summary, NamesAnOperatorThatIsSlowerThanTheOthersOfItsTypeAndShapes) {
  const auto found =
      Summarize(ProfileOf({.layer = [](int layer) { return layer == 2 ? 160 : 100; }}));
  EXPECT_THAT(found, IsEmpty()) << "without shapes it is unknown whether they do the same";
}

// Three layers of one type; of the slow third one these shapes in turn. `pause`: microseconds
// between two steps.
Profile Layers(int slow, const std::vector<std::string>& shapes, int pause = 0) {
  Events events;
  for (std::size_t step = 0; step < 12; ++step) {
    for (int layer = 0; layer < 3; ++layer) {
      const int duration = layer == 2 ? slow : 100;
      events.Span("operator", "fc" + std::to_string(layer) + "/Dense-op1", duration,
                  layer == 2 ? shapes[step % shapes.size()] : "[32, 10]");
      events.time += duration;
    }
    events.time += pause;
  }
  return ImportEvents(events.text);
}

// torch.compile's kernels may have the type and the shapes of the host's operators.
TEST(Summary, ComparesOperatorsOfTheHostWithThoseOfTheHost) {
  const auto layers = [](int device) {
    std::string text;
    for (int i = 0; i < 36; ++i) {
      const int layer = i % 3;
      text += (text.empty() ? "" : ",") +
              (R"({"ph":"X","cat":"cpu_op","pid":1,"tid":1,"name":"fc)" + std::to_string(layer)) +
              R"(/Dense-op1","ts":)" + std::to_string(i * 200) + R"(,"dur":)" +
              (layer == 2 ? "160" : "100") + R"(,"args":{"Input Dims":"[32, 10]"}})";
      text += R"(,{"ph":"X","cat":"kernel","pid":2,"tid":7,"name":"k)" + std::to_string(layer) +
              R"(/Dense-op1","ts":)" + std::to_string(i * 200) + R"(,"dur":)" +
              std::to_string(device) + R"(,"args":{"Input Dims":"[32, 10]"}})";
    }
    for (const Finding& one : Summarize(ImportEvents(text)))
      if (one.rule == "slow-operator") return one;
    return Finding();
  };
  const Finding found = layers(190);
  EXPECT_EQ(found.subject, "fc2/Dense-op1");
  EXPECT_THAT(found.evidence, HasSubstr("the 2 others"));
  EXPECT_NEAR(found.share, 60.0 / 360, 1e-9) << "of the host's operators";
}

TEST(Summary, ComparesOperatorsWhoseShapesAreAlwaysTheSame) {
  const auto found = Summarize(Layers(160, {"[32, 10]"}));
  ExpectFirst(found, "slow-operator");
  EXPECT_EQ(found.front().subject, "fc2/Dense-op1");
  EXPECT_THAT(Summarize(Layers(150, {"[32, 10]"})), IsEmpty()) << "1.5 times is the bar";
  EXPECT_THAT(Summarize(Layers(160, {"[64, 10]"})), IsEmpty()) << "it has more to do";
}

// The slow one takes 60 us too long in each step.
TEST(Summary, SaysNothingOfAnOperatorThatIsLittleOfTheTime) {
  const auto rules_with_pause = [](int pause) {
    std::vector<std::string> rules;
    for (const Finding& one : Summarize(Layers(160, {"[32, 10]"}, pause)))
      rules.push_back(one.rule);
    return rules;
  };
  EXPECT_THAT(rules_with_pause(2'000), Contains("slow-operator"));
  EXPECT_THAT(rules_with_pause(4'000), Not(Contains("slow-operator")));
}

TEST(Summary, LeavesOutOperatorsWhoseShapesVary) {
  EXPECT_THAT(Summarize(Layers(160, {"[64, 10]", "[32, 10]"})), IsEmpty());
  EXPECT_THAT(Summarize(Layers(160, {"[32, 10]", "[64, 10]", "[32, 10]", "[32, 10]"})), IsEmpty());
}

// `count` executions in the first third, as many of `late` microseconds in the last one.
std::vector<Finding> SummaryOfThirds(int count, int late) {
  Events events;
  for (int third = 0; third < 3; ++third) {
    for (int i = 0; i < count; ++i) {
      events.time = third * 12'000 + i * 400;
      events.Span("operator", "MatMul", third == 2 ? late : 100);
    }
  }
  events.time = 36'000 - 1;
  events.Span("runtime", "end", 1);
  return Summarize(ImportEvents(events.text));
}

TEST(Summary, CallsAnOperatorSlowerWhereItRuns8TimesInEachThird) {
  ExpectFirst(SummaryOfThirds(8, 200), "slow-operator");
  EXPECT_THAT(SummaryOfThirds(7, 200), IsEmpty());
  ExpectFirst(SummaryOfThirds(8, 150), "slow-operator");
  EXPECT_THAT(SummaryOfThirds(8, 149), IsEmpty());
}

TEST(Summary, NamesTheThreeThatCostMost) {
  const auto found = Summarize(
      ProfileOf({.first = 40'000, .wait = 400, .communicate = 300, .memory = [](int step) {
                   return 5e8 + 4e6 * step;
                 }}));
  ASSERT_EQ(found.size(), kMaxFindings);
  EXPECT_EQ(found[0].rule, "first-step");
  EXPECT_EQ(found[1].rule, "data-wait");
  EXPECT_EQ(found[2].rule, "communication");
}

// The steps of all ranks are as long as the slowest one's.
std::vector<RankUse> Ranks(int slow, int slow_wait) {
  std::vector<RankUse> ranks;
  for (int rank = 0; rank < 4; ++rank) {
    const bool is_slow = rank == 2;
    ranks.push_back(
        MeasureRank(ProfileOf({.compute = is_slow ? slow : 1000,
                               .wait = is_slow ? slow_wait : 20,
                               .communicate = 20 + (is_slow ? 0 : slow - 1000 + slow_wait - 20)})));
    ranks.back().rank = rank;
  }
  return ranks;
}

TEST(Ranks, NamesTheOneThatKeepsTheOthersWaiting) {
  const auto finding = FindStraggler(Ranks(1500, 20));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->subject, "rank 2");
  EXPECT_THAT(finding->evidence, HasSubstr("takes 1.52 ms, that of the others 1.02 ms"));
  EXPECT_THAT(finding->change, HasSubstr("look at its machine"));
}

TEST(Ranks, SaysWhetherTheSlowOneWaitsForItsData) {
  const auto finding = FindStraggler(Ranks(1000, 600));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->subject, "rank 2");
  EXPECT_THAT(finding->change, HasSubstr("it waits for its data"));
}

TEST(Ranks, OfOneSpeedHaveNoStraggler) {
  EXPECT_FALSE(FindStraggler(Ranks(1000, 20)));
  EXPECT_FALSE(FindStraggler({}));
}

}  // namespace
}  // namespace sightline::profiler

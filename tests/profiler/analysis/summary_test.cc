#include "sightline/profiler/analysis/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "sightline/profiler/analysis/ranks.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profile {
namespace {

using ::testing::HasSubstr;
using testing::ImportEvents;
using ::testing::IsEmpty;

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

TEST(Summary, OfAHealthyTrainingIsEmpty) { EXPECT_THAT(SummaryOf(ProfileOf({})), IsEmpty()); }

TEST(Summary, NamesDataThatTheStepsWaitFor) {
  const auto found = SummaryOf(ProfileOf({.wait = 500}));
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
  EXPECT_THAT(SummaryOf(fast), IsEmpty());
  Profile slow = ProfileOf({.wait = 500});
  slow.data.batches.assign(30, batch);
  const auto found = SummaryOf(slow);
  ExpectFirst(found, "data-wait");
  EXPECT_LT(found.front().share, 0.5);
  EXPECT_THAT(found.front().evidence, HasSubstr("30 of 30 batches found the queue empty"));
}

TEST(Summary, NamesASlowFirstStep) {
  const auto found = SummaryOf(ProfileOf({.first = 20'000}));
  ExpectFirst(found, "first-step");
  EXPECT_THAT(found.front().evidence, HasSubstr("20.05 ms, the others 1.05 ms"));
}

TEST(Summary, SaysNothingOfAFirstStepThatALongTrainingOutweighs) {
  EXPECT_THAT(SummaryOf(ProfileOf({.steps = 300, .first = 10'000})), IsEmpty());
}

TEST(Summary, NamesAnOperatorThatBecomesSlower) {
  const auto found =
      SummaryOf(ProfileOf({.matmul = [](int step) { return step < 20 ? 100 : 220; }}));
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
  EXPECT_THAT(SummaryOf(ImportEvents(events)), IsEmpty());
}

TEST(Summary, NamesAnOperatorThatIsSlowerThanBefore) {
  const Profile before = ProfileOf({});
  const Profile now = ProfileOf({.matmul = [](int) { return 200; }});
  EXPECT_THAT(SummaryOf(now), IsEmpty());
  const auto found = SummaryOf(now, &before);
  ExpectFirst(found, "slow-operator");
  EXPECT_EQ(found.front().subject, "MatMul");
  EXPECT_THAT(SummaryOf(before, &now), IsEmpty());
}

TEST(Summary, NamesMemoryThatGrowsFromStepToStep) {
  const auto found = SummaryOf(ProfileOf({.memory = [](int step) { return 5e8 + 2e7 * step; }}));
  ExpectFirst(found, "memory-growth");
  EXPECT_EQ(found.front().subject, "system/memory_bytes/value");
}

TEST(Summary, SaysNothingOfMemoryThatIsTakenAtFirstOrFallsBack) {
  EXPECT_THAT(
      SummaryOf(ProfileOf({.memory = [](int step) { return step < 6 ? 1e8 * (step + 1) : 6e8; }})),
      IsEmpty());
  EXPECT_THAT(SummaryOf(ProfileOf({.memory = [](int step) { return 5e8 + 1e8 * (step % 5); }})),
              IsEmpty());
}

TEST(Summary, NamesTheThreeThatCostMost) {
  const auto found = SummaryOf(
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
        RankUseOf(ProfileOf({.compute = is_slow ? slow : 1000,
                             .wait = is_slow ? slow_wait : 20,
                             .communicate = 20 + (is_slow ? 0 : slow - 1000 + slow_wait - 20)}),
                  rank));
  }
  return ranks;
}

TEST(Ranks, NamesTheOneThatKeepsTheOthersWaiting) {
  const auto finding = StragglerOf(Ranks(1500, 20));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->subject, "rank 2");
  EXPECT_THAT(finding->evidence, HasSubstr("1.52 ms of its own, the others 1.02 ms"));
  EXPECT_THAT(finding->change, HasSubstr("look at its machine"));
}

TEST(Ranks, SaysWhetherTheSlowOneWaitsForItsData) {
  const auto finding = StragglerOf(Ranks(1000, 600));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->subject, "rank 2");
  EXPECT_THAT(finding->change, HasSubstr("look at its data"));
}

TEST(Ranks, OfOneSpeedHaveNoStraggler) {
  EXPECT_FALSE(StragglerOf(Ranks(1000, 20)));
  EXPECT_FALSE(StragglerOf({}));
}

}  // namespace
}  // namespace sightline::profile

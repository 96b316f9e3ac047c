#include "sightline/profiler/analysis/steps.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using testing::ImportCorpus;
using testing::ImportEvents;

// MindInsight 2.3.1 of the same file: step 2 is 2.1, 31.0 and 6.0 ms; the
// means 1.8, 32.0, 6.0, 39.8.
TEST(Steps, RecordedOnesAreMindInsights) {
  const StepTable table = AnalyzeSteps(ImportCorpus("step_trace/async"));
  EXPECT_EQ(table.source, StepSource::kRecorded);
  ASSERT_EQ(table.steps.size(), 5);
  EXPECT_EQ(table.steps[1].gap, 2100000);
  EXPECT_EQ(table.steps[1].work, 31000000);
  EXPECT_EQ(table.steps[1].tail, 6000000);
  EXPECT_EQ(table.steps[1].communication, 6000000 + 2500000);
  const StepMean mean = Mean(table.steps, false);
  EXPECT_EQ(mean.total, 39.8e6);
  EXPECT_EQ(mean.gap, 1.8e6);
  EXPECT_EQ(mean.work, 32e6);
  EXPECT_EQ(mean.tail, 6e6);
  EXPECT_EQ(Mean(table.steps, true).gap, 2.25e6);
  EXPECT_EQ(table.backward_operator, "Gradients/AddN-op70");
}

TEST(Steps, OfAProcessorAreInferredAndSaidToBe) {
  const StepTable table = AnalyzeSteps(ImportCorpus("mindspore_2_7/dynamic_ascend_ms"));
  EXPECT_EQ(table.source, StepSource::kInferred);
  ASSERT_EQ(table.steps.size(), 3) << "steps 12, 13 and 14 were profiled";
  for (std::size_t i = 0; i < table.steps.size(); ++i) {
    const Step& step = table.steps[i];
    EXPECT_EQ(step.gap + step.work + step.tail, step.total());
    EXPECT_GT(step.work, 0);
    EXPECT_GT(step.tail, 0);
    if (i > 0) {
      EXPECT_EQ(step.start, table.steps[i - 1].end);
    }
  }
}

constexpr char kMarked[] =
    R"({"ph":"X","name":"ProfilerStep#7","cat":"user_annotation","tid":1,"ts":0,"dur":100},)"
    R"({"ph":"X","name":"load","cat":"cpu_op","tid":1,"ts":10,"dur":5},)"
    R"({"ph":"X","name":"forward","cat":"cpu_op","tid":1,"ts":30,"dur":20},)"
    R"({"ph":"X","name":"backward","cat":"cpu_op","tid":1,"ts":50,"dur":30},)"
    R"({"ph":"X","name":"optimizer","cat":"cpu_op","tid":1,"ts":80,"dur":15})";

TEST(Steps, MarkedOnesAreDividedAtTheirOperators) {
  const StepTable table = AnalyzeSteps(
      ImportEvents(kMarked), {.forward_operator = "forward", .backward_operator = "backward"});
  EXPECT_EQ(table.source, StepSource::kMarked);
  ASSERT_EQ(table.steps.size(), 1);
  const Step& step = table.steps[0];
  EXPECT_EQ(step.number, 7);
  EXPECT_EQ(step.total(), 100000);
  EXPECT_EQ(step.gap, 30000);
  EXPECT_EQ(step.work, 50000);
  EXPECT_EQ(step.tail, 20000);
}

TEST(Steps, AreDividedAsIfNothingWasNamedByNamesThatDoNotOccur) {
  const Profile profile = ImportEvents(kMarked);
  const StepTable named =
      AnalyzeSteps(profile, {.forward_operator = "backwards", .backward_operator = "none"});
  const StepTable plain = AnalyzeSteps(profile);
  EXPECT_EQ(named.forward_operator, "");
  EXPECT_EQ(named.backward_operator, "");
  EXPECT_EQ(named.steps[0].gap, plain.steps[0].gap);
  EXPECT_EQ(named.steps[0].tail, plain.steps[0].tail);
}

// One event of a trace; times in microseconds.
std::string Event(const std::string& name, const std::string& category, int start, int duration) {
  return R"({"ph":"X","name":")" + name + R"(","cat":")" + category + R"(","tid":1,"ts":)" +
         std::to_string(start) + R"(,"dur":)" + std::to_string(duration) + "}";
}

// steps.h: forward starts with the first operator of its name, backward ends with the last.
TEST(Steps, OfWhichTheNamedOperatorsRunOftenGoFromTheFirstForwardToTheLastBackward) {
  const std::string often = Event("step 1", "step", 0, 100) + "," + Event("load", "op", 5, 5) +
                            "," + Event("forward", "op", 20, 10) + "," +
                            Event("forward", "op", 30, 10) + "," + Event("backward", "op", 50, 10) +
                            "," + Event("forward", "op", 60, 10) + "," +
                            Event("backward", "op", 70, 10);
  const StepTable table = AnalyzeSteps(
      ImportEvents(often), {.forward_operator = "forward", .backward_operator = "backward"});
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].gap, 20'000);
  EXPECT_EQ(table.steps[0].work, 60'000);
  EXPECT_EQ(table.steps[0].tail, 20'000);
}

TEST(Steps, WhoseFirstOperatorIsTheForwardOneStartForwardThereThoughItRunsAgain) {
  const StepTable table = AnalyzeSteps(
      ImportEvents(Event("step 1", "step", 0, 100) + "," + Event("forward", "op", 10, 10) + "," +
                   Event("forward", "op", 40, 10)),
      {.forward_operator = "forward", .backward_operator = ""});
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].gap, 10'000);
}

TEST(Steps, CommunicationAtTheEndOfOneIsTheNextOnes) {
  const Profile profile = ImportEvents(
      Event("step 1", "step", 0, 100) + "," + Event("step 2", "step", 100, 100) + "," +
      Event("early", "communication", 0, 10) + "," + Event("between", "communication", 100, 20) +
      "," + Event("behind", "communication", 200, 40));
  const StepTable table = AnalyzeSteps(profile);
  ASSERT_EQ(table.steps.size(), 2);
  EXPECT_EQ(table.steps[0].communication, 10'000);
  EXPECT_EQ(table.steps[1].communication, 20'000);
  const auto first = FindCommunication(profile, table, table.steps[0]);
  ASSERT_EQ(first.size(), 1);
  EXPECT_EQ(first[0].name, "early");
  const auto second = FindCommunication(profile, table, table.steps[1]);
  ASSERT_EQ(second.size(), 1);
  EXPECT_EQ(second[0].name, "between");
}

TEST(Steps, HaveAMeanWithAndWithoutTheFirst) {
  const Step first = {.end = 1000, .gap = 500, .work = 400, .tail = 100, .communication = 90};
  const Step second = {
      .start = 1000, .end = 1100, .gap = 10, .work = 70, .tail = 20, .communication = 30};
  const Step third = {
      .start = 1100, .end = 1400, .gap = 30, .work = 230, .tail = 40, .communication = 60};
  const StepMean all = Mean({first, second, third}, false);
  EXPECT_EQ(all.gap, 180);
  EXPECT_NEAR(all.total, 1400 / 3.0, 1e-9);
  const StepMean others = Mean({first, second, third}, true);
  EXPECT_EQ(others.total, 200);
  EXPECT_EQ(others.gap, 20);
  EXPECT_EQ(others.work, 150);
  EXPECT_EQ(others.tail, 30);
  EXPECT_EQ(others.communication, 45);
  EXPECT_EQ(Mean({first, second}, true).total, 100);
  EXPECT_EQ(Mean({first}, true).total, 1000) << "an only step counts";
}

TEST(Steps, HaveTheCommunicationThatBeginsInThem) {
  const StepTable table = AnalyzeSteps(ImportEvents(
      std::string(kMarked) +
      R"(,{"ph":"X","name":"ProfilerStep#8","cat":"user_annotation","tid":1,"ts":100,"dur":100},)"
      R"({"ph":"X","name":"all_reduce","cat":"communication","tid":2,"ts":60,"dur":10},)"
      R"({"ph":"X","name":"all_reduce","cat":"communication","tid":2,"ts":90,"dur":20},)"
      R"({"ph":"X","name":"all_reduce","cat":"communication","tid":2,"ts":130,"dur":5})"));
  ASSERT_EQ(table.steps.size(), 2);
  EXPECT_EQ(table.steps[0].communication, 30000);
  EXPECT_EQ(table.steps[1].communication, 5000);
}

TEST(Steps, WithoutABackwardOperatorAllBehindTheGapIsWork) {
  const StepTable table = AnalyzeSteps(ImportEvents(kMarked));
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].gap, 10000);
  EXPECT_EQ(table.steps[0].work, 90000);
  EXPECT_EQ(table.steps[0].tail, 0);
}

TEST(Steps, OfNothingAreNone) {
  const StepTable table = AnalyzeSteps(Profile());
  EXPECT_EQ(table.source, StepSource::kNone);
  EXPECT_EQ(Mean(table.steps, true).total, 0);
}

constexpr char kSpans[] = R"({"ph":"X","name":"step 4","cat":"step","tid":1,"ts":0,"dur":100},)"
                          R"({"ph":"X","name":"batch","cat":"data","tid":1,"ts":2,"dur":18},)"
                          R"({"ph":"X","name":"decode","tid":1,"ts":4,"dur":5},)"
                          R"({"ph":"X","name":"forward","tid":1,"ts":21,"dur":29},)"
                          R"({"ph":"X","name":"Backward pass","tid":1,"ts":50,"dur":30},)"
                          R"({"ph":"X","name":"update","tid":1,"ts":81,"dur":15},)"
                          R"({"ph":"X","name":"backward","tid":2,"ts":5,"dur":90})";

TEST(Steps, WithoutOperatorsAreDividedByTheSpansOfTheirThread) {
  const StepTable table = AnalyzeSteps(ImportEvents(kSpans));
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].gap, 21000) << "up to forward: batch, and what runs within it";
  EXPECT_EQ(table.steps[0].work, 59000) << "up to the end of backward on this thread";
  EXPECT_EQ(table.steps[0].tail, 20000);
}

TEST(Steps, WithOneSpanThatWaitsAreWorkBehindIt) {
  const StepTable table = AnalyzeSteps(
      ImportEvents(R"({"ph":"X","name":"step 1","cat":"step","tid":1,"ts":0,"dur":100},)"
                   R"({"ph":"X","name":"batch","cat":"data","tid":1,"ts":0,"dur":30})"));
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].gap, 30000);
  EXPECT_EQ(table.steps[0].work, 70000);
}

TEST(Steps, OfWhichNothingIsKnownAreNoGap) {
  const StepTable table = AnalyzeSteps(
      ImportEvents(R"({"ph":"X","name":"step 1","cat":"step","tid":1,"ts":0,"dur":100})"));
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].gap, 0);
  EXPECT_EQ(table.steps[0].work, 100000);
}

}  // namespace
}  // namespace sightline::profiler

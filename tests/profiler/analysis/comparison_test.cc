#include "sightline/profiler/analysis/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using testing::ImportEvents;

// Steps of two operators, of 10 us and of `slow` us, with 5 us between the steps.
Profile Training(int steps, int slow) {
  std::string events;
  for (int i = 0; i < steps; ++i) {
    const int start = i * (15 + slow);
    const auto event = [&](const std::string& name, int at, int duration) {
      return R"({"ph":"X","cat":"cpu_op","tid":1,"name":")" + name + R"(","ts":)" +
             std::to_string(at) + R"(,"dur":)" + std::to_string(duration) + "}";
    };
    events +=
        (i == 0 ? "" : ",") + event("MatMul", start, 10) + "," + event("ReLU", start + 10, slow);
  }
  return ImportEvents(events);
}

TEST(Comparison, NamesWhatGotSlowerThoughTheLengthsDiffer) {
  const Comparison comparison = Compare(Training(4, 20), Training(9, 40));
  EXPECT_EQ(comparison.steps_before, 4);
  EXPECT_EQ(comparison.steps_after, 9);
  EXPECT_EQ(comparison.step_before, 35e3);
  EXPECT_EQ(comparison.step_after, 55e3);
  ASSERT_EQ(comparison.operators.size(), 2);
  EXPECT_EQ(comparison.operators[0].name, "ReLU");
  EXPECT_EQ(comparison.operators[0].difference(), 20e3);
  EXPECT_EQ(comparison.operators[0].share, 1);
  EXPECT_EQ(comparison.operators[1].difference(), 0);
  EXPECT_EQ(comparison.phases[0].name, "gap");
  EXPECT_EQ(comparison.phases[0].difference(), 0);
}

// Two steps of these operators one after the other, in microseconds.
Profile Steps(const std::vector<std::pair<std::string, int>>& operators) {
  std::string events;
  int time = 0;
  for (int step = 0; step < 2; ++step) {
    for (const auto& [name, duration] : operators) {
      events += (events.empty() ? "" : ",") +
                (R"({"ph":"X","cat":"cpu_op","tid":1,"name":")" + name) + R"(","ts":)" +
                std::to_string(time) + R"(,"dur":)" + std::to_string(duration) + "}";
      time += duration;
    }
  }
  return ImportEvents(events);
}

// By |difference|; the share is that of all that got slower, or of all that got faster.
TEST(Comparison, PutsTheGreatestDifferenceFirstWhicheverWayItGoes) {
  const Comparison comparison =
      Compare(Steps({{"Add", 10}, {"Conv", 50}, {"MatMul", 30}, {"ReLU", 40}}),
              Steps({{"Add", 11}, {"Conv", 20}, {"MatMul", 33}, {"ReLU", 30}, {"New", 12}}));
  std::vector<std::string> rows;
  for (const ComparedPart& part : comparison.operators) {
    rows.push_back(part.name + " " + std::to_string(static_cast<int>(part.difference())) + " " +
                   std::to_string(static_cast<int>(part.share * 10'000)));
  }
  EXPECT_THAT(rows, ::testing::ElementsAre("Conv -30000 7500", "New 12000 7500", "ReLU -10000 2500",
                                           "MatMul 3000 1875", "Add 1000 625"));
}

// A loop that waits for its data does so outside of the steps that it marks.
TEST(Comparison, HasWhatPassesBetweenMarkedSteps) {
  const auto training = [](int wait) {
    std::string events;
    for (int i = 0; i < 4; ++i) {
      events += std::string(i == 0 ? "" : ",") + R"({"ph":"X","cat":"step","tid":1,"name":"step )" +
                std::to_string(i + 1) + R"(","dur":10,"ts":)" + std::to_string(i * (10 + wait)) +
                "}";
    }
    return ImportEvents(events);
  };
  const Comparison comparison = Compare(training(40), training(5));
  ASSERT_EQ(comparison.phases.size(), 4);
  EXPECT_EQ(comparison.phases[3].name, "between steps");
  EXPECT_EQ(comparison.phases[3].before, 40e3);
  EXPECT_EQ(comparison.phases[3].difference(), -35e3);
  EXPECT_EQ(comparison.phases[3].share, 1);
  EXPECT_EQ(Compare(training(0), training(0)).phases.size(), 3);
}

TEST(Comparison, OfPhasesIsInTheOrderOfAStep) {
  const Comparison comparison = Compare(Training(4, 20), Training(4, 40));
  ASSERT_EQ(comparison.phases.size(), 3);
  EXPECT_EQ(comparison.phases[0].name, "gap");
  EXPECT_EQ(comparison.phases[1].name, "work");
  EXPECT_EQ(comparison.phases[1].difference(), 20e3);
  EXPECT_EQ(comparison.phases[1].share, 1);
  EXPECT_EQ(comparison.phases[2].name, "tail");
}

TEST(Comparison, SharesOfKernelsAreThoseOfTheDevice) {
  const auto profile = [](int host, int device) {
    return ImportEvents(R"({"ph":"X","cat":"cpu_op","tid":1,"name":"mm","ts":0,"dur":)" +
                        std::to_string(host) +
                        R"(},{"ph":"X","cat":"kernel","pid":2,"name":"gemm","ts":0,"dur":)" +
                        std::to_string(device) + "}");
  };
  const Comparison comparison = Compare(profile(10, 10), profile(20, 40));
  ASSERT_EQ(comparison.operators.size(), 2);
  EXPECT_EQ(comparison.operators[0].name, "gemm");
  EXPECT_EQ(comparison.operators[0].share, 1);
  EXPECT_EQ(comparison.operators[1].share, 1);
}

TEST(Comparison, OfAProfileWithItselfHasNoDifference) {
  const Comparison comparison = Compare(Training(3, 20), Training(3, 20));
  for (const ComparedPart& part : comparison.operators) {
    EXPECT_EQ(part.difference(), 0);
    EXPECT_EQ(part.share, 0);
  }
}

}  // namespace
}  // namespace sightline::profiler

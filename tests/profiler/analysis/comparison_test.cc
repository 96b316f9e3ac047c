#include "sightline/profiler/analysis/comparison.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profile {
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

TEST(Comparison, OfAProfileWithItselfHasNoDifference) {
  const Comparison comparison = Compare(Training(3, 20), Training(3, 20));
  for (const ComparedPart& part : comparison.operators) {
    EXPECT_EQ(part.difference(), 0);
    EXPECT_EQ(part.share, 0);
  }
}

}  // namespace
}  // namespace sightline::profile

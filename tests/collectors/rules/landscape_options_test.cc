#include "sightline/collectors/rules/landscape_options.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

std::string Fault(LandscapeOptions options) {
  if (options.intervals.empty()) options.intervals = {{1, 2, 3}};
  return std::string(options.Check().message());
}

TEST(LandscapeOptionsTest, SizesFrom3To256AreAllowed) {
  EXPECT_EQ(Fault({.landscape_size = 3}), "");
  EXPECT_EQ(Fault({.landscape_size = 256}), "");
  EXPECT_EQ(Fault({.landscape_size = 2}),
            "collect_landscape.landscape_size is 2, but must be between 3 and 256");
  EXPECT_EQ(Fault({.landscape_size = 257}),
            "collect_landscape.landscape_size is 257, but must be between 3 and 256");
}

TEST(LandscapeOptionsTest, SamplesAreAtLeastOne) {
  EXPECT_EQ(Fault({.num_samples = 1}), "");
  EXPECT_EQ(Fault({.num_samples = 0}),
            "collect_landscape.num_samples is 0, but must be at least 1 sample");
}

TEST(LandscapeOptionsTest, EachIntervalHasThreeRisingNumbers) {
  EXPECT_EQ(Fault({.intervals = {{1, 2, 3}, {5, 100, 1000}}}), "");
  EXPECT_EQ(
      Fault({.intervals = {{1, 2, 3}, {4, 5}}}),
      "collect_landscape.intervals has [4, 5], but each needs at least 3 steps, from 1 on and "
      "rising");
  EXPECT_EQ(
      Fault({.unit = LandscapeUnit::kEpoch, .intervals = {{0, 1, 2}}}),
      "collect_landscape.intervals has [0, 1, 2], but each needs at least 3 epochs, from 1 on "
      "and rising");
  EXPECT_NE(Fault({.intervals = {{1, 3, 2}}}), "");
  EXPECT_NE(Fault({.intervals = {{1, 2, 2}}}), "");
  EXPECT_NE(Fault({.intervals = {{}}}), "");
}

TEST(LandscapeOptionsTest, WithoutIntervalsNothingWouldBeSaved) {
  EXPECT_EQ(std::string(LandscapeOptions().Check().message()),
            "collect_landscape.intervals is empty, but must have a list of the steps whose "
            "parameters are saved, e.g. [[1, 2, 3, 4]]");
}

TEST(LandscapeOptionsTest, EveryFaultIsInOneMessage) {
  const std::string fault = Fault({.landscape_size = 1, .num_samples = -1, .intervals = {{1}}});
  for (const char* name : {"landscape_size", "num_samples", "intervals"})
    EXPECT_NE(fault.find(name), std::string::npos) << fault;
}

}  // namespace
}  // namespace sightline

#include "sightline/import/mlflow/metric_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace sightline {
namespace {

TEST(MetricLine, HasTimeValueAndStep) {
  const auto line = ParseMetricLine("1790000012000 0.25 -7");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->milliseconds, 1'790'000'012'000);
  EXPECT_EQ(line->value, 0.25);
  EXPECT_EQ(line->step, -7);
}

TEST(MetricLine, OfADatasetHasItsNameBehind) {
  const auto line = ParseMetricLine("1 1e-300 3 digits d1g3st\r");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->value, 1e-300);
  EXPECT_EQ(line->step, 3);
}

TEST(MetricLine, OfTheFirstVersionsHasNoStep) {
  const auto line = ParseMetricLine("1 2.5");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->step, 0);
}

TEST(MetricLine, MayBeNotFinite) {
  EXPECT_TRUE(std::isnan(ParseMetricLine("1 nan 1")->value));
  EXPECT_EQ(ParseMetricLine("1 inf 1")->value, INFINITY);
  EXPECT_EQ(ParseMetricLine("1 -inf 1")->value, -INFINITY);
}

TEST(MetricLine, OfAnotherFormIsNone) {
  for (const char* text : {"", " ", "1", "1 ", "x 1 1", "1 x 1", "1 1 x", "1 1 1.5", "1 1 1x",
                           "99999999999999999999 1 1"})
    EXPECT_FALSE(ParseMetricLine(text)) << text;
}

}  // namespace
}  // namespace sightline

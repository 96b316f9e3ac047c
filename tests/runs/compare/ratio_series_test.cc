// How many times its reference a series is.
#include "sightline/runs/compare/ratio_series.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sightline/tests/runs/compare/made_series.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::MadeSeries;

TEST(RatioSeriesTest, DividesTheNewestValuesAtTheCommonSteps) {
  const auto a = MadeSeries({{1, 2.0}, {2, 4.0}, {4, 5.0}});
  const auto b = MadeSeries({{1, 9.0}, {1, 1.0}, {3, 1.0}, {4, 10.0}}, "lm-loss", 3);
  const auto ratio = RatioSeries(*b, *a);
  ASSERT_NE(ratio, nullptr);
  EXPECT_THAT(ratio->steps(), ElementsAre(1, 4));
  EXPECT_THAT(ratio->values(), ElementsAre(0.5, 2.0));
  EXPECT_EQ(ratio->key(), b->key());
}

TEST(RatioSeriesTest, IsNotFiniteWhereTheReferenceIsZero) {
  const auto ratio = RatioSeries(*MadeSeries({{1, 1.0}, {2, 0.0}}), *MadeSeries({{1, 0}, {2, 0}}));
  ASSERT_NE(ratio, nullptr);
  EXPECT_TRUE(std::isinf(ratio->values()[0]));
  EXPECT_TRUE(std::isnan(ratio->values()[1]));
}

TEST(RatioSeriesTest, IsNoneWithoutACommonStep) {
  EXPECT_EQ(RatioSeries(*MadeSeries({{1, 1.0}}), *MadeSeries({{2, 1.0}})), nullptr);
}

}  // namespace
}  // namespace sightline

#include "sightline/runs/query/rank_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Ranks 0, 1, 2, ...
RankValues Of(const std::vector<double>& numbers) {
  std::vector<std::pair<std::int32_t, double>> values;
  for (const double number : numbers)
    values.emplace_back(static_cast<std::int32_t>(values.size()), number);
  return {values, values.size()};
}

TEST(RankValuesTest, SpreadIsTheRangeInPartsOfTheMedian) {
  EXPECT_EQ(Of({2, 1, 4}).spread(), 1.5);
  EXPECT_EQ(Of({-2, -1, -4}).spread(), 1.5);
  EXPECT_EQ(Of({1, 2, kNan, 4}).spread(), 1.5);  // Of the finite ones.
  EXPECT_EQ(Of({3, 3}).spread(), 0);
}

TEST(RankValuesTest, TheMeanIsThatOfTheFiniteNumbers) {
  EXPECT_EQ(Of({1, 2, kNan, 6}).mean, 3);
  EXPECT_EQ(Of({1e308, 1.5e308}).mean, 1.25e308);
  EXPECT_TRUE(std::isnan(Of({kNan}).mean));
}

TEST(RankValuesTest, NoSpreadOfOneNumberOrAroundZero) {
  EXPECT_EQ(Of({}).spread(), std::nullopt);
  EXPECT_EQ(Of({2, kNan}).spread(), std::nullopt);
  EXPECT_EQ(Of({-1, 0, 1}).spread(), std::nullopt);
}

TEST(RankValuesTest, TheWorstRankIsFarthestFromTheMedian) {
  EXPECT_EQ(Of({1, 1.1, 9, 1.2}).worst, 2);
  EXPECT_EQ(Of({1, 1.1, -9, 1.2}).worst, 2);
  EXPECT_EQ(Of({1, 1, 1, 2, 2}).worst, 3);  // The first of those.
}

TEST(RankValuesTest, ARankThatIsNotFiniteIsTheWorst) {
  EXPECT_EQ(Of({1, 1.1, 900, kNan}).worst, 3);
  EXPECT_EQ(Of({1, std::numeric_limits<double>::infinity(), kNan}).worst, 1);
  EXPECT_EQ(Of({1, kNan}).worst, 1);
}

TEST(RankValuesTest, NoRankIsTheWorstIfNoneDiffers) {
  EXPECT_EQ(Of({}).worst, std::nullopt);
  EXPECT_EQ(Of({1}).worst, std::nullopt);
  EXPECT_EQ(Of({kNan, kNan}).worst, std::nullopt);
  EXPECT_EQ(Of({1, 1, 1}).worst, std::nullopt);
  EXPECT_EQ(Of({0.1, 0.3}).worst, std::nullopt);  // The median is as far from both.
}

TEST(RankValuesTest, TellsWhetherRanksDiffer) {
  EXPECT_TRUE(Of({1, 2}).differ());
  EXPECT_TRUE(Of({1, kNan}).differ());
  EXPECT_FALSE(Of({1, 1}).differ());
  EXPECT_FALSE(Of({kNan, kNan}).differ());
  EXPECT_FALSE(Of({1}).differ());
}

}  // namespace
}  // namespace sightline

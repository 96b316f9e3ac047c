// The rows of the table and the cells of the heat map.
#include "sightline/runs/ranks/rank_summary.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sightline/tests/runs/ranks/ranks_of.h"

namespace sightline {
namespace {

using testing::Ranks;

TEST(RankSummaryTest, EachRankHasItsStatistics) {
  const Ranks ranks(3, 10, [](auto rank, auto step) {
    return rank == 1 && step > 6 ? std::nan("") : static_cast<double>(step * (rank + 1));
  });
  const auto rows = SummariesOf(ranks.all(), 5, 10);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].last, 10);
  EXPECT_DOUBLE_EQ(rows[0].mean, 7.5);
  EXPECT_EQ(rows[0].min, 5);
  EXPECT_EQ(rows[0].max, 10);
  EXPECT_EQ(rows[0].steps, 6U);
  EXPECT_EQ(rows[0].nonfinite, 0U);
  EXPECT_TRUE(std::isnan(rows[1].last));
  EXPECT_EQ(rows[1].mean, 11);
  EXPECT_EQ(rows[1].max, 12);
  EXPECT_EQ(rows[1].nonfinite, 4U);
}

TEST(RankSummaryTest, ARankWithoutAFiniteValueHasNoMean) {
  const Ranks ranks(1, 10, [](auto, auto) { return std::nan(""); });
  const auto rows = SummariesOf(ranks.all(), 1, 10);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(std::isnan(rows[0].mean));
  EXPECT_TRUE(std::isnan(rows[0].max));
}

TEST(RankSummaryTest, ARankWithoutAStepInTheRangeIsLeftOut) {
  const Ranks ranks(3, 10, [](auto rank, auto step) {
    return rank == 1 && step > 6 ? std::nullopt : std::optional<double>(1);
  });
  EXPECT_EQ(SummariesOf(ranks.all(), 7, 10).size(), 2U);
}

TEST(RankHeatTest, ACellHasTheValueThatIsFurthestFromTheMedian) {
  const Ranks ranks(8, 100, [](auto rank, auto step) {
    if (rank == 5 && step == 30) return 7.0;
    return rank == 6 && step == 70 ? std::nan("") : 1.0;
  });
  const RankHeat heat = HeatOf(ranks.all(), RankStepsOf(ranks.all()), 1, 100, 64, 2);
  ASSERT_EQ(heat.rows.size(), 8U);
  ASSERT_EQ(heat.cells.size(), 16U);
  EXPECT_EQ(heat.cells[10].value, 7);
  EXPECT_EQ(heat.cells[10].median, 1);
  EXPECT_EQ(heat.cells[11].value, 1);
  EXPECT_TRUE(std::isnan(heat.cells[13].value));
}

TEST(RankHeatTest, ManyRanksShareRows) {
  const Ranks ranks(100, 10, [](auto rank, auto) { return rank == 99 ? 2.0 : 1.0; });
  const RankHeat heat = HeatOf(ranks.all(), RankStepsOf(ranks.all()), 1, 10, 64, 500);
  EXPECT_EQ(heat.columns, 10U) << "no more than there are steps";
  ASSERT_EQ(heat.rows.size(), 50U);
  EXPECT_EQ(heat.rows[49].first_rank, 98);
  EXPECT_EQ(heat.rows[49].last_rank, 99);
  EXPECT_EQ(heat.cells.back().value, 2);
}

TEST(RankHeatTest, ACellWithoutAPointSaysSo) {
  const Ranks ranks(4, 10, [](auto rank, auto step) {
    return rank == 1 && step > 5 ? std::nullopt : std::optional<double>(1);
  });
  const RankHeat heat = HeatOf(ranks.all(), RankStepsOf(ranks.all()), 1, 10, 64, 2);
  EXPECT_TRUE(heat.cells[2].recorded);
  EXPECT_FALSE(heat.cells[3].recorded);
}

}  // namespace
}  // namespace sightline

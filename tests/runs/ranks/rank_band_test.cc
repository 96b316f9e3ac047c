// What a chart shows of the ranks of a training.
#include "sightline/runs/ranks/rank_band.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "sightline/tests/runs/ranks/ranks_of.h"

namespace sightline {
namespace {

using testing::Ranks;

TEST(RankBandTest, FewStepsAreShownAsTheyAre) {
  const Ranks ranks(5, 10, [](auto rank, auto step) { return static_cast<double>(rank * step); });
  const RankBand band = BandOfRanks(RankStepsOf(ranks.all()), 3, 6, 2);
  EXPECT_TRUE(band.exact);
  ASSERT_EQ(band.columns.size(), 4U);
  EXPECT_EQ(band.columns[1].first_step, 4);
  EXPECT_EQ(band.columns[1].low, 0);
  EXPECT_EQ(band.columns[1].high, 16);
  EXPECT_EQ(band.columns[1].first, 8);
}

TEST(RankBandTest, NoPointLiesOutsideTheBand) {
  const auto value_at = [](std::int32_t rank, std::int64_t step) {
    return std::sin(static_cast<double>(step * (rank + 3))) * static_cast<double>(rank + 1);
  };
  const Ranks ranks(7, 5000, value_at);
  const RankBand band = BandOfRanks(RankStepsOf(ranks.all()), 1, 5000, 70);
  EXPECT_FALSE(band.exact);
  ASSERT_EQ(band.columns.size(), 70U);
  std::int64_t step = 1;
  for (const RankColumn& column : band.columns) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    EXPECT_EQ(column.first_step, step);
    for (; step <= column.last_step; ++step) {
      for (std::int32_t rank = 0; rank < 7; ++rank) {
        low = std::min(low, value_at(rank, step));
        high = std::max(high, value_at(rank, step));
      }
    }
    EXPECT_EQ(column.low, low);
    EXPECT_EQ(column.high, high);
    EXPECT_LE(column.low, column.least);
    EXPECT_LE(column.least, column.first);
    EXPECT_LE(column.last, column.most);
    EXPECT_LE(column.most, column.high);
  }
  EXPECT_EQ(step, 5001);
}

TEST(RankBandTest, AColumnCountsWhatIsNotFinite) {
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  const Ranks ranks(4, 100, [](auto rank, auto step) {
    if (rank == 2 && step > 50) return std::nan("");
    if (rank == 3 && step == 99) return kInf;
    return 1.0;
  });
  const RankBand band = BandOfRanks(RankStepsOf(ranks.all()), 1, 100, 2);
  ASSERT_EQ(band.columns.size(), 2U);
  EXPECT_EQ(band.columns[0].nan, 0U);
  EXPECT_EQ(band.columns[1].nan, 50U);
  EXPECT_EQ(band.columns[1].pos_inf, 1U);
  EXPECT_EQ(band.columns[1].high, 1) << "the greatest finite value";
}

TEST(RankBandTest, AnyRangeOfStepsHasColumns) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const Ranks ranks(4, 100, [](auto, auto) { return 1; });
  EXPECT_EQ(BandOfRanks(RankStepsOf(ranks.all()), kLeast, kMost, 2).columns.size(), 1U);
  EXPECT_TRUE(BandOfRanks(RankStepsOf(ranks.all()), 60, 40, 2).columns.empty());
  EXPECT_EQ(ColumnOfStep(kMost, kLeast, kMost, 10'000), 9'999U);
}

}  // namespace
}  // namespace sightline

#include "sightline/base/text/rank_text.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sightline {
namespace {

std::string TextOf(const std::vector<std::int32_t>& ranks) { return RankText(ranks); }

TEST(RankTextTest, JoinsRanksThatFollowEachOther) {
  EXPECT_EQ(TextOf({4}), "rank 4");
  EXPECT_EQ(TextOf({4, 5}), "ranks 4, 5");
  EXPECT_EQ(TextOf({4, 5, 6}), "ranks 4 to 6");
  EXPECT_EQ(TextOf({4, 11, 96, 97, 98, 103}), "ranks 4, 11, 96 to 98, 103");
}

TEST(RankTextTest, CountsWhatIsTooMuchToName) {
  std::vector<std::int32_t> even;
  for (std::int32_t rank = 0; rank < 1024; rank += 2) even.push_back(rank);
  EXPECT_EQ(TextOf(even), "ranks 0, 2, 4, 6, 8, 10 and 506 more");
  std::vector<std::int32_t> all(1024);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(TextOf(all), "ranks 0 to 1023");
}

}  // namespace
}  // namespace sightline

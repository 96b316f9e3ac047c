#include "sightline/profiler/model/profile.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace sightline::profiler {
namespace {

TEST(Links, TheNameOfALinkHasTwoSides) {
  EXPECT_EQ(SidesOfLink("0-12"), std::pair(std::string_view("0"), std::string_view("12")));
  EXPECT_EQ(SidesOfLink("12"), std::nullopt);
  EXPECT_EQ(SidesOfLink(""), std::nullopt);
}

TEST(Links, ItsEndsAreRanksIfTheyAreNumbers) {
  EXPECT_EQ(EndsOfLink("3-11"), (std::pair<std::int64_t, std::int64_t>(3, 11)));
  for (const char* link : {"", "3", "3-", "-11", "a-b", "3-11-4", "3-99999999999999999999"})
    EXPECT_EQ(EndsOfLink(link), std::nullopt) << link;
}

TEST(Links, ALinkThatTookNoTimeHasNoSpeed) {
  LinkUse link;
  link.bytes = 5;
  EXPECT_EQ(link.bytes_per_second(), 0);
  link.time = 1'000'000'000;
  EXPECT_EQ(link.bytes_per_second(), 5);
}

}  // namespace
}  // namespace sightline::profiler

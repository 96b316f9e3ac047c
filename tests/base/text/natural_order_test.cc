#include "sightline/base/text/natural_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sightline {
namespace {

TEST(NaturalOrderTest, DigitsAreNumbers) {
  std::vector<std::string> names = {"run10",    "run2",    "run1",
                                    "run02",    "run",     "b",
                                    "run2/a10", "run2/a9", "99999999999999999999999",
                                    "1"};
  std::sort(names.begin(), names.end(), NaturallyLess);
  EXPECT_THAT(names, ::testing::ElementsAre("1", "99999999999999999999999", "b", "run", "run1",
                                            "run02", "run2", "run2/a9", "run2/a10", "run10"));
}

TEST(NaturalOrderTest, OnlyEqualNamesAreEqual) {
  EXPECT_TRUE(std::is_eq(CompareNaturally("a1", "a1")));
  EXPECT_TRUE(NaturallyLess("a01", "a1"));
  EXPECT_FALSE(NaturallyLess("a1", "a01"));
  EXPECT_TRUE(NaturallyLess("a", "\xff"));
}

}  // namespace
}  // namespace sightline

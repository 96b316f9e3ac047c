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

TEST(NaturalOrderTest, ANumberCountsWholeAfterAnEqualBeginning) {
  const std::vector<std::string> names = {"a/1",  "a/1b",  "a/2",   "a/9",   "a/10",
                                          "a/12", "a/12a", "a/100", "a/102", "a/110",
                                          "a/x1", "a/x9",  "a/x10"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j)
      EXPECT_EQ(NaturallyLess(names[i], names[j]), i < j) << names[i] << " and " << names[j];
  }
}

TEST(NaturalOrderTest, WhatIsBelowOneFolderIsTogether) {
  std::vector<std::string> names = {"lr_0.1/b", "lr_0.01/b", "lr_0.1", "lr_0.01/a", "lr_0.1/a"};
  std::sort(names.begin(), names.end(), NaturallyLess);
  EXPECT_THAT(names,
              ::testing::ElementsAre("lr_0.01/a", "lr_0.01/b", "lr_0.1", "lr_0.1/a", "lr_0.1/b"));
}

TEST(NaturalOrderTest, OnlyEqualNamesAreEqual) {
  EXPECT_TRUE(std::is_eq(CompareNaturally("a1", "a1")));
  EXPECT_TRUE(NaturallyLess("a01", "a1"));
  EXPECT_FALSE(NaturallyLess("a1", "a01"));
  EXPECT_TRUE(NaturallyLess("a", "\xff"));
}

}  // namespace
}  // namespace sightline

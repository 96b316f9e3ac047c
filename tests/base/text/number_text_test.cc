#include "sightline/base/text/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sightline {
namespace {

TEST(NumberTextTest, IsTheShortestThatReadsBack) {
  EXPECT_EQ(NumberText(0.9425F), "0.9425");
  EXPECT_EQ(NumberText(0.1), "0.1");
  EXPECT_EQ(NumberText(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(NumberText(1e30F), "1e+30");
  EXPECT_EQ(NumberText(1e300), "1e+300");
  EXPECT_EQ(NumberText(-0.0), "-0");
}

TEST(NumberTextTest, WholeNumbersHaveAllTheirDigits) {
  EXPECT_EQ(NumberText(123456792), "123456792");  // A float32 whose shortest form is 1.2345679e8.
  EXPECT_EQ(NumberText(9007199254740991), "9007199254740991");
}

TEST(NumberTextTest, NanHasNoSign) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(NumberText(std::copysign(std::nan(""), -1)), "nan");
  EXPECT_EQ(NumberText(kInfinity), "inf");
  EXPECT_EQ(NumberText(-kInfinity), "-inf");
}

}  // namespace
}  // namespace sightline

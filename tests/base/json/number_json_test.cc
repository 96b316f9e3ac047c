// Numbers that JSON has, and those that it does not have.
#include "sightline/base/json/number_json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace sightline {
namespace {

TEST(NumberJsonTest, WhatIsNotFiniteIsAText) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(NumberJson(0.5), 0.5);
  EXPECT_EQ(NumberJson(std::nan("")), "nan");
  EXPECT_EQ(NumberJson(kInfinity), "inf");
  EXPECT_EQ(NumberJson(-kInfinity), "-inf");
}

}  // namespace
}  // namespace sightline

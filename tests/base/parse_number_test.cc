#include "sightline/base/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sightline {
namespace {

TEST(ParseNumberTest, TakesAWholeText) {
  EXPECT_EQ(ParseNumber<std::int64_t>("17"), 17);
  EXPECT_EQ(ParseNumber<int>("-3"), -3);
  EXPECT_EQ(ParseNumber<double>("1e-3"), 1e-3);
  EXPECT_EQ(ParseNumber<std::int64_t>("9223372036854775807"), INT64_MAX);
}

TEST(ParseNumberTest, RefusesEverythingElse) {
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "x", "1.5", "9223372036854775808"})
    EXPECT_EQ(ParseNumber<std::int64_t>(text), std::nullopt) << text;
  EXPECT_EQ(ParseNumber<std::uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<double>("1e999"), std::nullopt);
}

TEST(TakeNumberTest, MovesTheTextBehindTheNumber) {
  std::string_view text = "64x10";
  EXPECT_EQ(TakeNumber<int>(text), 64);
  EXPECT_EQ(text, "x10");
}

TEST(TakeNumberTest, LeavesATextThatBeginsWithNone) {
  for (const std::string_view none : {"", "x10", "99999999999"}) {
    std::string_view text = none;
    EXPECT_EQ(TakeNumber<int>(text), std::nullopt);
    EXPECT_EQ(text, none);
  }
}

}  // namespace
}  // namespace sightline

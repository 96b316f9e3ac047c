#include "sightline/base/text/duration_text.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

TEST(DurationTextTest, ReadsANumberAndAUnit) {
  EXPECT_EQ(ParseDuration("90s"), 90);
  EXPECT_EQ(ParseDuration("10m"), 600);
  EXPECT_EQ(ParseDuration("2h"), 7200);
  EXPECT_EQ(ParseDuration("1.5d"), 129'600);
}

TEST(DurationTextTest, RefusesOtherForms) {
  for (const char* text : {"", "10", "m", "-1d", "0s", "10 m", "10ms", "nand", "infs", "1w"})
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sightline

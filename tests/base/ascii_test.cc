#include "sightline/base/ascii.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

TEST(AsciiTest, ChangesLettersOfAsciiOnly) {
  EXPECT_EQ(LowerCase("AZ az 09 @[ \u00c4\u00d6"), "az az 09 @[ \u00c4\u00d6");
}

TEST(AsciiTest, FindsTextInAnyCase) {
  EXPECT_TRUE(ContainsIgnoringCase("MatMulBackward0", "backward"));
  EXPECT_TRUE(ContainsIgnoringCase("x", ""));
  EXPECT_FALSE(ContainsIgnoringCase("backwar", "backward"));
}

}  // namespace
}  // namespace sightline

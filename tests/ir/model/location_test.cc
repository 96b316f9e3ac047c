#include "sightline/ir/model/location.h"

#include <gtest/gtest.h>

namespace sightline::ir {
namespace {

TEST(Location, HasPathLinesColumnsAndCode) {
  const auto location = ParseLocation("In file /home/user/net.py:118~120, 8~70/        def f(x):/");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->path, "/home/user/net.py");
  EXPECT_EQ(location->first_line, 118);
  EXPECT_EQ(location->last_line, 120);
  ASSERT_TRUE(location->columns);
  EXPECT_EQ(location->columns->begin, 8);
  EXPECT_EQ(location->columns->end, 70);
  EXPECT_EQ(location->code, "        def f(x):");
  EXPECT_FALSE(location->inlined);
  EXPECT_FALSE(location->shared);
}

TEST(Location, IsWrittenAsItIsRead) {
  for (const std::string_view text :
       {"In file /net.py:118~120, 8~70/        def f(x):/", "In file /net.py:32~35/.../",
        "In file /net.py:18, 14~19/while i < n:/",
        "inlined:In file /net.py:1, 0~1/x/<~~This line of code can be shared by multiple nodes, "
        "and may be duplicated./"}) {
    std::string written = "# ";
    AppendLocation(*ParseLocation(text), written);
    EXPECT_EQ(written, "# " + std::string(text));
  }
  std::string written;
  Location location;
  location.path = "a\nb";
  location.first_line = location.last_line = 1;
  location.code = "x";
  AppendLocation(location, written);
  EXPECT_EQ(written, "In file a b:1/x/");
}

TEST(Location, OfAWholeFunctionHasNoColumns) {
  const auto location = ParseLocation("In file /net.py:32~35/.../");
  ASSERT_TRUE(location);
  EXPECT_FALSE(location->columns);
  EXPECT_EQ(location->last_line, 35);
}

TEST(Location, OfOneLineEndsWhereItBegins) {
  const auto location = ParseLocation("In file /net.py:18, 14~19/while i < n:/");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->first_line, 18);
  EXPECT_EQ(location->last_line, 18);
}

TEST(Location, SaysWhetherItIsInlinedOrShared) {
  const auto location = ParseLocation(
      "inlined:In file /net.py:1, 0~1/x/<~~This line of code can be shared by multiple nodes, and "
      "may be duplicated./");
  ASSERT_TRUE(location);
  EXPECT_TRUE(location->inlined);
  EXPECT_TRUE(location->shared);
  EXPECT_EQ(location->code, "x");
}

TEST(Location, FindsThePlaceBehindAPathWithColonsAndInFrontOfCodeWithSome) {
  const auto location = ParseLocation("In file C:/nets/net.py:7, 0~9/if x: y[1:2, 3~4]/");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->path, "C:/nets/net.py");
  EXPECT_EQ(location->first_line, 7);
  EXPECT_EQ(location->code, "if x: y[1:2, 3~4]");
}

TEST(Location, IsNothingElse) {
  EXPECT_FALSE(ParseLocation(""));
  EXPECT_FALSE(ParseLocation("Scope: (Default)"));
  EXPECT_FALSE(ParseLocation("In file /net.py"));
  EXPECT_FALSE(ParseLocation("In file /net.py:12"));
  EXPECT_FALSE(ParseLocation("In file /net.py:12/code without an end"));
  EXPECT_FALSE(ParseLocation("In file /net.py:99999999999/too large/"));
}

TEST(Location, MayHaveTheLineInBrackets) {
  const auto location = ParseLocation("In file /home/a(b)/net.py(34)/        a = f(x)(2)/");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->first_line, 34);
  EXPECT_EQ(location->last_line, 34);
  EXPECT_FALSE(location->columns);
  EXPECT_EQ(location->path, "/home/a(b)/net.py");
  EXPECT_EQ(location->code, "        a = f(x)(2)");
}

}  // namespace
}  // namespace sightline::ir

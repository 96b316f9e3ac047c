#include "sightline/runs/query/tag_filter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsStatus;

bool Chooses(std::string_view pattern, std::string_view tag) {
  return MakeTagFilter("--tags", pattern).value()(tag);
}

TEST(TagFilter, IsEmptyForAnEmptyPattern) {
  EXPECT_EQ(MakeTagFilter("--tags", "").value(), nullptr);
}

TEST(TagFilter, MatchesAnywhereInTheTag) {
  EXPECT_TRUE(Chooses("a.to", "loss/auto"));
  EXPECT_TRUE(Chooses("^loss", "loss/auto"));
  EXPECT_FALSE(Chooses("^auto", "loss/auto"));
  EXPECT_TRUE(Chooses("^训.$", "训练"));
}

// Backtracking would take longer than the universe has existed.
TEST(TagFilter, TakesTimeInProportionToTheTag) {
  EXPECT_FALSE(Chooses("(x*)*y", std::string(10'000, 'x')));
  EXPECT_TRUE(Chooses("(x*)*y", std::string(10'000, 'x') + "y"));
  EXPECT_TRUE(Chooses("^(a|aa)+$", std::string(1'000'000, 'a')));
}

TEST(TagFilter, NamesOptionAndPatternThatItRefuses) {
  for (const char* pattern : {"(", "a**b{2,1}", "(?!loss)", "(a)\\1", "x{1001}"}) {
    const auto filter = MakeTagFilter("--tag", pattern);
    ASSERT_FALSE(filter) << pattern;
    EXPECT_THAT(filter.error(),
                IsStatus(StatusCode::kInvalidArgument,
                         std::string("--tag ") + pattern + ": not a regular expression of RE2"));
  }
}

// The page prints commands whose patterns escape in these two ways (web/src/core/shell.ts).
TEST(TagFilter, KnowsTheEscapesOfThePagesCommands) {
  for (int c = 0; c < 128; ++c) {
    const std::string tag(1, static_cast<char>(c));
    EXPECT_TRUE(Chooses(fmt::format("^\\x{:02x}$", c), tag)) << c;
    EXPECT_FALSE(Chooses(fmt::format("^\\x{:02x}$", c), tag + tag)) << c;
    if (std::string_view(".*+?()[]{}^$|").find(tag) != std::string_view::npos) {
      EXPECT_TRUE(Chooses("^\\" + tag + "$", tag)) << c;
    }
  }
}

}  // namespace
}  // namespace sightline

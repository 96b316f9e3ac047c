#include "sightline/watch/rules/rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::watch {
namespace {

using sightline::testing::IsOk;
using ::testing::HasSubstr;

std::string Refused(std::string_view text) {
  const auto rule = ParseRule(text);
  return rule ? "taken" : std::string(rule.error().message());
}

TEST(RuleTest, EveryRuleIsTakenAsItIsWritten) {
  for (const char* text : {"nan",
                           "nan(loss)",
                           "stalled",
                           "stalled(10m)",
                           "stalled( 90s )",
                           "killed",
                           "finished",
                           "ended",
                           "ended(2h)",
                           "spike(loss)",
                           "spike(loss, 6.5)",
                           "spike('lm loss, mean', 8)",
                           "plateau(loss,500)",
                           "rank(iteration-time)",
                           "disk",
                           "disk(5%)",
                           "disk(20GB)",
                           "device",
                           "last(loss) > 3",
                           "spread(last(\"iteration-time\")) > 0.2",
                           "state == 'killed' and lr > 1"}) {
    SCOPED_TRACE(text);
    const auto rule = ParseRule(text);
    ASSERT_THAT(rule, IsOk());
    EXPECT_EQ((*rule)->text(), text);
  }
}

TEST(RuleTest, TheTagIsTheFirstArgumentWithoutItsQuotes) {
  EXPECT_EQ((*ParseRule("spike('lm loss, mean', 8)"))->tag(), "lm loss, mean");
  EXPECT_EQ((*ParseRule("plateau(train/loss, 5)"))->tag(), "train/loss");
  EXPECT_EQ((*ParseRule("nan"))->tag(), "");
}

TEST(RuleTest, ATimeDecidesForHowLongARunIsLookedAt) {
  EXPECT_EQ((*ParseRule("stalled"))->patience(), 600);
  EXPECT_EQ((*ParseRule("ended(90s)"))->patience(), 90);
  EXPECT_EQ((*ParseRule("stalled(2h)"))->patience(), 7200);
  EXPECT_EQ((*ParseRule("stalled(1d)"))->patience(), 86400);
}

TEST(RuleTest, WrongArgumentsNameTheFormOfTheRule) {
  for (const char* text :
       {"spike", "spike()", "spike(loss, 0)", "spike(loss, many)", "spike(a, 1, 2)"})
    EXPECT_THAT(Refused(text), HasSubstr("spike(TAG) or spike(TAG, 8)")) << text;
  for (const char* text : {"plateau(loss)", "plateau(loss, 0)", "plateau(loss, -3)"})
    EXPECT_THAT(Refused(text), HasSubstr("plateau(TAG, STEPS)")) << text;
  for (const char* text : {"stalled(10)", "stalled(m)", "stalled(-1m)", "stalled(10m, 3)"})
    EXPECT_THAT(Refused(text), HasSubstr("a time in s, m, h or d")) << text;
  for (const char* text : {"disk(0%)", "disk(100%)", "disk(lots)", "disk(1%, 2%)"})
    EXPECT_THAT(Refused(text), HasSubstr("disk(10%)")) << text;
  EXPECT_THAT(Refused("killed(now)"), HasSubstr("it is written killed"));
  EXPECT_THAT(Refused("rank"), HasSubstr("rank(TAG)"));
}

// Else it would be a query, and true of the runs whose name contains it.
TEST(RuleTest, AWordThatIsNoRuleIsNotAQuery) {
  EXPECT_EQ(Refused("staled"), "there is no rule staled; did you mean stalled?");
  EXPECT_EQ(Refused("spyke(loss)"), "there is no rule spyke(loss); did you mean spike?");
  EXPECT_THAT(Refused("loss"), HasSubstr("there is no rule loss; rules are nan, stalled"));
  EXPECT_THAT(Refused(""), ::testing::Not("taken"));
}

TEST(RuleTest, AWrongQueryIsRefusedWithItsColumn) {
  EXPECT_THAT(Refused("last(loss) >"), HasSubstr("column"));
}

}  // namespace
}  // namespace sightline::watch

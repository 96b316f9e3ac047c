#include "sightline/collectors/rules/parameter_selection.h"

#include <string>
#include <string_view>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::IsStatus;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> kLeNet = {"conv1.weight", "conv2.weight", "fc1.weight", "fc1.bias",
                                         "fc2.weight",   "fc2.bias",     "fc3.weight", "fc3.bias"};

std::vector<std::string> Selected(const ParameterSelection& selection) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kLeNet.size(); ++i) {
    if (selection.Selects(i, kLeNet[i])) names.push_back(kLeNet[i]);
  }
  return names;
}

std::vector<std::string> Matching(std::string_view pattern) {
  return Selected(ParameterSelection::Make(pattern).value());
}

Status Refused(std::string_view pattern) {
  const auto selection = ParameterSelection::Make(pattern);
  return selection ? Status() : selection.error();
}

TEST(ParameterSelection, TakesTheFirstFiveByDefault) {
  EXPECT_THAT(Selected(ParameterSelection()),
              ElementsAre("conv1.weight", "conv2.weight", "fc1.weight", "fc1.bias", "fc2.weight"));
}

TEST(ParameterSelection, MatchesAtTheStartOfTheName) {
  EXPECT_THAT(Matching("fc1"), ElementsAre("fc1.weight", "fc1.bias"));
  EXPECT_THAT(Matching("weight"), IsEmpty());
}

TEST(ParameterSelection, NeedNotMatchTheWholeName) {
  EXPECT_THAT(Matching(".*bi"), ElementsAre("fc1.bias", "fc2.bias", "fc3.bias"));
}

TEST(ParameterSelection, KnowsAlternativesAndClasses) {
  EXPECT_THAT(Matching("conv[12]|fc3"),
              ElementsAre("conv1.weight", "conv2.weight", "fc3.weight", "fc3.bias"));
  EXPECT_THAT(Matching(R"(fc\d\.bias$)"), ElementsAre("fc1.bias", "fc2.bias", "fc3.bias"));
}

TEST(ParameterSelection, TakesTheFirstFiveForAnEmptyPattern) {
  EXPECT_EQ(Matching(""), Selected(ParameterSelection()));
}

TEST(ParameterSelection, TakesEveryParameterWhenAnythingMatches) {
  EXPECT_EQ(Matching(".*"), kLeNet);
}

TEST(ParameterSelection, RefusesABadPattern) {
  for (const std::string_view pattern : {"(", "[", "*a", "a{2,1}", "[b-a]", "\\"}) {
    EXPECT_THAT(Refused(pattern), IsStatus(StatusCode::kInvalidArgument,
                                           "histogram_regular is '" + std::string(pattern) +
                                               "', but must be a regular expression"));
  }
}

TEST(ParameterSelection, WarnsOfTheFirstNameThatIsTooCostly) {
  std::vector<std::string> lines;
  const auto selection = ParameterSelection::Make("(a+)+[bc]", [&lines](std::string_view line) {
                           lines.emplace_back(line);
                         }).value();
  EXPECT_TRUE(selection.Selects(0, "aab"));
  EXPECT_FALSE(selection.Selects(1, std::string(40, 'a')));
  EXPECT_FALSE(selection.Selects(2, std::string(50, 'a')));
  EXPECT_TRUE(selection.Selects(3, "ac"));
  EXPECT_THAT(lines, ElementsAre("histogram_regular is '(a+)+[bc]', which is too costly to match "
                                 "with '" +
                                 std::string(40, 'a') +
                                 "' (match limit exceeded). This name and others that cost as much "
                                 "do not match"));
}

TEST(ParameterSelection, KnowsLookAheadAsPythonDoes) {
  EXPECT_THAT(Matching("(?!.*bias)fc"), ElementsAre("fc1.weight", "fc2.weight", "fc3.weight"));
  EXPECT_THAT(Matching("(?=.*weight)(?!conv)"),
              ElementsAre("fc1.weight", "fc2.weight", "fc3.weight"));
}

TEST(ParameterSelection, NeverMatchesANameTooLongForATag) {
  const auto selection = ParameterSelection::Make("a").value();
  EXPECT_TRUE(selection.Selects(0, std::string(4096, 'a')));
  EXPECT_FALSE(selection.Selects(0, std::string(4097, 'a')));
}

}  // namespace
}  // namespace sightline

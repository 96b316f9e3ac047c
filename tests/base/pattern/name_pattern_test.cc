#include "sightline/base/pattern/name_pattern.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::IsStatus;

NamePattern Make(std::string_view pattern) {
  return NamePattern::Make("histogram_regular", pattern).value();
}

const std::vector<std::string> kNames = {
    "conv1.weight",       "conv2.bias",           "fc1.weight", "fc1.bias",
    "network.fc2.weight", "bn1.moving_mean",      "bn1.gamma",  "层.权重",
    "Dense_12/kernel:0",  "layer.10.attn.weight", "a\nb",       "",
    "ÀÉ.weight"};

// A 1 for each of kNames in which Python 3.11 finds a match: at the start, and anywhere.
struct PythonCase {
  std::string_view pattern;
  std::string_view match;
  std::string_view search;
};
constexpr PythonCase kPython[] = {
    {R"(conv)", "1100000000000", "1100000000000"},
    {R"(.*weight)", "1010100001001", "1010100001001"},
    {R"((?!.*bias).*)", "1010111111111", "1111111111111"},
    {R"((?!.*bias)(conv|fc)\d)", "1010000000000", "1010100000000"},
    {R"(^(?!bn).*$)", "1111100111011", "1111100111011"},
    {R"(.*\.(weight|bias)$)", "1111100001001", "1111100001001"},
    {R"(conv[12])", "1100000000000", "1100000000000"},
    {R"(fc\d\.bias$)", "0001000000000", "0001000000000"},
    {R"((?:conv|fc)\d+\.weight)", "1010000000000", "1010100000000"},
    {R"(.*(?<!moving_)mean)", "0000000000000", "0000000000000"},
    {R"(.*(?<=fc1\.)weight)", "0010000000000", "0010000000000"},
    {R"((?P<a>.)\w*(?P=a))", "0000000000000", "0000111011000"},
    {R"((.)\w*\1)", "0000000000000", "0000111011000"},
    {R"(.*?bias)", "0101000000000", "0101000000000"},
    {R"([^.]*\.weight)", "1010000000001", "1010100001001"},
    {R"(\w+\.\w+)", "1111111101001", "1111111101001"},
    {R"(\W)", "0000000000000", "1111111111101"},
    {R"([a-z]+\d{1,2}\.)", "1111011000000", "1111111000000"},
    {R"((?i)CONV)", "1100000000000", "1100000000000"},
    {R"((?i:conv)\d)", "1100000000000", "1100000000000"},
    {R"(\Aconv\d\b)", "1100000000000", "1100000000000"},
    {R"(.*weight\Z)", "1010100001001", "1010100001001"},
    {R"(.*\d+/\w+:0)", "0000000010000", "0000000010000"},
    {R"(层\..+)", "0000000100000", "0000000100000"},
    {R"([层网])", "0000000100000", "0000000100000"},
    {R"(\w\.)", "0000000100000", "1111111101001"},
    {R"(\S+$)", "1111111111001", "1111111111101"},
    {R"(a.b)", "0000000000000", "0000000000000"},
    {R"((?s)a.b)", "0000000000100", "0000000000100"},
    {R"((?m)^b)", "0000011000000", "0000011000100"},
    {R"(a$)", "0000000000000", "0000001000000"},
    {R"(x{0})", "1111111111111", "1111111111111"},
    {R"(conv{1}1)", "1000000000000", "1000000000000"},
    {R"((conv|)\d?\.?)", "1111111111111", "1111111111111"},
    {R"([\w.]+$)", "1111111101001", "1111111111101"},
    {R"([-.\w]+)", "1111111111101", "1111111111101"},
    {R"([]a])", "0000000000100", "0101011001100"},
    {R"(\x63onv)", "1100000000000", "1100000000000"},
    {R"((?=.*weight)(?=.*fc).*)", "0010100000000", "0010100000000"},
    {R"((?!.*\.(?:bias|gamma|beta)$))", "1010110111111", "1111111111111"},
    {R"(layer\.(\d|10)\.)", "0000000001000", "0000000001000"},
    {R"((a|ab)(c|bcd)?)", "0000000000100", "0101011001100"},
    {R"((?#x)conv)", "1100000000000", "1100000000000"},
    {R"((?x) conv \d)", "1100000000000", "1100000000000"},
    {R"(c\D\D\Dv?)", "1100000000000", "1100000000000"},
    {R"(\s)", "0000000000000", "0000000000100"},
    {R"(\143)", "1100000000000", "1111100000000"},
    {R"([\d_]+)", "0000000000000", "1111111011000"},
    {R"(.+_\d+/)", "0000000010000", "0000000010000"},
    {R"((?:))", "1111111111111", "1111111111111"},
    {R"($)", "0000000000010", "1111111111111"},
    {R"(À)", "0000000000001", "0000000000001"},
    {R"((?i)à)", "0000000000001", "0000000000001"},
};

TEST(NamePattern, MatchesWhatPythonMatches) {
  for (const PythonCase& python : kPython) {
    const NamePattern pattern = Make(python.pattern);
    std::string match;
    std::string search;
    for (const std::string& name : kNames) {
      match += pattern.MatchesAtStart(name).value() ? '1' : '0';
      search += pattern.MatchesAnywhere(name).value() ? '1' : '0';
    }
    EXPECT_EQ(match, python.match) << python.pattern;
    EXPECT_EQ(search, python.search) << python.pattern;
  }
}

// Expressions in the syntax that RE2 and Python share, over the characters a, b and '.'. Each
// number is drawn in a statement of its own, and without the standard library's distributions, so
// that every compiler and library makes the same expressions.
class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  std::string Alternatives(int depth) {
    std::string text = Sequence(depth);
    while (OneOf(4) == 0) text += "|" + Sequence(depth);
    return text;
  }
  std::string Name() {
    std::string name;
    for (std::size_t left = OneOf(9); left > 0; --left) name += "ab."[OneOf(3)];
    return name;
  }

 private:
  std::size_t OneOf(std::size_t count) { return random_() % count; }
  std::string Sequence(int depth) {
    std::string text;
    for (std::size_t left = 1 + OneOf(3); left > 0; --left) text += Item(depth);
    return text;
  }
  std::string Item(int depth) {
    static constexpr std::array kZeroWidth = {"^", "$", "\\b", "\\B"};
    static constexpr std::array kTimes = {"", "", "", "*", "+", "?", "*?", "{2}", "{1,2}", "{0,}"};
    if (OneOf(8) == 0) return kZeroWidth[OneOf(kZeroWidth.size())];
    const char* const times = kTimes[OneOf(kTimes.size())];
    return Atom(depth) + times;
  }
  std::string Atom(int depth) {
    static constexpr std::array kAtoms = {"a", "b", "\\.", ".", "[ab]", "[^a]", "\\w", "\\W"};
    if (depth > 0 && OneOf(3) == 0) {
      const std::string inner = Alternatives(depth - 1);
      return (OneOf(2) == 0 ? "(" : "(?:") + inner + ")";
    }
    return kAtoms[OneOf(kAtoms.size())];
  }

  std::mt19937 random_;
};

TEST(NamePattern, MatchesWhatRe2Matches) {
  RandomExpressions random(1);
  int matches = 0;
  int costly = 0;
  constexpr int kExpressions = 3000;
  for (int i = 0; i < kExpressions; ++i) {
    const std::string expression = random.Alternatives(2);
    const std::string name = random.Name();
    const RE2 theirs(expression);
    const NamePattern ours = Make(expression);
    const auto anywhere = ours.MatchesAnywhere(name);
    if (!anywhere) {  // Backtracking, which RE2 does not do, has a limit.
      ASSERT_THAT(std::string(anywhere.error().message()), HasSubstr("too costly"));
      ++costly;
      continue;
    }
    const bool at_start = theirs.Match(name, 0, name.size(), RE2::ANCHOR_START, nullptr, 0);
    EXPECT_EQ(ours.MatchesAtStart(name).value(), at_start) << expression << " with " << name;
    EXPECT_EQ(ours.MatchesAnywhere(name).value(), RE2::PartialMatch(name, theirs))
        << expression << " with " << name;
    matches += at_start ? 1 : 0;
  }
  EXPECT_LT(costly, 10);
  EXPECT_GT(matches, kExpressions / 4);
  EXPECT_LT(matches, kExpressions * 3 / 4);
}

TEST(NamePattern, NamesTheOptionThePatternAndTheFault) {
  for (const std::string_view pattern :
       {"(", "[", "*a", "a{2,1}", "[b-a]", "\\", "a**", ")", "(?<=a+)b", "(?P=x)", "\\2", "\\q",
        "\\u0041", "\\C", "\xff", "((a{999}){999}){999}"}) {
    const auto made = NamePattern::Make("parameters", pattern);
    ASSERT_FALSE(made) << pattern;
    EXPECT_THAT(made.error(), IsStatus(StatusCode::kInvalidArgument, "parameters is '"));
    EXPECT_THAT(std::string(made.error().message()), HasSubstr(" (at byte ")) << pattern;
  }
  EXPECT_THAT(NamePattern::Make("parameters", "conv(").error(),
              IsStatus(StatusCode::kInvalidArgument,
                       "parameters is 'conv(', but must be a regular expression of at most 1000 "
                       "bytes, e.g. 'conv.*weight' (at byte 5: missing closing parenthesis)"));
  EXPECT_THAT(NamePattern::Make("parameters", std::string(1001, 'a')).error(),
              IsStatus(StatusCode::kInvalidArgument, "it has 1001 bytes"));
}

// Without a limit these take 2^40 steps and more.
TEST(NamePattern, GivesUpAndSaysOnWhat) {
  for (const std::string_view pattern :
       {"(x+)+[yz]", "(x*)*[yz]", "(x|xx)+[yz]", "(?=(x+)+[yz])x", "(x+)(\\1+)*[yz]"}) {
    const NamePattern made = Make(pattern);
    for (const auto& result : {made.MatchesAtStart(std::string(40, 'x')),
                               made.MatchesAnywhere(std::string(4096, 'x'))}) {
      ASSERT_FALSE(result) << pattern;
      EXPECT_THAT(
          result.error(),
          IsStatus(StatusCode::kResourceExhausted,
                   fmt::format("histogram_regular is '{}', which is too costly to match with 'xxx",
                               pattern)));
    }
  }
}

TEST(NamePattern, GivesUpBeforeItTakesMuchMemory) {
  std::string groups = "(?:";
  for (int i = 0; i < 200; ++i) groups += "(x)?";
  const auto result = Make(groups + ")+[yz]").MatchesAtStart(std::string(4096, 'x'));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), IsStatus(StatusCode::kResourceExhausted, "too costly"));
}

TEST(NamePattern, TakesLongNamesWithoutDeepRecursion) {
  const std::string name(4096, 'a');
  EXPECT_TRUE(Make("(?:a|b)*$").MatchesAtStart(name).value());
  EXPECT_TRUE(Make("(a)*?$").MatchesAnywhere(name).value());
  EXPECT_FALSE(Make("a").MatchesAtStart(name + "a").value());
}

TEST(NamePattern, TakesBytesThatAreNotUtf8AsReplacementCharacters) {
  EXPECT_TRUE(Make("a.b$")
                  .MatchesAtStart("a\xff"
                                  "b")
                  .value());
  EXPECT_TRUE(Make("a\uFFFDb")
                  .MatchesAtStart("a\xff"
                                  "b")
                  .value());
}

}  // namespace
}  // namespace sightline

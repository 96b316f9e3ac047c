#include "sightline/runs/reading/literal_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace sightline {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

RunLineage Settings(std::string_view text) {
  RunLineage settings;
  AddSettings("c", text, settings);
  return settings;
}

LineageValue Number(double value) { return value; }
LineageValue Count(std::int64_t value) { return value; }
LineageValue Words(std::string text) { return text; }

TEST(LiteralSettingsTest, NamesOfNestedDictsAreJoinedByDots) {
  EXPECT_THAT(
      Settings("{'model_config': {'num_layers': 32, 'eps': 1e-05}, 'seed': -1}"),
      UnorderedElementsAre(Pair("c.model_config.num_layers", Count(32)),
                           Pair("c.model_config.eps", Number(1e-5)), Pair("c.seed", Count(-1))));
}

TEST(LiteralSettingsTest, ALiteralInQuotesIsTheTextBetweenThem) {
  RunLineage settings;
  AddLiteral("a", R"("007")", settings);
  AddLiteral("b", R"("{\"x\": 1}")", settings);
  AddLiteral("c", "7", settings);
  AddLiteral("d", R"({"x": [1,2]})", settings);
  AddLiteral("e", "{", settings);
  EXPECT_THAT(settings, UnorderedElementsAre(Pair("a", Words("007")),
                                             Pair("b", Words(R"({"x": 1})")), Pair("c", Count(7)),
                                             Pair("d.x", Words("[1,2]")), Pair("e", Words("{"))));
}

TEST(LiteralSettingsTest, TruthValuesAreThoseOfHyperParameters) {
  EXPECT_THAT(Settings(R"({'a': True, 'b': False, "c": true, "d": false})"),
              UnorderedElementsAre(Pair("c.a", Words("true")), Pair("c.b", Words("false")),
                                   Pair("c.c", Words("true")), Pair("c.d", Words("false"))));
}

TEST(LiteralSettingsTest, NoneAndNullAreTexts) {
  EXPECT_THAT(Settings(R"({'a': None, "b": null})"),
              UnorderedElementsAre(Pair("c.a", Words("None")), Pair("c.b", Words("null"))));
}

TEST(LiteralSettingsTest, ListsAndTuplesAreTextsButListsOfDictsHavePositions) {
  EXPECT_THAT(
      Settings("{'betas': [0.9, 0.95], 'shape': (1, 2), 'calls': [{'type': 'A'}, {'type': 'B'}], "
               "'names': {'x', 'y'}, 'none': [], 'nothing': {}}"),
      UnorderedElementsAre(Pair("c.betas", Words("[0.9, 0.95]")), Pair("c.shape", Words("(1, 2)")),
                           Pair("c.calls.0.type", Words("A")), Pair("c.calls.1.type", Words("B")),
                           Pair("c.names", Words("{'x', 'y'}")), Pair("c.none", Words("[]")),
                           Pair("c.nothing", Words("{}"))));
}

TEST(LiteralSettingsTest, WhatIsNoLiteralIsAText) {
  EXPECT_THAT(
      Settings("{'type': <class 'a.B'>, 'f': functools.partial(<function g at 0x7f>, a=1, b={2}), "
               "'dtype': Float16, 'at': datetime.date(2026, 1, 2)}"),
      UnorderedElementsAre(
          Pair("c.type", Words("<class 'a.B'>")),
          Pair("c.f", Words("functools.partial(<function g at 0x7f>, a=1, b={2})")),
          Pair("c.dtype", Words("Float16")), Pair("c.at", Words("datetime.date(2026, 1, 2)"))));
}

TEST(LiteralSettingsTest, QuotesAndEscapesOfBothLanguagesAreRead) {
  EXPECT_THAT(
      Settings(R"({'a': "it's", 'b': 'x, {y}: "z"', 'c': 'l\n\x41\\', "d": "\u00e9\ud83d\ude00"})"),
      UnorderedElementsAre(Pair("c.a", Words("it's")), Pair("c.b", Words("x, {y}: \"z\"")),
                           Pair("c.c", Words("l\nA\\")), Pair("c.d", Words("é😀"))));
}

TEST(LiteralSettingsTest, HalfOfASurrogatePairIsReplaced) {
  EXPECT_THAT(Settings(R"({"d": "\ud83d!"})"), UnorderedElementsAre(Pair("c.d", Words("\uFFFD!"))));
}

TEST(LiteralSettingsTest, ANumberThatCannotBeGivenAsWrittenIsAText) {
  EXPECT_THAT(
      Settings("{'a': 007, 'b': 123456789012345678901, 'c': 1_000}"),
      UnorderedElementsAre(Pair("c.a", Words("007")), Pair("c.b", Words("123456789012345678901")),
                           Pair("c.c", Words("1_000"))));
}

TEST(LiteralSettingsTest, InfinityIsANumber) {
  EXPECT_THAT(Settings("{'a': inf, \"b\": -Infinity}"),
              UnorderedElementsAre(Pair("c.a", Number(INFINITY)), Pair("c.b", Number(-INFINITY))));
}

TEST(LiteralSettingsTest, NamesAreSpelledAsQueriesTakeThem) {
  EXPECT_THAT(Settings("{'lr-decay style': 1, 2: 'two', (1, 2): 3, 'a.b/c': 4, '层': 5}"),
              UnorderedElementsAre(Pair("c.lr_decay_style", Count(1)), Pair("c.2", Words("two")),
                                   Pair("c._1__2_", Count(3)), Pair("c.a.b/c", Count(4)),
                                   Pair("c.层", Count(5))));
}

TEST(LiteralSettingsTest, ATextThatIsNoCompleteLiteralStaysWhole) {
  for (const std::string text :
       {"{'a': 1", "{'a': 1} and more", "{'a': 1, 'b'}", "[{'a': 1}", "cosine"})
    EXPECT_THAT(Settings(text), UnorderedElementsAre(Pair("c", Words(text))));
}

TEST(LiteralSettingsTest, ANameThatIsThereKeepsItsValue) {
  RunLineage settings = {{"c.a", Count(1)}};
  AddSettings("c", "{'a': 2, 'b': 3}", settings);
  EXPECT_THAT(settings, UnorderedElementsAre(Pair("c.a", Count(1)), Pair("c.b", Count(3))));
}

TEST(LiteralSettingsTest, BelowThirtyTwoLevelsAValueIsAText) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "{'a': ";
  text += "1" + std::string(40, '}');
  const RunLineage settings = Settings(text);
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings.begin()->first.size(), 1 + 2 * kDeepestSetting);
  EXPECT_TRUE(std::get<std::string>(settings.begin()->second).starts_with("{'a': {"));
}

TEST(LiteralSettingsTest, NamesBeyondTheBoundAreLeftOut) {
  std::string text = "{";
  for (int i = 0; i < 3000; ++i) text += std::to_string(i) + ": 0, ";
  EXPECT_EQ(Settings(text + "}").size(), kMostSettings);
}

TEST(LiteralSettingsTest, ALongNameIsNotRepeatedForEachValueBelowIt) {
  EXPECT_THAT(Settings("{'" + std::string(2000, 'a') + "': {'b': 1, 'c': 2}, 'd': 3}"),
              UnorderedElementsAre(Pair("c.d", Count(3))));
}

TEST(LiteralSettingsTest, ADictIsCompleteAndHasNames) {
  EXPECT_TRUE(IsDict(" {'a': 1}\n"));
  EXPECT_TRUE(IsDict(R"({"a": {"b": null}})"));
  for (const char* text : {"{}", "{1, 2}", "{'a': 1", "[{'a': 1}]", "{'a': 1}.", "", "a"})
    EXPECT_FALSE(IsDict(text)) << text;
}

}  // namespace
}  // namespace sightline

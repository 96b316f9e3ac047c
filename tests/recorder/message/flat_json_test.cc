#include "sightline/recorder/message/flat_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FlatJsonTest, HasNumbersAsTheyAreSpelledAndTellsThemFromTexts) {
  const auto fields = ParseFlatJson(R"({"a": 0.10, "b": "0.10", "c": -3, "d": true, "e": null})");
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->at("a").one(), "0.10");
  EXPECT_FALSE(fields->at("a").is_text);
  EXPECT_EQ(fields->at("b").one(), "0.10");
  EXPECT_TRUE(fields->at("b").is_text);
  EXPECT_EQ(fields->at("c").one(), "-3");
  EXPECT_EQ(fields->at("d").one(), "true");
  EXPECT_EQ(fields->at("e").one(), "null");
}

TEST(FlatJsonTest, AListIsNoValueAndWhatLiesDeeperIsLeftOut) {
  const auto fields = ParseFlatJson(
      R"({"list": ["a", "b"], "one": [1], "object": {"list": 7, "x": [8]}, "deep": [[1], {"y": 2}]})");
  ASSERT_TRUE(fields);
  EXPECT_THAT(fields->at("list").values, ElementsAre("a", "b"));
  EXPECT_EQ(fields->at("one").one(), std::nullopt);
  EXPECT_THAT(fields->at("object").values, IsEmpty());
  EXPECT_THAT(fields->at("deep").values, IsEmpty());
  EXPECT_EQ(fields->size(), 4U);
}

TEST(FlatJsonTest, TheLastOfTwoOfOneNameCounts) {
  EXPECT_EQ(ParseFlatJson(R"({"a": [1, 2], "a": 3})")->at("a").one(), "3");
}

TEST(FlatJsonTest, OnlyAnObjectIsOne) {
  for (const char* text : {"", "1", "[1]", "[{}]", "\"a\"", "{", R"({"a": 1)", R"({"a": 1} x)",
                           R"({"a": NaN})", "{\"a\": \"\xff\"}"}) {
    EXPECT_FALSE(ParseFlatJson(text)) << text;
  }
  EXPECT_TRUE(ParseFlatJson("{}"));
}

}  // namespace
}  // namespace sightline

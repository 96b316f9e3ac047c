#include "sightline/base/json/json_line.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

TEST(JsonLineTest, KeepsTheOrderOfOrderedJson) {
  EXPECT_EQ(JsonLine({{"b", 1}, {"a", {1, 2}}}), R"({"b":1,"a":[1,2]})");
  EXPECT_EQ(JsonLine(nlohmann::json{{"b", 1}, {"a", 2}}), R"({"a":2,"b":1})");
}

TEST(JsonLineTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(JsonLine({{"path", "a\xff"}}), "{\"path\":\"a\xef\xbf\xbd\"}");
  EXPECT_EQ(JsonLine(nlohmann::json("\xe6\x8d\x9f")), "\"\xe6\x8d\x9f\"") << "not escaped";
}

TEST(JsonLineTest, EscapesWhatTerminalsObey) {
  EXPECT_EQ(JsonLine(nlohmann::json("\x1b\x7f\u0080\u009b\u00a0\u00e9")),
            "\"\\u001b\\u007f\\u0080\\u009b\u00a0\u00e9\"");
}

TEST(IndentedJsonTest, PutsEachMemberOnALine) {
  EXPECT_EQ(IndentedJson({{"b", 1}}), "{\n  \"b\": 1\n}");
  EXPECT_EQ(IndentedJson(nlohmann::json{{"b", "\xff"}}, 1), "{\n \"b\": \"\xef\xbf\xbd\"\n}");
}

}  // namespace
}  // namespace sightline

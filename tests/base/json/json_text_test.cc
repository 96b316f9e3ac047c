#include "sightline/base/json/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

std::string Json(std::string_view text) {
  std::string out = "[";
  AppendJsonText(text, out);
  return out + "]";
}

TEST(JsonTextTest, AppendsTheTextInQuotes) {
  EXPECT_EQ(Json("loss/auto é 损失"), "[\"loss/auto é 损失\"]");
}

TEST(JsonTextTest, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(Json("\"\\\n\t\x01"), "[\"\\\"\\\\\\n\\u0009\\u0001\"]");
  EXPECT_EQ(Json(std::string_view("\0", 1)), "[\"\\u0000\"]");
}

TEST(JsonTextTest, EscapesWhatTerminalsObey) {
  EXPECT_EQ(Json("\x1b\x7f\u0080\u009b\u00a0\u00e9"),
            "[\"\\u001b\\u007f\\u0080\\u009b\u00a0\u00e9\"]");
}

TEST(JsonTextTest, ReplacesWhatIsNotUtf8) { EXPECT_EQ(Json("a\xff"), "[\"a\xef\xbf\xbd\"]"); }

}  // namespace
}  // namespace sightline

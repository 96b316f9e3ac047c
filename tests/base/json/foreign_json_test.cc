#include "sightline/base/json/foreign_json.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

TEST(ForeignJsonTest, CountsNestedBracketsOutsideOfStrings) {
  const std::string open(kMaxJsonDepth, '[');
  EXPECT_FALSE(IsDeepJson(open));
  EXPECT_TRUE(IsDeepJson(open + "{"));
  EXPECT_FALSE(IsDeepJson(open + "],[],[],[]"));
  EXPECT_TRUE(IsDeepJson(open + "],[{"));
  EXPECT_FALSE(IsDeepJson(open + R"("[\"[\\")")) << "brackets in a string";
  EXPECT_FALSE(IsDeepJson("]]]]" + open)) << "not JSON, and not deep";
}

TEST(ForeignJsonTest, DiscardsWhatIsNotJsonOrIsDeep) {
  EXPECT_EQ(ParseForeignJson<nlohmann::json>("[1]"), nlohmann::json({1}));
  EXPECT_TRUE(ParseForeignJson<nlohmann::json>("[1").is_discarded());
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  EXPECT_TRUE(ParseForeignJson<nlohmann::ordered_json>(deep).is_discarded());
}

}  // namespace
}  // namespace sightline

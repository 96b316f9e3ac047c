#include "sightline/collectors/config/hyper_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class HyperConfigTest : public ::testing::Test {
 protected:
  ~HyperConfigTest() override { unsetenv("MINDINSIGHT_HYPER_CONFIG"); }

  static Result<CustomLineage> Of(const std::string& text) {
    setenv("MINDINSIGHT_HYPER_CONFIG", text.c_str(), 1);
    return CustomLineageOfEnvironment();
  }
  static std::string FaultOf(const std::string& text) {
    const auto pairs = Of(text);
    return std::string(pairs ? "no fault" : pairs.error().message());
  }
};

TEST_F(HyperConfigTest, ReadsTextsAndNumbers) {
  const auto pairs =
      Of(R"({"summary_dir": "x", "custom_lineage_data": {"a": "b", "n": 3, "lr": 0.5}})");
  ASSERT_TRUE(pairs.has_value()) << pairs.error().message();
  EXPECT_THAT(*pairs,
              ElementsAre(Pair("a", LineageValue(std::string("b"))), Pair("lr", LineageValue(0.5)),
                          Pair("n", LineageValue(std::int64_t{3}))));
}

TEST_F(HyperConfigTest, ANumberBeyond64BitsIsNoOtherNumber) {
  EXPECT_THAT(*Of(R"({"custom_lineage_data": {"n": 9223372036854775807}})"),
              ElementsAre(Pair("n", LineageValue(std::int64_t{9223372036854775807}))));
  EXPECT_THAT(FaultOf(R"({"custom_lineage_data": {"n": 18446744073709551615}})"),
              HasSubstr("custom_lineage_data.n is 18446744073709551615, but must be a text"));
}

TEST_F(HyperConfigTest, NothingMeansNoPairs) {
  unsetenv("MINDINSIGHT_HYPER_CONFIG");
  EXPECT_THAT(*CustomLineageOfEnvironment(), IsEmpty());
  for (const char* text : {"", "{}", R"({"custom_lineage_data": null})"}) {
    const auto pairs = Of(text);
    ASSERT_TRUE(pairs.has_value()) << text;
    EXPECT_THAT(*pairs, IsEmpty());
  }
}

TEST_F(HyperConfigTest, NamesWhatIsWrong) {
  EXPECT_THAT(FaultOf("{"), HasSubstr("MINDINSIGHT_HYPER_CONFIG is no JSON object"));
  EXPECT_THAT(FaultOf("[1]"), HasSubstr("is no JSON object"));
  EXPECT_EQ(FaultOf(R"({"custom_lineage_data": [1]})"),
            "MINDINSIGHT_HYPER_CONFIG: custom_lineage_data is [1], but must be a map");
  EXPECT_EQ(
      FaultOf(R"({"custom_lineage_data": {"a": 1, "n": [null], "m": {"x": 1.5}}})"),
      "MINDINSIGHT_HYPER_CONFIG: custom_lineage_data.m is {\"x\":1.5}, but must be a text, a "
      "number (whole ones of 64 bits), true or false, or a list of these; "
      "custom_lineage_data.n is [null], but must be a text, a number (whole ones of 64 bits), "
      "true or false, or a list of these");
  EXPECT_THAT(FaultOf(std::string(100'001, ' ')), HasSubstr("at most 100000"));
  EXPECT_THAT(FaultOf(std::string(50'000, '[')), HasSubstr("is no JSON object"));
}

}  // namespace
}  // namespace sightline

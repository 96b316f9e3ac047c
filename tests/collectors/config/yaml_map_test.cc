// Merge keys and keys that are given twice, in configurations of a SummaryMonitor.
#include "sightline/collectors/config/yaml_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "sightline/collectors/config/summary_config.h"
#include "sightline/tests/collectors/config/summary_config_text.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FaultOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

// What a whole configuration says.
SummaryOptions OptionsOf(std::string_view yaml) {
  auto config = ParseSummaryConfig(yaml);
  EXPECT_TRUE(config.has_value()) << config.error().message();
  return config ? config->options : SummaryOptions();
}

TEST(YamlMergeTest, WhatIsMergedStandsInTheMapAndItsOwnKeysWin) {
  const SummaryOptions options = OptionsOf(R"(base: &base {collect_freq: 3, collect_tensor_freq: 7}
callbacks:
  - type: SummaryMonitor
    collect_freq: 5
    <<: *base
)");
  EXPECT_EQ(options.collect_freq, 5);
  EXPECT_EQ(options.collect_tensor_freq, 7);
}

TEST(YamlMergeTest, OfAListOfMapsTheFirstWins) {
  const SummaryOptions options = OptionsOf(R"(callbacks:
  - <<: [{collect_freq: 2}, {collect_freq: 3, collect_tensor_freq: 4, type: SummaryMonitor}]
)");
  EXPECT_EQ(options.collect_freq, 2);
  EXPECT_EQ(options.collect_tensor_freq, 4);
}

TEST(YamlMergeTest, WhatIsMergedMayMergeToo) {
  const SummaryOptions options = OptionsOf(R"(
first: &first {collect_freq: 2, collect_tensor_freq: 3, resume_from_step: 4}
second: &second {<<: *first, collect_freq: 5}
third: {resume_from_step: 6}
callbacks:
  - {type: SummaryMonitor, <<: [*second, {collect_freq: 7, resume_from_step: 8}]}
)");
  EXPECT_EQ(options.collect_freq, 5);
  EXPECT_EQ(options.collect_tensor_freq, 3);
  EXPECT_EQ(options.resume_from_step, 4);
}

TEST(YamlMergeTest, MapsWithinTheParametersMergeAndTheirValuesAreWholeOnes) {
  const SummaryOptions options = OptionsOf(R"(
lineage: &lineage {version: 1, batch: 32}
data: &data
  collect_specified_data: {collect_metric: false, collect_graph: false}
callbacks:
  - <<: *data
    type: SummaryMonitor
    custom_lineage_data: {<<: *lineage, version: 2}
    collect_specified_data: {collect_graph: true}
)");
  EXPECT_THAT(options.custom_lineage_data,
              ElementsAre(Pair("batch", LineageValue(std::int64_t{32})),
                          Pair("version", LineageValue(std::int64_t{2}))));
  EXPECT_TRUE(options.collect_specified_data.collect_metric);  // Not merged with the outer one's.
}

TEST(YamlMergeTest, TheListOfCallbacksMayBeMerged) {
  EXPECT_EQ(OptionsOf(R"(
common: &common {callbacks: [{type: SummaryMonitor, collect_freq: 4}]}
<<: *common
)")
                .collect_freq,
            4);
}

TEST(YamlMergeTest, AMergeKeyMayCarryItsTag) {
  EXPECT_EQ(OptionsOf("callbacks: [{type: SummaryMonitor, !!merge more: {collect_freq: 4}}]")
                .collect_freq,
            4);
}

TEST(YamlMergeTest, InQuotesItIsAKeyLikeAnyOther) {
  EXPECT_THAT(OptionsOf("callbacks: [{type: SummaryMonitor, custom_lineage_data: {'<<': 1}}]")
                  .custom_lineage_data,
              ElementsAre(Pair("<<", LineageValue(std::int64_t{1}))));
  EXPECT_THAT(FaultOf("callbacks: [{type: SummaryMonitor, '<<': {}}]"),
              HasSubstr("unknown parameter '<<'"));
}

TEST(YamlMergeTest, OnlyMapsCanBeMerged) {
  for (const char* value : {"3", "", "word", "[1]", "[[{}]]", "[{collect_freq: 2}, word]"}) {
    EXPECT_EQ(FaultOf("callbacks:\n  - type: SummaryMonitor\n    <<: " + std::string(value)),
              "<< in line 3 must be a map or a list of maps")
        << value;
  }
  EXPECT_EQ(FaultOf("<<: 3"),
            "<< in line 1 must be a map or a list of maps\nthere is no list of callbacks; write it "
            "as\ncallbacks:\n  - type: SummaryMonitor");
}

TEST(YamlDuplicateTest, AKeyThatIsGivenTwiceIsAFaultWithBothLines) {
  EXPECT_EQ(FaultOf("callbacks:\n  - type: SummaryMonitor\n    collect_freq: 3\n\n"
                    "    collect_freq: 0\n    on_file_full: x"),
            "collect_freq is given twice, in lines 3 and 5\nline 6: on_file_full is x, but must be "
            "rotate "
            "or stop");
}

TEST(YamlDuplicateTest, InEveryMapThatIsRead) {
  EXPECT_EQ(FaultOf("callbacks:\n  - {type: SummaryMonitor}\nseed: 1\ncallbacks: []"),
            "callbacks is given twice, in lines 1 and 4");
  EXPECT_EQ(FaultOf("seed: 1\nseed: 2\ncallbacks:\n  - {type: SummaryMonitor}"),
            "seed is given twice, in lines 1 and 2");
  EXPECT_EQ(FaultOf("callbacks:\n  - type: LossMonitor\n    type: SummaryMonitor\n"
                    "  - type: SummaryMonitor"),
            "type is given twice, in lines 2 and 3");
  EXPECT_EQ(FaultOf("callbacks:\n  - type: SummaryMonitor\n    custom_lineage_data:\n      a: 1\n"
                    "      'a': 2"),
            "a is given twice, in lines 4 and 5");
  EXPECT_EQ(FaultOf("callbacks:\n  - type: SummaryMonitor\n    frequencies:\n"
                    "      - {kind: image, kind: image, every_steps: 2}"),
            "kind is given twice, in lines 4 and 4");
  EXPECT_EQ(FaultOf("callbacks:\n  - type: SummaryMonitor\n    <<: {}\n    <<: {}"),
            "<< is given twice, in lines 3 and 4");
}

TEST(YamlDuplicateTest, InAMapThatIsMergedTwiceItIsSaidOnce) {
  EXPECT_EQ(FaultOf("callbacks:\n  - &m {collect_freq: 1, collect_freq: 2}\n"
                    "  - {<<: [*m, *m], type: SummaryMonitor}"),
            "collect_freq is given twice, in lines 2 and 2");
}

TEST(YamlDuplicateTest, WhatIsNotReadIsNobodysConcern) {
  EXPECT_EQ(OptionsOf(R"(model: {layers: 1, layers: 2, <<: 3}
callbacks:
  - {type: CheckpointMonitor, options: {prefix: a, prefix: b}}
  - {type: SummaryMonitor, collect_freq: 6}
)")
                .collect_freq,
            6);
}

constexpr char kTooMuch[] = "merges deeper than 16, or what is read has more than 1048576 bytes";

// Each map merges the one before twice: 2^30 maps, were they written out.
TEST(YamlMergeTest, MergesThatMultiplyAreRefused) {
  std::string yaml = "a0: &a0 {collect_freq: 2}\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    yaml += name + ": &" + name + " {<<: [" + before + ", " + before + "]}\n";
  }
  EXPECT_EQ(OptionsOf(yaml + "callbacks: [{type: SummaryMonitor, <<: *a5}]").collect_freq, 2);
  EXPECT_THAT(FaultOf(yaml + "callbacks: [{type: SummaryMonitor, <<: *a30}]"), HasSubstr(kTooMuch));
}

// 1,000^5 maps without being deep; and the same list in each of as many callbacks as fit.
TEST(YamlMergeTest, WideMergesAreRefused) {
  std::string yaml = "a0: &a0 {}\n";
  for (int i = 1; i <= 5; ++i) {
    const std::string name = "a" + std::to_string(i);
    yaml += name + ": &" + name + " {<<: [";
    for (int copy = 0; copy < 1'000; ++copy) yaml += "*a" + std::to_string(i - 1) + ", ";
    yaml += "{}]}\n";
  }
  EXPECT_THAT(FaultOf(yaml + "callbacks: [{type: SummaryMonitor, <<: *a5}]"), HasSubstr(kTooMuch));
  std::string callbacks = "callbacks: [";
  for (int i = 0; i < 9'000; ++i) callbacks += "{<<: *a1}, ";
  EXPECT_THAT(FaultOf(yaml + callbacks + "{type: SummaryMonitor}]"), HasSubstr(kTooMuch));
}

TEST(YamlMergeTest, AListOfNoMapsIsCountedTooWhereItIsMergedAgainAndAgain) {
  std::string yaml = "words: &words [";
  for (int i = 0; i < 20'000; ++i) yaml += "x, ";
  yaml += "x]\ncallbacks: [";
  for (int i = 0; i < 1'000; ++i) yaml += "{<<: *words}, ";
  EXPECT_THAT(FaultOf(yaml + "{type: SummaryMonitor}]"), HasSubstr(kTooMuch));
}

TEST(YamlMergeTest, AMapThatMergesItselfIsRefused) {
  EXPECT_THAT(FaultOf("callbacks:\n  - &m\n    type: SummaryMonitor\n    <<: *m\n"),
              HasSubstr(kTooMuch));
  EXPECT_THAT(FaultOf("&root\n<<: *root\ncallbacks: [{type: SummaryMonitor}]\n"),
              HasSubstr(kTooMuch));
}

TEST(YamlMergeTest, AKeyThatIsNoWordIsMergedAndRefused) {
  EXPECT_THAT(FaultOf("callbacks: [{type: SummaryMonitor, <<: {[a]: 1}}]"),
              HasSubstr("a map with a key that is not a string"));
  EXPECT_THAT(FaultOf("? [a]\n: 1\n? [b]\n: 2\ncallbacks: [{type: SummaryMonitor}]"),
              Not(HasSubstr("twice")));
}

}  // namespace
}  // namespace sightline

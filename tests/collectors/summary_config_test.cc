#include "sightline/collectors/summary_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;
using testing::MemoryFileSystem;
using ::testing::Pair;
using testing::TempDir;

// A configuration whose SummaryMonitor has these lines.
std::string With(std::string_view lines) {
  std::string yaml = "callbacks:\n  - type: SummaryMonitor\n";
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    yaml += "    " + std::string(lines.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return yaml;
}

SummaryConfig Read(std::string_view lines) {
  auto config = ParseSummaryConfig(With(lines));
  EXPECT_TRUE(config.has_value()) << config.error().message();
  return config ? *std::move(config) : SummaryConfig();
}

std::string FaultOf(std::string_view yaml) {
  const auto config = ParseSummaryConfig(yaml);
  return std::string(config ? "no fault" : config.error().message());
}
std::string Fault(std::string_view lines) { return FaultOf(With(lines)); }

// As MindFormers' documentation prints it, star and bare None included.
constexpr char kDocumented[] = R"(callbacks:
  * type: SummaryMonitor
    summary_dir: None
    collect_freq: 10
    collect_specified_data: None
    keep_default_action: True
    custom_lineage_data: None
    collect_tensor_freq: None
    max_file_size: None
    export_options: None
)";

void ExpectDefaults(const SummaryConfig& config) {
  const SummaryOptions defaults;
  EXPECT_EQ(config.summary_dir, "");
  EXPECT_EQ(config.options.collect_freq, 10);
  EXPECT_EQ(config.options.collect_tensor_freq, std::nullopt);
  EXPECT_EQ(config.options.max_file_size, std::nullopt);
  EXPECT_TRUE(config.options.custom_lineage_data.empty());
  EXPECT_EQ(config.options.export_options.tensor_format, TensorFormat::kNone);
  EXPECT_TRUE(config.options.collect_specified_data.collect_metric);
  EXPECT_TRUE(config.options.collect_specified_data.collect_dataset_graph);
  EXPECT_EQ(config.options.collect_specified_data.histogram_regular, "");
}

TEST(SummaryConfigTest, TheDocumentedExampleIsAllDefaults) {
  auto config = ParseSummaryConfig(kDocumented);
  ASSERT_TRUE(config.has_value()) << config.error().message();
  ExpectDefaults(*config);
}

TEST(SummaryConfigTest, AbsentNullTildeEmptyAndNoneAreTheDefault) {
  ExpectDefaults(Read(""));
  for (const char* nothing : {"null", "~", "", "None"}) {
    SCOPED_TRACE(nothing);
    std::string lines;
    for (const char* key : {"summary_dir", "collect_freq", "collect_specified_data",
                            "keep_default_action", "custom_lineage_data", "collect_tensor_freq",
                            "max_file_size", "export_options", "formats", "on_full"}) {
      lines += std::string(key) + ": " + nothing + "\n";
    }
    ExpectDefaults(Read(lines));
  }
}

TEST(SummaryConfigTest, ReadsEveryParameter) {
  const SummaryConfig config = Read(R"(summary_dir: ./run
collect_freq: 5
collect_tensor_freq: 7
max_file_size: 4GB
formats: [mindspore, tensorboard]
on_full: stop
custom_lineage_data: {version: "2.1", batch: 32, rate: 1e-3}
export_options: {tensor_format: npy}
collect_specified_data:
  collect_graph: False
  histogram_regular: conv.*)");
  const SummaryOptions& options = config.options;
  EXPECT_EQ(config.summary_dir, "./run");
  EXPECT_EQ(options.collect_freq, 5);
  EXPECT_EQ(options.collect_tensor_freq, 7);
  EXPECT_EQ(options.max_file_size, std::int64_t{4} << 30);
  EXPECT_THAT(options.formats, ElementsAre(Format::kMindSpore, Format::kTensorBoard));
  EXPECT_EQ(options.recorder.on_file_full, OnFileFull::kStop);
  EXPECT_THAT(
      options.custom_lineage_data,
      ElementsAre(Pair("batch", LineageValue(std::int64_t{32})), Pair("rate", LineageValue(1e-3)),
                  Pair("version", LineageValue(std::string("2.1")))));
  EXPECT_EQ(options.export_options.tensor_format, TensorFormat::kNpy);
  EXPECT_FALSE(options.collect_specified_data.collect_graph);
  EXPECT_TRUE(options.collect_specified_data.collect_metric);
  EXPECT_EQ(options.collect_specified_data.histogram_regular, "conv.*");
}

TEST(SummaryConfigTest, FindsTheMonitorBesideUnrelatedKeysAndCallbacks) {
  const auto config = ParseSummaryConfig(R"(
seed: 42
model: &m {arch: {type: Llama}}
model_again: *m
callbacks:
  - type: MFLossMonitor
  - type: SummaryMonitor
    collect_freq: 3
  - type: CheckpointMonitor
    prefix: "run"
)");
  ASSERT_TRUE(config.has_value()) << config.error().message();
  EXPECT_EQ(config->options.collect_freq, 3);
}

TEST(SummaryConfigTest, ReadsJsonToo) {
  const auto config =
      ParseSummaryConfig(R"({"callbacks": [{"type": "SummaryMonitor", "collect_freq": 2}]})");
  ASSERT_TRUE(config.has_value()) << config.error().message();
  EXPECT_EQ(config->options.collect_freq, 2);
}

TEST(SummaryConfigTest, WhatTheFileDoesNotSayStaysAsInTheBase) {
  SummaryOptions base;
  base.collect_freq = 4;
  base.collect_tensor_freq = 9;
  const auto config = ParseSummaryConfig(With("collect_tensor_freq: 2"), base);
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->options.collect_freq, 4);
  EXPECT_EQ(config->options.collect_tensor_freq, 2);
}

// What is collected, by first letters: metric, graph, train lineage, eval lineage, input data,
// dataset graph, throughput, histograms.
std::string Collected(std::string_view lines) {
  const CollectSpecifiedData data = Read(lines).options.collect_specified_data;
  std::string letters;
  if (data.collect_metric) letters += 'm';
  if (data.collect_graph) letters += 'g';
  if (data.collect_train_lineage) letters += 't';
  if (data.collect_eval_lineage) letters += 'e';
  if (data.collect_input_data) letters += 'i';
  if (data.collect_dataset_graph) letters += 'd';
  if (data.collect_throughput) letters += 's';
  if (data.collect_histograms) letters += 'h';
  return letters;
}

TEST(SummaryConfigTest, KeysThatAreNotNamedKeepTheirDefaultUnlessToldOtherwise) {
  EXPECT_EQ(Collected("keep_default_action: true"), "mgteidsh");
  EXPECT_EQ(Collected("keep_default_action: false"), "");
  EXPECT_EQ(Collected("collect_specified_data: {collect_metric: false}"), "gteidsh");
  EXPECT_EQ(Collected("keep_default_action: false\ncollect_specified_data: {collect_metric: true}"),
            "m");
  EXPECT_EQ(
      Collected("keep_default_action: false\ncollect_specified_data: {collect_metric: false}"), "");
  EXPECT_EQ(
      Collected("keep_default_action: false\ncollect_specified_data: {histogram_regular: 'c.*'}"),
      "h");
}

TEST(SummaryConfigTest, EachFaultNamesParameterValueAndWhatIsAllowed) {
  EXPECT_EQ(Fault("collect_freq: 0"), "collect_freq is 0, but must be at least 1 step");
  EXPECT_EQ(Fault("collect_freq: -3"), "collect_freq is -3, but must be at least 1 step");
  EXPECT_EQ(Fault("collect_freq: ten"), "collect_freq is ten, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: '10'"), "collect_freq is '10', but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: 1.5"), "collect_freq is 1.5, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: true"), "collect_freq is true, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: [1]"), "collect_freq is a list, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: 99999999999999999999"),
            "collect_freq is 99999999999999999999, but must be a whole number");
  EXPECT_EQ(Fault("collect_tensor_freq: 0"),
            "collect_tensor_freq is 0, but must be at least 1 step");
  EXPECT_EQ(Fault("summary_dir: [a]"), "summary_dir is a list, but must be a string");
  EXPECT_EQ(Fault("max_file_size: 0"), "max_file_size is 0, but must be at least 1 byte");
  EXPECT_EQ(Fault("max_file_size: 4 GX"),
            "max_file_size is 4 GX, but must be a number of bytes, or one with the unit KB, MB, GB "
            "or TB");
  EXPECT_EQ(Fault("keep_default_action: maybe"),
            "keep_default_action is maybe, but must be true or false");
  EXPECT_EQ(Fault("collect_specified_data: 3"), "collect_specified_data is 3, but must be a map");
  EXPECT_EQ(Fault("collect_specified_data: {collect_graph: 3}"),
            "collect_specified_data.collect_graph is 3, but must be true or false");
  EXPECT_THAT(Fault("collect_specified_data: {collect_grap: true}"),
              HasSubstr("has the unknown key 'collect_grap'; known are histogram_regular"));
  EXPECT_THAT(Fault("collect_specified_data: {histogram_regular: '('}"),
              HasSubstr("histogram_regular is '('"));
  EXPECT_THAT(Fault("collect_specified_data: {collect_landscape: {unit: step}}"),
              HasSubstr("collect_landscape is a map, but must be None"));
  EXPECT_EQ(Fault("custom_lineage_data: {a: [1]}"),
            "custom_lineage_data.a is a list, but must be a string, a whole number or a number");
  EXPECT_EQ(Fault("custom_lineage_data: {a: true}"),
            "custom_lineage_data.a is true, but must be a string, a whole number or a number");
  EXPECT_THAT(Fault("custom_lineage_data: {a: null}"),
              HasSubstr("custom_lineage_data.a is nothing"));
  EXPECT_EQ(Fault("export_options: {tensor_format: csv}"),
            "export_options.tensor_format is csv, but must be npy or none");
  EXPECT_EQ(Fault("export_options: {format: npy}"),
            "export_options has the unknown key 'format'; known are tensor_format");
  EXPECT_EQ(Fault("formats: [csv]"),
            "formats is a list, but must be a list of mindspore, tensorboard or both");
  EXPECT_THAT(Fault("formats: []"), HasSubstr("formats is empty"));
  EXPECT_EQ(Fault("on_full: wait"), "on_full is wait, but must be rotate or stop");
  EXPECT_THAT(Fault("colect_freq: 3"),
              HasSubstr("unknown parameter 'colect_freq'; known are type, summary_dir"));
}

TEST(SummaryConfigTest, NamesAllFaultsAtOnce) {
  const std::string fault = Fault("collect_freq: 0\nmax_file_size: -1\nfoo: 1\non_full: x");
  for (const char* part : {"collect_freq", "max_file_size", "'foo'", "on_full"}) {
    EXPECT_THAT(fault, HasSubstr(part));
  }
}

TEST(SummaryConfigTest, SaysWhereTheTextIsNoConfiguration) {
  EXPECT_THAT(FaultOf("callbacks: ["), HasSubstr("line 1"));
  EXPECT_THAT(FaultOf(""), HasSubstr("there is no list of callbacks"));
  EXPECT_THAT(FaultOf("a word"), HasSubstr("there is no list of callbacks"));
  EXPECT_THAT(FaultOf("callbacks: {type: SummaryMonitor}"), HasSubstr("no list of callbacks"));
  EXPECT_THAT(FaultOf("callbacks: [3, {type: LossMonitor}]"),
              HasSubstr("none of the callbacks has the type SummaryMonitor"));
  EXPECT_THAT(FaultOf("callbacks: [{type: SummaryMonitor}, {type: SummaryMonitor}]"),
              HasSubstr("2 callbacks have the type SummaryMonitor"));
}

TEST(SummaryConfigTest, DeepNestingIsAnErrorNotACrash) {
  for (const char* bracket : {"[", "{a: ", "- "}) {
    std::string yaml = "callbacks: ";
    for (int i = 0; i < 100'000; ++i) yaml += bracket;
    EXPECT_FALSE(ParseSummaryConfig(yaml).has_value()) << bracket;
  }
}

// Whatever the text, there is an answer.
TEST(SummaryConfigTest, ChangedTextsAreReadOrRefused) {
  const std::string sound = With(R"(summary_dir: ./run
max_file_size: 4GB
custom_lineage_data: {version: "2.1", batch: 32}
collect_specified_data: {collect_graph: False, histogram_regular: conv.*})");
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::string yaml = sound;
    for (int changes = 0; changes < 3; ++changes) {
      const std::size_t at = random() % yaml.size();
      switch (random() % 3) {
        case 0:
          yaml[at] = static_cast<char>(random());
          break;
        case 1:
          yaml.erase(at, 1 + random() % 5);
          break;
        default:
          yaml.insert(at, 1, "[]{}:,&*!|>'\"%@- \n"[random() % 18]);
      }
    }
    const auto config = ParseSummaryConfig(yaml);
    if (config) {
      ++read;
    } else {
      EXPECT_FALSE(config.error().message().empty());
    }
  }
  EXPECT_GT(read, 0);
}

TEST(LoadSummaryConfigTest, ErrorsNameTheFile) {
  MemoryFileSystem files;
  EXPECT_THAT(LoadSummaryConfig("none.yaml", {}, files).error(),
              IsStatus(StatusCode::kNotFound, "none.yaml"));
  TempDir directory;
  const std::string path = directory.path() + "/bad.yaml";
  testing::WriteFileOrDie(path, With("collect_freq: 0"));
  EXPECT_THAT(LoadSummaryConfig(path).error(),
              IsStatus(StatusCode::kInvalidArgument, path + ": collect_freq is 0"));
}

TEST(FromYamlTest, RecordsWhereTheFileSays) {
  TempDir directory;
  const std::string run = directory.path() + "/run";
  testing::WriteFileOrDie(directory.path() + "/c.yaml", With("summary_dir: " + run));
  SummaryOptions base;
  base.say = [](std::string_view) {};
  const auto monitor = SummaryMonitor::FromYaml(directory.path() + "/c.yaml", base);
  ASSERT_TRUE(monitor.has_value()) << monitor.error().message();
  EXPECT_EQ((*monitor)->directory(), run);
  EXPECT_THAT((*monitor)->End(), IsOk());
}

TEST(ParseByteSizeTest, TakesNumbersAndUnitsOf1024) {
  EXPECT_EQ(ParseByteSize("17"), 17);
  EXPECT_EQ(ParseByteSize("17B"), 17);
  EXPECT_EQ(ParseByteSize("3KB"), 3 << 10);
  EXPECT_EQ(ParseByteSize("3 mib"), 3 << 20);
  EXPECT_EQ(ParseByteSize("58gb"), std::int64_t{58} << 30);
  EXPECT_EQ(ParseByteSize("1TB"), std::int64_t{1} << 40);
}

TEST(ParseByteSizeTest, RefusesTheRest) {
  for (const char* text : {"", "GB", "-1", "1.5GB", "4GX", "4 G B", "9223372036854775808",
                           "8388608TB", "4GBs", " 4"}) {
    EXPECT_EQ(ParseByteSize(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace sightline

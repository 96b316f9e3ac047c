// What a configuration says.
#include "sightline/collectors/config/summary_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/collectors/config/summary_config_text.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::Fault;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Pair;
using testing::Read;
using testing::TempDir;
using testing::With;

// As MindFormers' documentation prints it, bare None included.
constexpr char kDocumented[] = R"(callbacks:
  - type: SummaryMonitor
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
                            "max_file_size", "export_options", "formats", "on_file_full"}) {
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
resume_from_step: 501
formats: [mindspore, tensorboard]
on_file_full: stop
custom_lineage_data: {version: "2.1", batch: 32, rate: 1e-3}
export_options: {tensor_format: npy}
collect_specified_data:
  collect_graph: False
  histogram_regular: conv.*)");
  const SummaryOptions& options = config.options;
  EXPECT_EQ(config.summary_dir, "./run");
  EXPECT_EQ(options.collect_freq, 5);
  EXPECT_EQ(options.collect_tensor_freq, 7);
  EXPECT_EQ(options.max_file_size, 4'000'000'000);
  EXPECT_EQ(options.resume_from_step, 501);
  EXPECT_THAT(options.formats, ElementsAre(Format::kMindSpore, Format::kTensorBoard));
  EXPECT_EQ(options.on_file_full, OnFileFull::kStop);
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

TEST(SummaryConfigTest, PassesOverWhereMindFormersImportsTheClassFrom) {
  EXPECT_EQ(Read("auto_register: sightline_callback.SummaryMonitor\ncollect_freq: 3")
                .options.collect_freq,
            3);
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
// dataset graph, throughput (s), system (y), run facts, histograms.
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
  if (data.collect_system) letters += 'y';
  if (data.collect_run_facts) letters += 'r';
  if (data.collect_histograms) letters += 'h';
  return letters;
}

TEST(SummaryConfigTest, KeysThatAreNotNamedKeepTheirDefaultUnlessToldOtherwise) {
  EXPECT_EQ(Collected("keep_default_action: true"), "mgteidsyrh");
  EXPECT_EQ(Collected("keep_default_action: false"), "");
  EXPECT_EQ(Collected("collect_specified_data: {collect_metric: false}"), "gteidsyrh");
  EXPECT_EQ(Collected("keep_default_action: false\ncollect_specified_data: {collect_metric: true}"),
            "m");
  EXPECT_EQ(  // None is the default, as if it were not named.
      Collected("keep_default_action: false\ncollect_specified_data: {collect_metric: null}"), "");
  EXPECT_EQ(
      Collected("keep_default_action: false\ncollect_specified_data: {collect_metric: false}"), "");
  EXPECT_EQ(
      Collected("keep_default_action: false\ncollect_specified_data: {histogram_regular: 'c.*'}"),
      "h");
}

TEST(SummaryConfigTest, AnOverheadIsAShareOrAPercentage) {
  EXPECT_EQ(Read("max_overhead: 1%").options.max_overhead, 0.01);
  EXPECT_EQ(Read("max_overhead: '2.5 %'").options.max_overhead, 0.025);
  EXPECT_EQ(Read("max_overhead: 0.01").options.max_overhead, 0.01);
  EXPECT_EQ(Read("max_overhead: None").options.max_overhead, std::nullopt);
}

TEST(SummaryConfigTest, RanksAreAllOneOrAList) {
  EXPECT_EQ(Read("ranks: all").options.ranks, std::nullopt);
  EXPECT_THAT(Read("ranks: 0").options.ranks, ::testing::Optional(ElementsAre(0)));
  EXPECT_THAT(Read("ranks: [0, 8]").options.ranks, ::testing::Optional(ElementsAre(0, 8)));
  for (const char* ranks : {"first", "1.5", "[a]", "{}"}) {
    EXPECT_THAT(Fault("ranks: " + std::string(ranks)),
                HasSubstr("but must be all, a rank or a list of ranks"));
  }
  EXPECT_EQ(Fault("ranks: -1"), "ranks has -1, but a rank is not negative");
  EXPECT_THAT(Fault("ranks: []"), HasSubstr("ranks is empty, but must name at least one"));
}

TEST(SummaryConfigTest, ReadsFrequencies) {
  const auto frequencies = Read(R"(frequencies:
  - {kind: histogram, every_steps: 100}
  - {tag: "grad/.*", every_seconds: 30, first_steps: 10})")
                               .options.frequencies;
  ASSERT_EQ(frequencies.size(), 2U);
  EXPECT_EQ(frequencies[0].kind, ValueKind::kHistogram);
  EXPECT_EQ(frequencies[0].every_steps, 100);
  EXPECT_EQ(frequencies[1].kind, std::nullopt);
  EXPECT_EQ(frequencies[1].tag, "grad/.*");
  EXPECT_EQ(frequencies[1].every_seconds, 30);
  EXPECT_EQ(frequencies[1].first_steps, 10);
  EXPECT_TRUE(Read("frequencies: None").options.frequencies.empty());
}

TEST(SummaryConfigTest, ALandscapeIsCollectedOnlyWhereItIsAskedFor) {
  EXPECT_EQ(Read("").options.collect_specified_data.collect_landscape, std::nullopt);
  EXPECT_EQ(Read("collect_specified_data: {collect_landscape: None}")
                .options.collect_specified_data.collect_landscape,
            std::nullopt);
  const auto landscape = Read(R"(collect_specified_data:
  collect_landscape:
    landscape_size: 10
    unit: epoch
    create_landscape: {train: True, result: False}
    num_samples: 64
    intervals: [[1, 2, 3], [4, 5, 6, 7]])")
                             .options.collect_specified_data.collect_landscape;
  ASSERT_TRUE(landscape.has_value());
  EXPECT_EQ(landscape->landscape_size, 10);
  EXPECT_EQ(landscape->unit, LandscapeUnit::kEpoch);
  EXPECT_TRUE(landscape->create_landscape.train);
  EXPECT_FALSE(landscape->create_landscape.result);
  EXPECT_EQ(landscape->num_samples, 64);
  EXPECT_THAT(landscape->intervals, ElementsAre(ElementsAre(1, 2, 3), ElementsAre(4, 5, 6, 7)));
}

TEST(SummaryConfigTest, HasTheOptionsOfTheRecorderToo) {
  const WritingOptions options = Read(R"(buffer_bytes: 4MB
on_buffer_full: drop
flush_interval: 0.25
sync: interval
sync_interval: 2
min_free_disk_bytes: 1GB
journal_dir: /dev/shm
workers: 3
rank: 1
world_size: 4
device_id: 2
hostname: node7)")
                                     .options.writing;
  EXPECT_EQ(options.buffer_bytes, 4'000'000u);
  EXPECT_EQ(options.on_buffer_full, OnBufferFull::kDrop);
  EXPECT_EQ(options.flush_interval.count(), 250);
  EXPECT_EQ(options.sync, SyncPolicy::kInterval);
  EXPECT_EQ(options.sync_interval.count(), 2000);
  EXPECT_EQ(options.min_free_disk_bytes, 1'000'000'000u);
  EXPECT_EQ(options.journal_dir, "/dev/shm");
  EXPECT_EQ(options.workers, 3);
  EXPECT_EQ(options.rank, 1);
  EXPECT_EQ(options.world_size, 4);
  EXPECT_EQ(options.device_id, 2);
  EXPECT_EQ(options.hostname, "node7");
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

TEST(SummaryConfigTest, LineageTakesTruthValuesAndListsAsTexts) {
  const SummaryConfig config =
      Read("custom_lineage_data: {amp: true, layers: [64, 0.5, relu, [1]], none: null}\n");
  EXPECT_THAT(config.options.custom_lineage_data,
              ElementsAre(Pair("amp", LineageValue("true")),
                          Pair("layers", LineageValue("[64, 0.5, relu, [1]]"))));
}

}  // namespace
}  // namespace sightline

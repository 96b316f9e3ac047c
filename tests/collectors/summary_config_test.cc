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
resume_from_step: 501
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
  EXPECT_EQ(options.resume_from_step, 501);
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
  constexpr char kShare[] = ": a share of the training's time, 0.01 or 1%";
  for (const std::string value : {"0", "1", "1.5", "-0.25"}) {
    EXPECT_EQ(Fault("max_overhead: " + value),
              "max_overhead is " + value + ", but must be more than 0 and less than 1" + kShare);
  }
  EXPECT_EQ(Fault("max_overhead: 100%"),
            std::string("max_overhead is 1, but must be more than 0 and less than 1") + kShare);
  EXPECT_EQ(Fault("max_overhead: little"),
            "max_overhead is little, but must be a number, or a percentage such as 1%");
  EXPECT_EQ(Fault("resume_from_step: -1"),
            "resume_from_step is -1, but must be a step, at least 0");
  EXPECT_EQ(Fault("resume_from_step: last"),
            "resume_from_step is last, but must be a whole number");
  EXPECT_EQ(Fault("keep_default_action: maybe"),
            "keep_default_action is maybe, but must be true or false");
  EXPECT_EQ(Fault("collect_specified_data: 3"), "collect_specified_data is 3, but must be a map");
  EXPECT_EQ(Fault("collect_specified_data: {collect_graph: 3}"),
            "collect_specified_data.collect_graph is 3, but must be true or false");
  EXPECT_THAT(Fault("collect_specified_data: {collect_grap: true}"),
              HasSubstr("has the unknown key 'collect_grap'; known are collect_metric"));
  EXPECT_THAT(Fault("collect_specified_data: {histogram_regular: '('}"),
              HasSubstr("histogram_regular is '('"));
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
            "formats is a list, but must be mindspore, tensorboard or a list of them");
  EXPECT_THAT(Fault("formats: []"), HasSubstr("formats is empty"));
  EXPECT_EQ(Fault("on_full: wait"), "on_full is wait, but must be rotate or stop");
  EXPECT_THAT(
      Fault("colect_freq: 3"),
      HasSubstr("unknown parameter 'colect_freq'; known are type, auto_register, summary_dir"));
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

TEST(SummaryConfigTest, EachFaultOfAFrequencyIsNamed) {
  EXPECT_EQ(Fault("frequencies: 3"), "frequencies is 3, but must be a list of maps");
  EXPECT_EQ(Fault("frequencies: [3]"), "frequencies[0] is 3, but must be a map");
  EXPECT_EQ(Fault("frequencies: [{kind: graph, tag: x, every_steps: 1}]"),
            "frequencies[0].kind is graph, but must be scalar or histogram or image or tensor");
  EXPECT_EQ(Fault("frequencies: [{kind: image, every_steps: often, first_steps: 1}]"),
            "frequencies[0].every_steps is often, but must be a whole number");
  EXPECT_EQ(Fault("frequencies: [{kind: image, every_steps: 1, every: 2}]"),
            "frequencies[0] has the unknown key 'every'; known are kind, tag, every_steps, "
            "every_seconds, first_steps");
  EXPECT_THAT(Fault("frequencies: [{kind: image, every_steps: 0}]"),
              HasSubstr("frequencies[0].every_steps is 0"));
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

TEST(SummaryConfigTest, EachFaultOfALandscapeIsNamed) {
  const auto fault = [](const std::string& lines) {
    return Fault("collect_specified_data: {collect_landscape: {intervals: [[1, 2, 3]], " + lines +
                 "}}");
  };
  const std::string path = "collect_specified_data.collect_landscape.";
  EXPECT_EQ(Fault("collect_specified_data: {collect_landscape: True}"),
            "collect_specified_data.collect_landscape is True, but must be a map");
  EXPECT_EQ(fault("landscape_size: big"),
            path + "landscape_size is big, but must be a whole number");
  EXPECT_EQ(fault("landscape_size: 300"),
            "collect_landscape.landscape_size is 300, but must be between 3 and 256");
  EXPECT_EQ(fault("unit: hour"), path + "unit is hour, but must be step or epoch");
  EXPECT_EQ(fault("create_landscape: both"), path + "create_landscape is both, but must be a map");
  EXPECT_EQ(fault("create_landscape: {train: 1}"),
            path + "create_landscape.train is 1, but must be true or false");
  EXPECT_EQ(fault("create_landscape: {test: True}"),
            path.substr(0, path.size() - 1) +
                ".create_landscape has the unknown key 'test'; known are train, result");
  EXPECT_EQ(fault("num_samples: 0"),
            "collect_landscape.num_samples is 0, but must be at least 1 sample");
  EXPECT_THAT(fault("size: 3"), HasSubstr("collect_landscape has the unknown key 'size'"));
  for (const char* intervals : {"5", "[1, 2, 3]", "[[1, 2, x]]", "[[1, 2, 3.5]]", "[{}]"}) {
    EXPECT_THAT(Fault("collect_specified_data: {collect_landscape: {intervals: " +
                      std::string(intervals) + "}}"),
                HasSubstr("intervals is "))
        << intervals;
  }
  EXPECT_THAT(Fault("collect_specified_data: {collect_landscape: {}}"),
              HasSubstr("collect_landscape.intervals is empty"));
}

TEST(SummaryConfigTest, HasTheOptionsOfTheRecorderToo) {
  const RecorderOptions options = Read(R"(buffer_bytes: 4MB
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
                                      .options.recorder;
  EXPECT_EQ(options.buffer_bytes, std::size_t{4} << 20);
  EXPECT_EQ(options.on_buffer_full, OnBufferFull::kDrop);
  EXPECT_EQ(options.flush_interval.count(), 250);
  EXPECT_EQ(options.sync, SyncPolicy::kInterval);
  EXPECT_EQ(options.sync_interval.count(), 2000);
  EXPECT_EQ(options.min_free_disk_bytes, std::uint64_t{1} << 30);
  EXPECT_EQ(options.journal_dir, "/dev/shm");
  EXPECT_EQ(options.workers, 3);
  EXPECT_EQ(options.rank, 1);
  EXPECT_EQ(options.world_size, 4);
  EXPECT_EQ(options.device_id, 2);
  EXPECT_EQ(options.hostname, "node7");
}

TEST(SummaryConfigTest, EachFaultOfTheRecordersOptionsIsNamed) {
  EXPECT_EQ(Fault("buffer_bytes: 1"), "buffer_bytes is 1, but must be between 1 MiB and 2 GiB");
  EXPECT_EQ(Fault("buffer_bytes: -1"), "buffer_bytes is -1, but must not be negative");
  EXPECT_EQ(Fault("on_buffer_full: wait"), "on_buffer_full is wait, but must be block or drop");
  EXPECT_EQ(Fault("flush_interval: 0"),
            "flush_interval is 0, but must be a number of seconds, at least 0.001");
  EXPECT_EQ(Fault("flush_interval: nan"),
            "flush_interval is nan, but must be a number of seconds, at least 0.001");
  EXPECT_EQ(Fault("sync: always"), "sync is always, but must be never or interval or record");
  EXPECT_EQ(Fault("journal_dir: [x]"), "journal_dir is a list, but must be a string");
  EXPECT_EQ(Fault("workers: -1"), "workers is -1, but must be between 0 and 64");
  EXPECT_EQ(Fault("rank: 3000000000"), "rank is 3000000000, but must be a whole number of 32 bits");
  EXPECT_EQ(Fault("rank: 2"),
            "rank is 2, but must be at least 0 and less than world_size, which is 1");
}

TEST(SummaryConfigTest, AKeyThatIsGivenTwiceIsAFault) {
  EXPECT_EQ(Fault("collect_freq: 3\ncollect_freq: 4"), "collect_freq is given twice");
}

TEST(SummaryConfigTest, AMapNeedsKeysThatAreWords) {
  EXPECT_EQ(Fault("custom_lineage_data: {[a, b]: 1}"),
            "custom_lineage_data is a map with a key that is no word, but must be a map");
}

TEST(SummaryConfigTest, ManyFaultsAreCountedNotListed) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "unknown_" + std::to_string(i) + ": 1\n";
  const std::string fault = Fault(lines);
  EXPECT_THAT(fault, HasSubstr("'unknown_99'"));
  EXPECT_THAT(fault, ::testing::EndsWith("; and 19900 more"));
}

// Each list holds the one before twice: 2^30 values, were they written out.
TEST(SummaryConfigTest, AliasesThatMultiplyAreRefused) {
  std::string yaml = "a0: &a0 [x]\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = std::to_string(i - 1);
    yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + before + ", *a" +
            before + "]\n";
  }
  yaml += "callbacks: [{type: SummaryMonitor, formats: *a10, summary_dir: *a30}]\n";
  EXPECT_THAT(FaultOf(yaml), HasSubstr("nests deeper than 16"));
  std::string wide = "a: &a \"" + std::string(100'000, 'x') + "\"\ncallbacks:\n" +
                     "  - type: SummaryMonitor\n    formats: [";
  for (int i = 0; i < 20; ++i) wide += "*a, ";
  EXPECT_THAT(FaultOf(wide + "*a]\n"), HasSubstr("has more than 1048576 bytes"));
}

TEST(SummaryConfigTest, AnAliasOfItselfIsRefused) {
  EXPECT_THAT(FaultOf("callbacks:\n  - &m\n    type: SummaryMonitor\n    formats: [*m]\n"),
              HasSubstr("nests deeper than 16"));
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

}  // namespace
}  // namespace sightline

// What is wrong with a configuration, and texts that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sightline/collectors/config/summary_config.h"
#include "sightline/tests/collectors/config/summary_config_text.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::Fault;
using testing::FaultOf;
using ::testing::HasSubstr;
using testing::IsStatus;
using testing::MemoryFileSystem;
using testing::TempDir;
using testing::With;

TEST(SummaryConfigFaultTest, EachFaultNamesParameterValueAndWhatIsAllowed) {
  EXPECT_EQ(Fault("collect_freq: 0"), "collect_freq is 0, but must be at least 1 step");
  EXPECT_EQ(Fault("collect_freq: -3"), "collect_freq is -3, but must be at least 1 step");
  EXPECT_EQ(Fault("collect_freq: ten"), "collect_freq is ten, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: '10'"), "collect_freq is '10', but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: 1.5"), "collect_freq is 1.5, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: true"), "collect_freq is true, but must be a whole number");
  EXPECT_EQ(Fault("collect_freq: [1]"), "collect_freq is [1], but must be a whole number");
  EXPECT_EQ(Fault("collect_tensor_freq: 0"),
            "collect_tensor_freq is 0, but must be at least 1 step");
  EXPECT_EQ(Fault("summary_dir: [a]"), "summary_dir is [a], but must be a string");
  EXPECT_EQ(Fault("max_file_size: 0"), "max_file_size is 0, but must be at least 1 byte");
  EXPECT_EQ(Fault("max_file_size: 4 GX"),
            "max_file_size is 4 GX, but must be a number of bytes, not negative and below 2^63, "
            "or one with a unit, such as 500MB or 4GiB");
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
  std::string accents;  // What is long is cut between two characters.
  for (int i = 0; i < 100; ++i) accents += "\u00e9";
  EXPECT_EQ(Fault("collect_freq: x" + accents),
            "collect_freq is x" + accents.substr(0, 98) + ", but must be a whole number");
  EXPECT_EQ(Fault("summary_dir: \"a\\0b\""), "summary_dir has a NUL byte, but must be a path");
  EXPECT_EQ(Fault("summary_dir: s3://bucket/run"),
            "summary_dir is s3://bucket/run, but must be a path of this machine: record there, and "
            "copy the files that are closed");
  EXPECT_EQ(Fault("collect_freq: 010"), "collect_freq is 010, but must be a whole number");
  EXPECT_EQ(Fault("keep_default_action: maybe"),
            "keep_default_action is maybe, but must be true or false");
  EXPECT_EQ(Fault("collect_specified_data: 3"), "collect_specified_data is 3, but must be a map");
  EXPECT_EQ(Fault("collect_specified_data: {collect_graph: 3}"),
            "collect_specified_data.collect_graph is 3, but must be true or false");
  EXPECT_THAT(
      Fault("collect_specified_data: {collect_grap: true}"),
      HasSubstr("has the unknown key 'collect_grap' (did you mean 'collect_graph'?); known are"));
  EXPECT_THAT(Fault("collect_specified_data: {histogram_regular: '('}"),
              HasSubstr("histogram_regular is '('"));
  EXPECT_EQ(Fault("custom_lineage_data: {a: {b: 1}}"),
            "custom_lineage_data.a is a map, but must be a text, a number (whole ones of 64 bits), "
            "true or false, or a list of these");
  EXPECT_EQ(Fault("export_options: {tensor_format: csv}"),
            "export_options.tensor_format is csv, but must be npy or none");
  EXPECT_EQ(Fault("export_options: {format: npy}"),
            "export_options has the unknown key 'format'; known are tensor_format");
  EXPECT_EQ(Fault("formats: [csv]"),
            "formats is [csv], but must be mindspore, tensorboard or a list of them");
  EXPECT_THAT(Fault("formats: []"), HasSubstr("formats is empty"));
  EXPECT_EQ(Fault("on_file_full: wait"), "on_file_full is wait, but must be rotate or stop");
  EXPECT_THAT(Fault("colect_freq: 3"),
              HasSubstr("unknown parameter 'colect_freq' (did you mean 'collect_freq'?); known are "
                        "type, auto_register, summary_dir"));
}

TEST(SummaryConfigFaultTest, EachFaultOfAFrequencyIsNamed) {
  EXPECT_EQ(Fault("frequencies: 3"), "frequencies is 3, but must be a list of maps");
  EXPECT_EQ(Fault("frequencies: [3]"), "frequencies[0] is 3, but must be a map");
  EXPECT_EQ(
      Fault("frequencies: [3, {kind: image, every_steps: 0}]"),
      "frequencies[0] is 3, but must be a map\nfrequencies[1].every_steps is 0, but must be at "
      "least 1 step");
  EXPECT_EQ(Fault("frequencies: [{kind: graph, every_steps: 1}]"),
            "frequencies[0].kind is graph, but must be scalar or histogram or image or tensor");
  EXPECT_EQ(Fault("frequencies: [{tag: 3, every_steps: 1}]"),
            "frequencies[0].tag is 3, but must be a string");
  EXPECT_EQ(Fault("frequencies: [{kind: image, every_steps: often}]"),
            "frequencies[0].every_steps is often, but must be a whole number");
  EXPECT_EQ(Fault("frequencies: [{kind: graph, every_steps: 0}]"),
            "frequencies[0].kind is graph, but must be scalar or histogram or image or tensor\n"
            "frequencies[0].every_steps is 0, but must be at least 1 step");
  EXPECT_EQ(Fault("frequencies: [{kind: None, tag: '', every_steps: None}]"),
            "frequencies[0] has neither kind nor tag, but must say of which values it is\n"
            "frequencies[0] has none of every_steps, every_seconds and first_steps");
  EXPECT_EQ(Fault("frequencies: [{kind: image, every_steps: 1, every: 2}]"),
            "frequencies[0] has the unknown key 'every'; known are kind, tag, every_steps, "
            "every_seconds, first_steps");
  EXPECT_THAT(Fault("frequencies: [{kind: image, every_steps: 0}]"),
              HasSubstr("frequencies[0].every_steps is 0"));
}

TEST(SummaryConfigFaultTest, EachFaultOfALandscapeIsNamed) {
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

TEST(SummaryConfigFaultTest, EachFaultOfTheRecordersOptionsIsNamed) {
  EXPECT_EQ(Fault("buffer_bytes: 1"), "buffer_bytes is 1, but must be between 1 MiB and 2 GiB");
  EXPECT_THAT(Fault("buffer_bytes: -1"),
              HasSubstr("buffer_bytes is -1, but must be a number of bytes, not negative"));
  EXPECT_EQ(Fault("on_buffer_full: wait"), "on_buffer_full is wait, but must be block or drop");
  EXPECT_EQ(Fault("flush_interval: 0"),
            "flush_interval is 0, but must be a number of seconds, 0.001 to 1e9");
  EXPECT_EQ(Fault("flush_interval: nan"),
            "flush_interval is nan, but must be a number of seconds, 0.001 to 1e9");
  EXPECT_EQ(Fault("sync: always"), "sync is always, but must be never or interval or every_record");
  EXPECT_EQ(Fault("journal_dir: [x]"), "journal_dir is [x], but must be a string");
  EXPECT_EQ(Fault("workers: -1"), "workers is -1, but must be between 0 and 64");
  EXPECT_EQ(Fault("rank: 3000000000"),
            "rank is 3000000000, but must be a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(Fault("rank: 2\nworld_size: 1"),
            "rank is 2, but must be less than world_size, which is 1");
}

TEST(SummaryConfigFaultTest, AWholeNumberBeyondItsBitsIsTold) {
  const std::string range =
      ", but must be a whole number from -9223372036854775808 to 9223372036854775807";
  for (const std::string key : {"collect_freq", "collect_tensor_freq", "resume_from_step"}) {
    for (const std::string digits : {"9223372036854775808", "99999999999999999999",
                                     "+99999999999999999999", "-9223372036854775809"}) {
      EXPECT_EQ(Fault(key + ": " + digits), key + " is " + digits + range);
    }
  }
  EXPECT_EQ(Fault("collect_freq: " + std::string(400, '9')),
            "collect_freq is " + std::string(100, '9') + range);
  EXPECT_EQ(Fault("workers: 99999999999999999999"),
            "workers is 99999999999999999999, but must be a whole number from -2147483648 to "
            "2147483647");
  for (const char* size : {"99999999999999999999", "9999999 TB"}) {
    EXPECT_THAT(Fault("max_file_size: " + std::string(size)),
                HasSubstr("is " + std::string(size) +
                          ", but must be a number of bytes, not negative and below 2^63, "
                          "or one with a unit, such as 500MB or 4GiB"));
  }
  EXPECT_EQ(Fault("custom_lineage_data: {a: 99999999999999999999}"),
            "custom_lineage_data.a is 99999999999999999999, but must be a text, a number (whole "
            "ones of 64 bits), true or false, or a list of these");
  EXPECT_EQ(Fault("ranks: 99999999999999999999"),
            "ranks is 99999999999999999999, but must be all, a rank or a list of ranks, each of 64 "
            "bits");
  EXPECT_EQ(Fault("max_overhead: 99999999999999999999"),  // A number all the same.
            "max_overhead is 1e+20, but must be more than 0 and less than 1: a share of the "
            "training's time, 0.01 or 1%");
  EXPECT_EQ(Fault("max_overhead: " + std::string(400, '9')),
            "max_overhead is " + std::string(100, '9') +
                ", but must be a number, or a percentage such as 1%");
}

TEST(SummaryConfigFaultTest, AMapNeedsKeysThatAreWords) {
  EXPECT_EQ(Fault("custom_lineage_data: {[a, b]: 1}"),
            "custom_lineage_data is a map with a key that is not a string, but must be a map");
}

TEST(SummaryConfigFaultTest, ManyFaultsAreCountedNotListed) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "unknown_" + std::to_string(i) + ": 1\n";
  const std::string fault = Fault(lines);
  EXPECT_THAT(fault, HasSubstr("'unknown_99'"));
  EXPECT_THAT(fault, ::testing::EndsWith("\nand 19900 more"));
}

// Each list holds the one before twice: 2^30 values, were they written out.
TEST(SummaryConfigFaultTest, AliasesThatMultiplyAreRefused) {
  std::string yaml = "a0: &a0 [x]\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = std::to_string(i - 1);
    yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + before + ", *a" +
            before + "]\n";
  }
  yaml += "callbacks: [{type: SummaryMonitor, formats: *a10, summary_dir: *a30}]\n";
  EXPECT_THAT(FaultOf(yaml), HasSubstr("nests or merges deeper than 16"));
  std::string wide = "a: &a \"" + std::string(100'000, 'x') + "\"\ncallbacks:\n" +
                     "  - type: SummaryMonitor\n    formats: [";
  for (int i = 0; i < 20; ++i) wide += "*a, ";
  EXPECT_THAT(FaultOf(wide + "*a]\n"), HasSubstr("has more than 1048576 bytes"));
}

TEST(SummaryConfigFaultTest, AnAliasOfItselfIsRefused) {
  EXPECT_THAT(FaultOf("callbacks:\n  - &m\n    type: SummaryMonitor\n    formats: [*m]\n"),
              HasSubstr("nests or merges deeper than 16"));
}

TEST(SummaryConfigFaultTest, NamesAllFaultsAtOnce) {
  const std::string fault = Fault("collect_freq: 0\nmax_file_size: -1\nfoo: 1\non_file_full: x");
  for (const char* part : {"collect_freq", "max_file_size", "'foo'", "on_file_full"}) {
    EXPECT_THAT(fault, HasSubstr(part));
  }
}

TEST(SummaryConfigFaultTest, EachFaultIsALineAndNamesItsOwn) {
  EXPECT_EQ(FaultOf("callbacks:\n"
                    "  - type: SummaryMonitor\n"
                    "    collect_freq: 0\n"
                    "    formats: [tb, mindspore]\n"
                    "    collect_specified_data:\n"
                    "      collect_metric: maybe\n"
                    "    frequencies:\n"
                    "      - {kind: scalar, every_steps: 0}\n"
                    "    ranks: []"),
            "line 6: collect_specified_data.collect_metric is maybe, but must be true or false\n"
            "line 4: formats is [tb, mindspore], but must be mindspore, tensorboard or a list of "
            "them\n"
            "line 3: collect_freq is 0, but must be at least 1 step\n"
            "line 8: frequencies[0].every_steps is 0, but must be at least 1 step\n"
            "line 9: ranks is empty, but must name at least one; SIGHTLINE_DISABLE=1 in the "
            "environment switches recording off");
  EXPECT_THAT(FaultOf("callbacks:\n  - type: SummaryMonitor\n    colour: red"),
              ::testing::StartsWith("line 3: SummaryMonitor has the unknown parameter 'colour'"));
}

TEST(SummaryConfigFaultTest, SaysWhereTheTextIsNoConfiguration) {
  EXPECT_THAT(FaultOf("callbacks: ["), HasSubstr("line 1"));
  EXPECT_THAT(FaultOf(""), HasSubstr("there is no list of callbacks"));
  EXPECT_THAT(FaultOf("a word"), HasSubstr("there is no list of callbacks"));
  EXPECT_THAT(FaultOf("callbacks: {type: SummaryMonitor}"), HasSubstr("no list of callbacks"));
  EXPECT_THAT(FaultOf("callbacks: [3, {type: LossMonitor}]"),
              HasSubstr("none of the callbacks has the type SummaryMonitor"));
  EXPECT_THAT(FaultOf("callbacks: [{type: SummaryMonitor}, {type: SummaryMonitor}]"),
              HasSubstr("2 callbacks have the type SummaryMonitor"));
}

TEST(SummaryConfigFaultTest, DeepNestingIsAnErrorNotACrash) {
  for (const char* bracket : {"[", "{a: ", "- "}) {
    std::string yaml = "callbacks: ";
    for (int i = 0; i < 100'000; ++i) yaml += bracket;
    EXPECT_FALSE(ParseSummaryConfig(yaml).has_value()) << bracket;
  }
}

TEST(SummaryConfigFaultTest, ManyBracketsAreCountedNotRead) {
  EXPECT_THAT(FaultOf("callbacks: " + std::string(1'000'000, '[')),
              HasSubstr("1000000 opening brackets, but at most 10000"));
  EXPECT_THAT(FaultOf(std::string(std::size_t{1} << 20, ' ') + "callbacks: []"),
              HasSubstr("at most 1048576"));
}

// Whatever the text, there is an answer.
TEST(SummaryConfigFaultTest, ChangedTextsAreReadOrRefused) {
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
              IsStatus(StatusCode::kInvalidArgument, path + ": line 3: collect_freq is 0"));
}

}  // namespace
}  // namespace sightline

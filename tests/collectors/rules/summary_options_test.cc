#include "sightline/collectors/rules/summary_options.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::testing::ElementsAre;

// The message of bad options, or "".
std::string Fault(const SummaryOptions& options) {
  const Status status = options.Check();
  EXPECT_TRUE(status.ok() || status.code() == StatusCode::kInvalidArgument) << status.ToString();
  return std::string(status.message());
}

TEST(SummaryOptions, AreFineByDefault) { EXPECT_THAT(SummaryOptions().Check(), IsOk()); }

TEST(SummaryOptions, NameABadCollectFreq) {
  EXPECT_EQ(Fault({.collect_freq = 0}), "collect_freq is 0, but must be at least 1 step");
}

TEST(SummaryOptions, NameABadCollectTensorFreq) {
  EXPECT_EQ(Fault({.collect_tensor_freq = -3}),
            "collect_tensor_freq is -3, but must be at least 1 step");
}

TEST(SummaryOptions, NameABadMaxFileSize) {
  EXPECT_EQ(Fault({.max_file_size = 0}), "max_file_size is 0, but must be at least 1 byte");
}

TEST(SummaryOptions, NameBadFormats) {
  EXPECT_EQ(Fault({.formats = {}}),
            "formats is empty, but must name mindspore, tensorboard or both, each once");
  EXPECT_EQ(
      Fault({.formats = {Format::kTensorBoard, Format::kMindSpore, Format::kTensorBoard}}),
      "formats names tensorboard 2 times, but must name mindspore, tensorboard or both, each once");
}

TEST(SummaryOptions, NameABadHistogramRegular) {
  SummaryOptions options;
  options.collect_specified_data.histogram_regular = "conv(";
  EXPECT_THAT(
      Fault(options),
      ::testing::StartsWith("histogram_regular is 'conv(', but must be a regular expression"));
}

TEST(SummaryOptions, NameABadLineageKey) {
  EXPECT_EQ(Fault({.custom_lineage_data = {{"", std::int64_t{1}}}}),
            "custom_lineage_data has an empty key, but every pair needs a name");
  EXPECT_EQ(
      Fault({.custom_lineage_data = {{"a\xff", std::int64_t{1}}}}),
      "custom_lineage_data has the key 'a\uFFFD', but keys must be UTF-8 of at most 4096 bytes");
}

TEST(SummaryOptions, NameWhatTheRecorderRefuses) {
  SummaryOptions options;
  options.writing.workers = -1;
  EXPECT_THAT(Fault(options), ::testing::HasSubstr("workers is -1"));
}

TEST(SummaryOptions, NameABadStepToResumeFrom) {
  EXPECT_EQ(Fault({.resume_from_step = -1}),
            "resume_from_step is -1, but must be a step, at least 0");
}

TEST(SummaryOptions, NameABadOverhead) {
  EXPECT_EQ(Fault({.max_overhead = std::nan("")}),
            "max_overhead is nan, but must be more than 0 and less than 1: a share of the "
            "training's time, 0.01 or 1%");
  EXPECT_EQ(Fault({.max_overhead = 0.01}), "");
}

TEST(SummaryOptions, NameEveryFaultAtOnce) {
  EXPECT_EQ(Fault({.collect_freq = -1, .collect_tensor_freq = 0, .max_file_size = 0}),
            "collect_freq is -1, but must be at least 1 step; "
            "collect_tensor_freq is 0, but must be at least 1 step; "
            "max_file_size is 0, but must be at least 1 byte");
}

TEST(SummaryOptions, BecomeTheRecordersOptions) {
  SummaryOptions options{.max_file_size = 1000,
                         .export_options = {.tensor_format = TensorFormat::kNpy},
                         .formats = {Format::kTensorBoard}};
  options.writing.workers = 3;
  options.resume_from_step = 501;
  const RecorderOptions recorder = options.ForRecorder();
  EXPECT_EQ(recorder.max_file_size, 1000U);
  EXPECT_TRUE(recorder.export_npy);
  EXPECT_THAT(recorder.formats, ElementsAre(Format::kTensorBoard));
  EXPECT_EQ(recorder.writing.workers, 3);
  EXPECT_EQ(recorder.resume_from_step, 501);
}

TEST(SummaryOptions, HaveNoFileLimitByDefault) {
  EXPECT_EQ(SummaryOptions().ForRecorder().max_file_size, std::nullopt);
}

class LauncherTest : public ::testing::Test {
 protected:
  LauncherTest() { Clear(); }
  ~LauncherTest() override { Clear(); }

  static void Clear() {
    for (const char* variable : {"RANK_ID", "OMPI_COMM_WORLD_RANK", "RANK", "SLURM_PROCID",
                                 "RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "WORLD_SIZE", "SLURM_NTASKS"})
      unsetenv(variable);
  }
  static void Set(const char* variable, const char* value) { setenv(variable, value, 1); }
};

TEST_F(LauncherTest, TheDefaultDirectoryIsRankZerosWithoutOne) {
  EXPECT_EQ(DefaultSummaryDir(), "./output/summary/rank_0");
}

TEST_F(LauncherTest, TheDefaultDirectoryIsThatOfTheRank) {
  Set("SLURM_PROCID", "4");
  EXPECT_EQ(DefaultSummaryDir(), "./output/summary/rank_4");
  Set("RANK", "3");
  EXPECT_EQ(DefaultSummaryDir(), "./output/summary/rank_3");
  Set("OMPI_COMM_WORLD_RANK", "2");
  EXPECT_EQ(DefaultSummaryDir(), "./output/summary/rank_2");
  Set("RANK_ID", "1");
  EXPECT_EQ(DefaultSummaryDir(), "./output/summary/rank_1");
}

TEST_F(LauncherTest, PassesOverWhatIsNoRank) {
  Set("RANK_ID", "");
  Set("OMPI_COMM_WORLD_RANK", "two");
  Set("RANK", "-1");
  Set("SLURM_PROCID", "7");
  EXPECT_EQ(DefaultSummaryDir(), "./output/summary/rank_7");
}

}  // namespace
}  // namespace sightline

#include "sightline/collectors/collect/landscape_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FileOperation;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;
using testing::TempDir;

LandscapeOptions Options(LandscapeUnit unit, std::vector<std::vector<std::int64_t>> intervals) {
  return {.unit = unit, .intervals = std::move(intervals)};
}

// The steps of 1 to 100 after which a checkpoint is saved, found in both ways.
std::vector<std::int64_t> StepsOf(const LandscapeSchedule& schedule) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 1; step <= 100; ++step)
    if (schedule.CheckpointAt(step)) steps.push_back(step);
  std::vector<std::int64_t> walked;
  for (std::int64_t step = schedule.NextAfter(0); step <= 100; step = schedule.NextAfter(step))
    walked.push_back(step);
  EXPECT_EQ(steps, walked);
  return steps;
}

TEST(LandscapeScheduleTest, StepsAreThoseOfTheIntervals) {
  const auto options = Options(LandscapeUnit::kStep, {{1, 2, 3}, {3, 7, 20}});
  EXPECT_THAT(StepsOf({options, 10, false}), ElementsAre(1, 2, 3, 7, 20));
  EXPECT_THAT(StepsOf({options, 0, false}), ElementsAre(1, 2, 3, 7, 20));
}

TEST(LandscapeScheduleTest, AnEpochIsItsLastStep) {
  const LandscapeSchedule schedule(Options(LandscapeUnit::kEpoch, {{1, 2, 4}}), 10, false);
  EXPECT_THAT(StepsOf(schedule), ElementsAre(10, 20, 40));
  EXPECT_EQ(schedule.CheckpointAt(40), 4);
}

TEST(LandscapeScheduleTest, InSinkModeAStepIsAnEpoch) {
  EXPECT_THAT(StepsOf({Options(LandscapeUnit::kEpoch, {{1, 2, 4}}), 10, true}),
              ElementsAre(1, 2, 4));
  // Nobody sees the weights after step 25.
  EXPECT_THAT(StepsOf({Options(LandscapeUnit::kStep, {{10, 20, 25, 30}}), 10, true}),
              ElementsAre(1, 2, 3));
}

TEST(LandscapeScheduleTest, WithoutTheLengthOfAnEpochItsEndIsNotKnown) {
  EXPECT_TRUE(LandscapeSchedule(Options(LandscapeUnit::kEpoch, {{1, 2, 4}}), 0, false).empty());
}

TEST(LandscapeMetadataTest, IsWhatMindSporeWrites) {
  LandscapeOptions options = Options(LandscapeUnit::kEpoch, {{1, 2, 3}});
  options.landscape_size = 10;
  options.num_samples = 64;
  const std::string text = LandscapeMetadata(
      options, 10, {{1, "/run/ckpt_dir/LeNet5_1_epoch.ckpt"}, {2, "/2"}, {3, "/3"}});
  EXPECT_EQ(
      text,
      R"({"epoch_group":{"0":[1,2,3]},)"
      R"("model_params_file_map":{"1":"/run/ckpt_dir/LeNet5_1_epoch.ckpt","2":"/2","3":"/3"},)"
      R"("step_per_epoch":10,"unit":"epoch","num_samples":64,"landscape_size":10,)"
      R"("create_landscape":{"train":true,"result":true}})");
}

TEST(LandscapeMetadataTest, HasOnlyWhatWasSaved) {
  const std::string text = LandscapeMetadata(
      Options(LandscapeUnit::kStep, {{1, 2, 3}, {7, 8, 9}, {3, 4, 5}}), 0, {{1, "a"}, {3, "b"}});
  EXPECT_THAT(text, HasSubstr(R"("epoch_group":{"0":[1,3],"2":[3]})"));
}

class LandscapeCollectorTest : public ::testing::Test {
 protected:
  // Saves into the path it gets, as a trainer does.
  LandscapeCollector::Save save = [this](const std::string& path) {
    saved.push_back(path);
    testing::WriteFileOrDie(path, "weights");
    return Status();
  };
  std::string Metadata() {
    return testing::ReadFileOrDie(directory.path() + "/ckpt_dir/train_metadata.json");
  }
  LandscapeCollector Collector() {
    LandscapeCollector collector(options, save, FileSystem::Local(), directory.path());
    collector.Begin({.steps_per_epoch = 10, .network = "LeNet5"});
    return collector;
  }

  TempDir directory;
  LandscapeOptions options = Options(LandscapeUnit::kStep, {{2, 4, 6}});
  std::vector<std::string> saved;
};

TEST_F(LandscapeCollectorTest, SavesTheStepsOfTheIntervalsUnderMindSporesNames) {
  LandscapeCollector collector = Collector();
  for (std::int64_t step = 1; step <= 10; ++step) EXPECT_THAT(collector.EndStep(step), IsOk());
  const std::string folder = directory.path() + "/ckpt_dir/";
  EXPECT_THAT(saved, ElementsAre(folder + "LeNet5_2_step.ckpt", folder + "LeNet5_4_step.ckpt",
                                 folder + "LeNet5_6_step.ckpt"));
  EXPECT_THAT(Metadata(), HasSubstr(R"("epoch_group":{"0":[2,4,6]})"));
  EXPECT_THAT(Metadata(), HasSubstr(R"("2":")" + folder + "LeNet5_2_step.ckpt\""));
}

TEST_F(LandscapeCollectorTest, AStepThatEndsTwiceIsSavedOnce) {
  LandscapeCollector collector = Collector();
  EXPECT_THAT(collector.EndStep(2), IsOk());
  EXPECT_THAT(collector.EndStep(2), IsOk());
  EXPECT_EQ(saved.size(), 1U);
}

TEST_F(LandscapeCollectorTest, ARunThatGoesOnKeepsTheEarlierCheckpoints) {
  EXPECT_THAT(Collector().EndStep(2), IsOk());
  EXPECT_THAT(Collector().EndStep(4), IsOk());
  EXPECT_THAT(Metadata(), HasSubstr(R"("epoch_group":{"0":[2,4]})"));
}

TEST_F(LandscapeCollectorTest, MetadataThatIsNoneIsReplaced) {
  for (const char* text : {"", "{", "[]", R"({"unit": 3})", R"({"unit": "epoch",
       "model_params_file_map": {"1": "x"}})",
                           R"({"unit": "step", "model_params_file_map": 3})",
                           R"({"unit": "step", "model_params_file_map": {"x": "y", "1": 3}})"}) {
    FileSystem::Local().CreateDirectories(directory.path() + "/ckpt_dir").message();
    testing::WriteFileOrDie(directory.path() + "/ckpt_dir/train_metadata.json", text);
    EXPECT_THAT(Collector().EndStep(2), IsOk());
    EXPECT_THAT(Metadata(), HasSubstr(R"("model_params_file_map":{"2":)")) << text;
  }
}

TEST_F(LandscapeCollectorTest, MetadataThatCannotBeWrittenLeavesTheEarlierOnesAndNothingElse) {
  EXPECT_THAT(Collector().EndStep(2), IsOk());
  const std::string earlier = Metadata();
  for (const FileOperation operation : {FileOperation::kOpenForWrite, FileOperation::kWriteAt,
                                        FileOperation::kClose, FileOperation::kRename}) {
    testing::FaultyFileSystem faulty(FileSystem::Local());
    faulty.KeepOfFailedWrites(2);
    faulty.FailEvery(operation, "train_metadata", StatusCode::kIoError);
    LandscapeCollector collector(options, save, faulty, directory.path());
    collector.Begin({.steps_per_epoch = 10, .network = "LeNet5"});
    EXPECT_THAT(collector.EndStep(4), IsStatus(StatusCode::kIoError, "train_metadata"));
    EXPECT_EQ(Metadata(), earlier);
    const auto names = FileSystem::Local().List(directory.path() + "/ckpt_dir");
    ASSERT_THAT(names, IsOk());
    EXPECT_THAT(*names,
                ElementsAre("LeNet5_2_step.ckpt", "LeNet5_4_step.ckpt", "train_metadata.json"))
        << testing::FileOperationName(operation);
  }
}

TEST_F(LandscapeCollectorTest, AFailureToSaveIsReported) {
  save = [](const std::string&) { return Status(StatusCode::kIoError, "disk full"); };
  EXPECT_THAT(Collector().EndStep(2), IsStatus(StatusCode::kIoError, "save_checkpoint: disk full"));
  save = [](const std::string&) { return Status(); };
  EXPECT_THAT(Collector().EndStep(2),
              IsStatus(StatusCode::kFailedPrecondition, "save_checkpoint left no file"));
}

}  // namespace
}  // namespace sightline

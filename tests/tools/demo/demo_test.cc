#include "sightline/tools/demo/demo.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"
#include "sightline/tools/demo/digits_trainer.h"

namespace sightline::demo {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class DigitsTrainerTest : public ::testing::Test {
 protected:
  const Digits digits = ReadDigits(EmbeddedDigits()).value();
};

TEST_F(DigitsTrainerTest, LearnsToKnowMoreThan95Percent) {
  DigitsTrainer trainer(digits, {.epochs = 6});
  while (trainer.step() < trainer.total_steps()) trainer.TrainStep();
  EXPECT_GT(trainer.TestAccuracy(), 0.95);
  EXPECT_LT(trainer.loss(), 0.2);
}

TEST_F(DigitsTrainerTest, KeepsTestImagesOutOfTheTraining) {
  const DigitsTrainer trainer(digits, {});
  EXPECT_EQ(trainer.train_images() + trainer.test_images(), digits.count());
  EXPECT_EQ(trainer.test_images(), 359);
}

TEST_F(DigitsTrainerTest, RepeatsItselfWithTheSameSeed) {
  std::vector<double> losses;
  for (const std::uint64_t seed : {7U, 7U, 8U}) {
    DigitsTrainer trainer(digits, {.epochs = 1, .seed = seed});
    for (int i = 0; i < 5; ++i) trainer.TrainStep();
    losses.push_back(trainer.loss());
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_NE(losses[0], losses[2]);
}

TEST_F(DigitsTrainerTest, IsNotDisturbedByATest) {
  std::vector<double> losses;
  for (const bool test : {false, true}) {
    DigitsTrainer trainer(digits, {.epochs = 1});
    for (int i = 0; i < 5; ++i) {
      trainer.TrainStep();
      if (test) trainer.TestAccuracy();
    }
    losses.push_back(trainer.loss());
  }
  EXPECT_EQ(losses[0], losses[1]);
}

// The landscapes of a training, small ones.
TEST(DemoLandscape, IsComputedRecordedAndDrawn) {
  const TempDir dir;
  const std::string directory = dir.path() + "/run";
  const auto report =
      RunDemo({.directory = directory, .epochs = 3, .overhead_pairs = 0, .landscape_size = 3},
              [](std::string_view) {});
  ASSERT_THAT(report, IsOk());
  ASSERT_THAT(report->landscapes, SizeIs(2));
  for (const std::string& path : report->landscapes) {
    std::ifstream picture(path);
    std::string text((std::istreambuf_iterator<char>(picture)), std::istreambuf_iterator<char>());
    EXPECT_THAT(text, AllOf(StartsWith("<"), HasSubstr("</svg>"))) << path;
  }
  std::vector<std::string> tags;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ".points") tags.push_back(entry.path().filename());
  EXPECT_THAT(tags, ::testing::UnorderedElementsAre(".landscape_1_3_PCA.points",
                                                    ".landscape_3_Random.points"));
}

TEST(DemoLandscape, NeedsThreeEpochs) {
  const TempDir dir;
  const auto report = RunDemo({.directory = dir.path() + "/run", .epochs = 2, .landscape_size = 3},
                              [](std::string_view) {});
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error(), IsStatus(StatusCode::kInvalidArgument, "needs 3 epochs"));
}

class DemoTest : public ::testing::Test {
 protected:
  // One epoch: 44 steps.
  Result<DemoReport> Run(DemoOptions options = {}) {
    options.directory = directory;
    options.epochs = 1;
    options.overhead_pairs = 0;
    return RunDemo(options, [this](std::string_view line) { said.emplace_back(line); });
  }

  TempDir dir;
  const std::string directory = dir.File("run");
  std::vector<std::string> said;
};

TEST_F(DemoTest, RecordsEveryKindOfEveryStep) {
  const auto report = Run();
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->steps, 44);
  const RecordedRun run = ReadRun(directory);
  EXPECT_TRUE(run.sound());
  const std::vector<std::string> values = RecordedRun::Values(run.mindspore);
  for (const std::string step : {"1 ", "2 ", "43 ", "44 "}) {
    for (const std::string value :
         {"loss/auto=", "learning_rate/auto=", "accuracy=", "input_data/auto:image=32x64",
          "conv1.weight/auto:histogram=288", "conv1.bias/auto:histogram=32",
          "conv2.weight/auto:histogram=9216", "dense1.weight/auto:histogram=8192",
          "dense2.bias/auto:histogram=10", "activation/dense1:tensor="}) {
      EXPECT_THAT(values, Contains(StartsWith(step + value)).Times(1));
    }
  }
  EXPECT_THAT(values, Contains("0 :graph=DigitsNet").Times(1));
  EXPECT_THAT(values, Contains(StartsWith("44 eval/accuracy=")).Times(1));
  EXPECT_THAT(run.npy, SizeIs(44));
}

TEST_F(DemoTest, RecordsTheSameScalarsInBothDialects) {
  ASSERT_THAT(Run(), IsOk());
  const RecordedRun run = ReadRun(directory);
  const auto scalars = [](const std::vector<testing::RecordedFile>& files) {
    std::vector<std::string> texts;
    for (const std::string& value : RecordedRun::Values(files)) {
      if (value.find(':') == std::string::npos) texts.push_back(value);
    }
    return texts;
  };
  EXPECT_THAT(scalars(run.mindspore), SizeIs(44 * 3 + 43 * 2 + 1));
  EXPECT_EQ(scalars(run.mindspore), scalars(run.tensorboard));
}

TEST_F(DemoTest, RecordsLineage) {
  ASSERT_THAT(Run(), IsOk());
  const std::vector<std::string> lineage = RecordedRun::Values(ReadRun(directory).lineage);
  EXPECT_THAT(lineage, Contains(StartsWith("0 custom:lineage=")));
  EXPECT_THAT(lineage, Contains(StartsWith("0 train:lineage=DigitsNet loss=")));
  EXPECT_THAT(lineage, Contains(AllOf(HasSubstr("eval:lineage="), HasSubstr("accuracy"))));
}

TEST_F(DemoTest, WritesOnlyTheFormatsAskedFor) {
  ASSERT_THAT(Run({.formats = {Format::kTensorBoard}}), IsOk());
  const RecordedRun run = ReadRun(directory);
  EXPECT_THAT(run.mindspore, IsEmpty());
  EXPECT_THAT(run.tensorboard, SizeIs(1));
}

TEST_F(DemoTest, SaysWhatItDoes) {
  ASSERT_THAT(Run(), IsOk());
  EXPECT_THAT(said, Contains(HasSubstr("recording every step to " + directory)));
  EXPECT_THAT(said, Contains(StartsWith("epoch 1 of 1: loss ")));
  EXPECT_THAT(said, Contains(StartsWith("recorded ")));
}

TEST_F(DemoTest, RefusesADirectoryThatIsNotEmpty) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory + "/file") << "mine";
  const auto report = Run();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error(), IsStatus(StatusCode::kAlreadyExists, directory));
}

TEST_F(DemoTest, RefusesNoEpochs) {
  const auto report = RunDemo({.directory = directory, .epochs = 0}, [](std::string_view) {});
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error(), IsStatus(StatusCode::kInvalidArgument, "epochs is 0"));
}

TEST_F(DemoTest, MeasuresWhatRecordingCostsAndCleansUp) {
  const Digits digits = ReadDigits(EmbeddedDigits()).value();
  const auto overhead = MeasureOverhead(digits, {.collect_freq = 1}, directory, 1);
  ASSERT_THAT(overhead, IsOk());
  EXPECT_EQ(overhead->pairs, 1);
  EXPECT_GT(overhead->step_milliseconds, 0);
  EXPECT_GT(overhead->caller_microseconds, 0);
  EXPECT_GT(overhead->worker_microseconds, 0);
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST_F(DemoTest, MeasuresInNoDirectoryThatExists) {
  std::filesystem::create_directories(directory);
  const Digits digits = ReadDigits(EmbeddedDigits()).value();
  const auto overhead = MeasureOverhead(digits, {}, directory, 1);
  ASSERT_FALSE(overhead);
  EXPECT_THAT(overhead.error(), IsStatus(StatusCode::kAlreadyExists, directory));
  EXPECT_TRUE(std::filesystem::exists(directory));
}

}  // namespace
}  // namespace sightline::demo

#include "sightline/landscape/checkpoints/train_metadata.h"

#include <sys/stat.h>

#include "sightline/tests/landscape/checkpoint_bytes.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::MemoryFileSystem;
using sightline::testing::MindSporeTensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kText[] =
    R"({"epoch_group": {"10": [7, 8, 9], "2": [1, 2, 3]},)"
    R"( "model_params_file_map": {"1": "/gone/net_1.ckpt", "2": "elsewhere/net_2.ckpt"},)"
    R"( "step_per_epoch": 5, "unit": "epoch", "num_samples": 64, "landscape_size": 10,)"
    R"( "create_landscape": {"train": true, "result": false}})";

std::string ProblemOf(const std::string& text) {
  MemoryFileSystem files;
  files.Put("run/ckpt_dir/train_metadata.json", text);
  const auto metadata = ReadTrainMetadata("run", {}, &files);
  return metadata ? "none" : metadata.error().ToString();
}

TEST(TrainMetadata, IsFoundInTheRunItsFolderAndByName) {
  MemoryFileSystem files;
  files.Put("run/ckpt_dir/train_metadata.json", kText);
  for (const char* path : {"run", "run/ckpt_dir", "run/ckpt_dir/train_metadata.json"}) {
    const auto metadata = ReadTrainMetadata(path, {}, &files);
    ASSERT_THAT(metadata, IsOk()) << path;
    EXPECT_EQ(metadata->run_directory, "run");
    EXPECT_THAT(metadata->intervals, ElementsAre(ElementsAre(1, 2, 3), ElementsAre(7, 8, 9)));
    EXPECT_EQ(metadata->landscape_size, 10);
    EXPECT_EQ(metadata->unit, "epoch");
    EXPECT_EQ(metadata->step_per_epoch, 5);
    EXPECT_TRUE(metadata->create_train);
    EXPECT_FALSE(metadata->create_result);
  }
}

TEST(TrainMetadata, FindsCheckpointsBesideItWhereItsPathsAreGone) {
  MemoryFileSystem files;
  files.Put("run/ckpt_dir/train_metadata.json", kText);
  files.Put("run/ckpt_dir/net_1.ckpt", MindSporeTensor("beside", {1}, {1}));
  files.Put("run/ckpt_dir/net_2.ckpt", MindSporeTensor("beside", {1}, {1}));
  files.Put("elsewhere/net_2.ckpt", MindSporeTensor("named", {1}, {1}));
  const auto metadata = ReadTrainMetadata("run", {}, &files);
  ASSERT_THAT(metadata, IsOk());
  EXPECT_EQ(OpenCheckpoint(*metadata, 1)->tensors()[0].name, "beside");
  EXPECT_EQ(OpenCheckpoint(*metadata, 2)->tensors()[0].name, "named");
}

TEST(TrainMetadata, NamesTheCheckpointThatIsNowhere) {
  MemoryFileSystem files;
  files.Put("run/ckpt_dir/train_metadata.json", kText);
  const auto metadata = ReadTrainMetadata("run", {}, &files);
  ASSERT_THAT(metadata, IsOk());
  EXPECT_THAT(
      OpenCheckpoint(*metadata, 1).error().ToString(),
      HasSubstr("of epoch 1 is neither at /gone/net_1.ckpt nor at run/ckpt_dir/net_1.ckpt"));
  EXPECT_THAT(OpenCheckpoint(*metadata, 7).error().ToString(),
              HasSubstr("has no checkpoint of epoch 7"));
}

TEST(TrainMetadata, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(ProblemOf("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(ProblemOf("{"), HasSubstr("not a JSON object"));
  EXPECT_THAT(ProblemOf("{}"), HasSubstr("'epoch_group'"));
  EXPECT_THAT(ProblemOf(R"({"epoch_group": {"0": ["a"]}})"), HasSubstr("'epoch_group'"));
  EXPECT_THAT(ProblemOf(R"({"epoch_group": {"0": []}})"), HasSubstr("'epoch_group'"));
  EXPECT_THAT(ProblemOf(R"({"epoch_group": {"0": [1]}})"), HasSubstr("'model_params_file_map'"));
  const std::string rest = R"({"epoch_group": {"0": [1]}, "model_params_file_map": {}, )";
  EXPECT_THAT(ProblemOf(rest + R"("landscape_size": 2})"),
              HasSubstr("'landscape_size' is not a whole number from 3 to 256"));
  EXPECT_THAT(ProblemOf(rest + R"("unit": "day"})"), HasSubstr("'unit'"));
  EXPECT_THAT(ProblemOf(rest + R"("num_samples": 1.5})"), HasSubstr("'num_samples'"));
  EXPECT_THAT(ProblemOf(rest + R"("create_landscape": {"train": 1}})"), HasSubstr("'train'"));
}

TEST(TrainMetadata, SaysWhereItLooked) {
  MemoryFileSystem files;
  files.Put("run/other", "");
  EXPECT_THAT(ReadTrainMetadata("run", {}, &files).error().ToString(),
              HasSubstr("run: there is no train_metadata.json in it or in its ckpt_dir"));
}

TEST(TrainMetadata, WaitsForNoPipe) {
  const sightline::testing::TempDir dir;
  ASSERT_EQ(mkfifo(dir.File("train_metadata.json").c_str(), 0600), 0);
  EXPECT_THAT(ReadTrainMetadata(dir.path()).error().ToString(), HasSubstr("not a regular file"));
}

TEST(TrainMetadata, DeepNestingIsNotRead) {
  // A tree of this would take half a GB.
  EXPECT_THAT(ProblemOf(std::string(8'000'000, '[')), HasSubstr("not a JSON object"));
  EXPECT_THAT(
      ProblemOf(R"({"a": )" + std::string(8'000'000, '[') + std::string(8'000'000, ']') + "}"),
      HasSubstr("not a JSON object"));
}

TEST(TrainMetadata, TakesChangesInPlaceOfItsFields) {
  MemoryFileSystem files;
  files.Put("run/ckpt_dir/train_metadata.json", kText);
  const auto metadata = ReadTrainMetadata(
      "run", R"({"landscape_size": 20, "epoch_group": {"0": [1, 2, 3]}})", &files);
  ASSERT_THAT(metadata, IsOk());
  EXPECT_EQ(metadata->landscape_size, 20);
  EXPECT_THAT(metadata->intervals, ElementsAre(ElementsAre(1, 2, 3)));
  EXPECT_EQ(metadata->num_samples, 64);
  EXPECT_EQ(metadata->run_directory, "run");
}

TEST(TrainMetadata, NamesAChangeThatCannotBe) {
  MemoryFileSystem files;
  files.Put("run/ckpt_dir/train_metadata.json", kText);
  const auto wrong = ReadTrainMetadata("run", R"({"landscape_size": 2})", &files);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_THAT(wrong.error(), IsStatus(StatusCode::kInvalidArgument, "'landscape_size'"));
  const auto none = ReadTrainMetadata("run", "[]", &files);
  ASSERT_FALSE(none.has_value());
  EXPECT_THAT(none.error(), IsStatus(StatusCode::kInvalidArgument, "not a JSON object"));
}

}  // namespace
}  // namespace sightline::landscape

#include "sightline/import/mlflow/run_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sightline/runs/model/run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;

TEST(FolderName, HasNothingThatAFolderCannotHave) {
  EXPECT_EQ(FolderName("a/b\nc\x7f"), "a_b_c_");
  EXPECT_EQ(FolderName(".."), "_.");
  EXPECT_EQ(FolderName(""), "unnamed");
  EXPECT_EQ(FolderName("模型"), "模型");
  EXPECT_EQ(FolderName(std::string(300, 'x')).size(), 100U);
  EXPECT_EQ(FolderName(std::string(99, 'x') + "模"), std::string(99, 'x'));
}

TEST(RunFolders, RunsOfOneNameHaveNumbers) {
  const testing::TempDir dir;
  RunFolders folders(dir.path());
  for (const char* name : {"a", "a-2", "a", "a", ""}) {
    const auto writer = folders.Begin({.id = "r1", .name = name, .experiment = "e"});
    ASSERT_THAT(writer, IsOk());
    EXPECT_THAT((*writer)->End(), IsOk());
  }
  for (const char* name : {"a", "a-2", "a-3", "a-4", "r1"})
    EXPECT_TRUE(std::filesystem::exists(dir.File("e/" + std::string(name)))) << name;
}

TEST(RunFolders, APointKeepsItsStepTimeAndValue) {
  const testing::TempDir dir;
  RunFolders folders(dir.path());
  const auto writer = folders.Begin({.id = "r1", .name = "a", .experiment = "e", .started = 1000});
  ASSERT_THAT(writer, IsOk());
  (*writer)->AddScalar("loss", -5, 2500, 0.1);
  ASSERT_THAT((*writer)->End(), IsOk());
  const auto run = sightline::Run::Open(dir.File("e/a"));
  ASSERT_THAT(run, IsOk());
  const Series* const loss = (*run)->Find(ContentKind::kScalar, "loss");
  ASSERT_NE(loss, nullptr);
  EXPECT_EQ(loss->steps()[0], -5);
  EXPECT_EQ(loss->wall_times()[0], 2.5);
  EXPECT_EQ(loss->values()[0], 0.1);
}

}  // namespace
}  // namespace sightline

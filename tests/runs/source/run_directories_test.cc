#include "sightline/runs/source/run_directories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using testing::kMindSporeName;
using testing::kTensorBoardName;

class RunDirectoriesTest : public ::testing::Test {
 protected:
  static std::vector<std::string> Names(FileSystem& fs, const std::string& directory) {
    const auto found = FindRunDirectories(fs, directory);
    EXPECT_THAT(found, IsOk());
    std::vector<std::string> names;
    for (const RunDirectory& run : *found) names.push_back(run.name);
    return names;
  }

  testing::MemoryFileSystem fs_;
};

TEST_F(RunDirectoriesTest, ADirectoryThatHoldsEventFilesIsARun) {
  fs_.Put(std::string("out/") + kMindSporeName, "");
  fs_.Put(std::string("out/b/") + kTensorBoardName, "");
  fs_.Put(std::string("out/a/deep/") + kMindSporeName, "");
  fs_.Put("out/empty/notes.txt", "");
  EXPECT_THAT(Names(fs_, "out"), ElementsAre(".", "a/deep", "b"));
  EXPECT_THAT(Names(fs_, "out/a"), ElementsAre("deep"));
  EXPECT_THAT(Names(fs_, "out/empty"), IsEmpty());
  EXPECT_THAT(FindRunDirectories(fs_, "nowhere").error(),
              IsStatus(StatusCode::kNotFound, "nowhere"));
}

TEST_F(RunDirectoriesTest, WhatAnExportHasNotCompletedIsNoRun) {
  fs_.Put(std::string("out/.runs.sightline-17-0.tmp/a/") + kTensorBoardName, "");
  fs_.Put(std::string("out/.hidden/") + kTensorBoardName, "");
  EXPECT_THAT(Names(fs_, "out"), ElementsAre(".hidden"));
}

TEST_F(RunDirectoriesTest, RunsAreInNaturalOrder) {
  for (const char* const name : {"run10", "run2", "run1", "sub/9", "sub/10"})
    fs_.Put(std::string("out/") + name + "/" + kMindSporeName, "");
  EXPECT_THAT(Names(fs_, "out"), ElementsAre("run1", "run2", "run10", "sub/9", "sub/10"));
}

TEST_F(RunDirectoriesTest, FoldersThatCannotBeListedAreLeftOut) {
  testing::FaultyFileSystem faulty(fs_);
  fs_.Put(std::string("out/mine/") + kMindSporeName, "");
  fs_.Put(std::string("out/private/") + kMindSporeName, "");
  faulty.FailEvery(testing::FileOperation::kList, "private", StatusCode::kPermissionDenied);
  EXPECT_THAT(Names(faulty, "out"), ElementsAre("mine"));
}

TEST(RunDirectoriesCorpusTest, ARunBelowManyFoldersIsFound) {
  const auto found = FindRunDirectories(FileSystem::Local(), testing::CorpusPath("wild/deep"));
  ASSERT_THAT(found, IsOk());
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().name, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o");
}

TEST(RunDirectoriesCorpusTest, AFolderThatIsItsOwnAncestorIsNotEntered) {
  const testing::TempDir dir;
  const std::string run = dir.File("a/run");
  std::filesystem::create_directories(run);
  testing::WriteFileOrDie(run + "/" + kTensorBoardName, "");
  for (const char* const name : {"one", "two", "three"})
    std::filesystem::create_directory_symlink(".", run + "/" + name);
  std::filesystem::create_directory_symlink("..", run + "/up");
  // A link that does not lead up is another name of the run.
  std::filesystem::create_directory_symlink("run", dir.File("a/link"));
  const auto found = FindRunDirectories(FileSystem::Local(), dir.path());
  ASSERT_THAT(found, IsOk());
  std::vector<std::string> names;
  for (const RunDirectory& directory : *found) names.push_back(directory.name);
  EXPECT_THAT(names, ElementsAre("a/link", "a/run"));
}

TEST_F(RunDirectoriesTest, FoldersAreFollowedToABound) {
  std::string path = "out";
  for (int depth = 0; depth < kMaxRunDepth + 8; ++depth) {
    path += "/d";
    fs_.Put(path + "/" + kMindSporeName, "");
  }
  EXPECT_EQ(Names(fs_, "out").size(), static_cast<std::size_t>(kMaxRunDepth));
}

}  // namespace
}  // namespace sightline

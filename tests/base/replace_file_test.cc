#include "sightline/base/replace_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FaultyFileSystem;
using testing::FileOperation;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;

class ReplaceFileTest : public ::testing::Test {
 protected:
  ReplaceFileTest() { EXPECT_THAT(memory_.CreateDirectories("run"), IsOk()); }

  static Status WriteInTwoPieces(WritableFile& out) {
    SIGHTLINE_RETURN_IF_ERROR(out.WriteAt(0, "new "));
    return out.WriteAt(4, "text");
  }
  static Status Replace(FileSystem& files) {
    return ReplaceFile(files, "run/a", "run/a.half", WriteInTwoPieces);
  }

  testing::MemoryFileSystem memory_;
  FaultyFileSystem files_{memory_};
};

TEST_F(ReplaceFileTest, MakesAFileAndNothingElse) {
  EXPECT_THAT(Replace(memory_), IsOk());
  EXPECT_EQ(memory_.Get("run/a"), "new text");
  EXPECT_THAT(memory_.Files(), ElementsAre("run/a"));
}

TEST_F(ReplaceFileTest, ReplacesWhatIsThereWhateverItsSize) {
  memory_.Put("run/a", "an old text, longer than the new one");
  EXPECT_THAT(Replace(memory_), IsOk());
  EXPECT_EQ(memory_.Get("run/a"), "new text");
}

TEST_F(ReplaceFileTest, UntilTheFileIsWholeItHasTheTemporaryName) {
  memory_.Put("run/a", "old");
  EXPECT_THAT(ReplaceFile(memory_, "run/a", "run/a.half",
                          [this](WritableFile& out) {
                            EXPECT_THAT(memory_.Files(), ElementsAre("run/a", "run/a.half"));
                            EXPECT_EQ(memory_.Get("run/a"), "old");
                            return WriteInTwoPieces(out);
                          }),
              IsOk());
}

TEST_F(ReplaceFileTest, OverwritesWhatAKilledProcessLeft) {
  memory_.Put("run/a.half", "half of a text that is longer");
  EXPECT_THAT(Replace(memory_), IsOk());
  EXPECT_EQ(memory_.Get("run/a"), "new text");
  EXPECT_THAT(memory_.Files(), ElementsAre("run/a"));
}

TEST_F(ReplaceFileTest, AFailureOfAnyCallIsReturnedAndLeavesTheOldFileAndNothingElse) {
  memory_.Put("run/a", "old");
  files_.KeepOfFailedWrites(2);
  for (const std::uint64_t call : {1U, 2U, 3U, 4U, 5U}) {  // Open, two writes, close, rename.
    files_.FailCall(call, StatusCode::kIoError);
    const Status status = Replace(files_);
    EXPECT_THAT(status, IsStatus(StatusCode::kIoError, "injected fault")) << call;
    EXPECT_EQ(memory_.Get("run/a"), "old") << call;
    EXPECT_THAT(memory_.Files(), ElementsAre("run/a")) << call;
  }
  EXPECT_EQ(files_.fired(), 5);
}

TEST_F(ReplaceFileTest, AFailureLeavesNothingWhereNothingWas) {
  files_.FailEvery(FileOperation::kRename, "", StatusCode::kIoError);
  EXPECT_THAT(Replace(files_), IsStatus(StatusCode::kIoError, "run/a"));
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(ReplaceFileTest, AnErrorOfTheWriterIsReturnedBeforeThatOfClosing) {
  memory_.Put("run/a", "old");
  files_.FailEvery(FileOperation::kClose, "", StatusCode::kIoError);
  EXPECT_THAT(ReplaceFile(files_, "run/a", "run/a.half",
                          [](WritableFile&) { return Status(StatusCode::kDataLoss, "no such"); }),
              IsStatus(StatusCode::kDataLoss, "no such"));
  EXPECT_THAT(memory_.Files(), ElementsAre("run/a"));
}

// A file that is removed while it is open stays on NFS under another name.
TEST_F(ReplaceFileTest, WhatIsRemovedWasClosed) {
  files_.FailEvery(FileOperation::kWriteAt, "", StatusCode::kIoError);
  EXPECT_FALSE(Replace(files_).ok());
  EXPECT_EQ(files_.calls(FileOperation::kClose), 1);
  EXPECT_EQ(files_.calls(FileOperation::kRemove), 1);
}

TEST_F(ReplaceFileTest, OnAFullDiskTheOldFileStaysAndNothingElse) {
  memory_.Put("run/a", "old");
  memory_.SetCapacity(8);
  EXPECT_THAT(Replace(memory_), IsStatus(StatusCode::kResourceExhausted, "run/a.half"));
  EXPECT_EQ(memory_.Get("run/a"), "old");
  EXPECT_THAT(memory_.Files(), ElementsAre("run/a"));
}

TEST_F(ReplaceFileTest, ReplacesFilesOfTheDiskToo) {
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File("a"), "an old text, longer than the new one");
  EXPECT_THAT(ReplaceFile(FileSystem::Local(), dir.File("a"), dir.File("a.half"), WriteInTwoPieces),
              IsOk());
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("a")), "new text");
  EXPECT_THAT(
      ReplaceFile(FileSystem::Local(), dir.File("no/a"), dir.File("no/a.half"), WriteInTwoPieces),
      IsStatus(StatusCode::kNotFound, "no/a.half"));
}

// Another user may have put it there, in a directory that both can write.
TEST_F(ReplaceFileTest, WritesIntoNothingThatALinkLeadsTo) {
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File("victim"), "mine");
  std::filesystem::create_symlink(dir.File("victim"), dir.File("a.half"));
  EXPECT_THAT(ReplaceFile(FileSystem::Local(), dir.File("a"), dir.File("a.half"), WriteInTwoPieces),
              IsOk());
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("victim")), "mine");
  EXPECT_FALSE(std::filesystem::is_symlink(dir.File("a")));
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("a")), "new text");

  std::filesystem::create_hard_link(dir.File("victim"), dir.File("a.half"));
  EXPECT_THAT(ReplaceFile(FileSystem::Local(), dir.File("a"), dir.File("a.half"), WriteInTwoPieces),
              IsOk());
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("victim")), "mine");
}

TEST_F(ReplaceFileTest, NamesWhatStandsInTheWay) {
  const testing::TempDir dir;
  std::filesystem::create_directory(dir.File("a.half"));
  EXPECT_THAT(ReplaceFile(FileSystem::Local(), dir.File("a"), dir.File("a.half"), WriteInTwoPieces)
                  .message(),
              ::testing::HasSubstr("a.half"));
}

}  // namespace
}  // namespace sightline

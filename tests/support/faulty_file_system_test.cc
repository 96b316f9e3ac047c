#include "sightline/tests/support/faulty_file_system.h"

#include <gtest/gtest.h>

#include <array>

#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {
namespace {

class FaultyFileSystemTest : public ::testing::Test {
 protected:
  // Four calls: open, write, sync, close; returns how many succeeded.
  int WriteAFile(const std::string& path) {
    auto file = fs_.OpenForWrite(path, OpenMode::kTruncate);
    if (!file) return 0;
    return 1 + (*file)->WriteAt(0, "abc").ok() + (*file)->Sync().ok() + (*file)->Close().ok();
  }

  MemoryFileSystem memory_;
  FaultyFileSystem fs_{memory_};
};

TEST_F(FaultyFileSystemTest, PassesEverythingThroughByDefault) {
  EXPECT_EQ(WriteAFile("a"), 4);
  EXPECT_EQ(memory_.Get("a"), "abc");
  EXPECT_EQ(fs_.calls(), 4u);
  EXPECT_EQ(fs_.calls(FileOperation::kWriteAt), 1u);
  EXPECT_EQ(fs_.fired(), 0u);
}

TEST_F(FaultyFileSystemTest, FailsEachCallInTurn) {
  int failed = 0;
  for (std::uint64_t n = 1;; ++n) {
    fs_.FailCall(n, StatusCode::kIoError);
    const std::uint64_t before = fs_.fired();
    const int succeeded = WriteAFile("a");
    if (fs_.fired() == before) break;
    EXPECT_EQ(succeeded, n == 1 ? 0 : 3) << n;
    ++failed;
  }
  EXPECT_EQ(failed, 4);
}

TEST_F(FaultyFileSystemTest, FailsFromACallOnUntilHealed) {
  fs_.FailFrom(3, StatusCode::kIoError);
  EXPECT_EQ(WriteAFile("a"), 2);
  EXPECT_EQ(WriteAFile("b"), 0);
  fs_.Heal();
  EXPECT_EQ(WriteAFile("b"), 4);
}

TEST_F(FaultyFileSystemTest, FailsAnOperationOnMatchingPathsOnly) {
  fs_.FailEvery(FileOperation::kWriteAt, "_lineage", StatusCode::kResourceExhausted, /*skip=*/1);
  EXPECT_EQ(WriteAFile("x_lineage"), 4);
  EXPECT_EQ(WriteAFile("x_lineage"), 3);
  EXPECT_EQ(WriteAFile("x_MS"), 4);
}

TEST_F(FaultyFileSystemTest, NamesOperationAndPath) {
  fs_.FailEvery(FileOperation::kRename, "new", StatusCode::kPermissionDenied);
  EXPECT_THAT(fs_.Rename("old", "new"),
              IsStatus(StatusCode::kPermissionDenied, "Rename of old to new"));
}

TEST_F(FaultyFileSystemTest, TearsWrites) {
  fs_.FailEvery(FileOperation::kWriteAt, "", StatusCode::kResourceExhausted);
  fs_.KeepOfFailedWrites(2);
  EXPECT_EQ(WriteAFile("a"), 3);
  EXPECT_EQ(memory_.Get("a"), "ab");
}

TEST_F(FaultyFileSystemTest, FailsReads) {
  memory_.Put("a", "abc");
  auto file = fs_.OpenForRead("a");
  fs_.FailEvery(FileOperation::kReadAt, "a", StatusCode::kIoError);
  std::array<char, 3> buffer;
  EXPECT_THAT((*file)->ReadAt(0, buffer).error(), IsStatus(StatusCode::kIoError, "ReadAt of a"));
  EXPECT_EQ((*file)->Size(), 3u);
}

}  // namespace
}  // namespace sightline::testing

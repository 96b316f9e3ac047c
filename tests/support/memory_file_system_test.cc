#include "sightline/tests/support/memory_file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "sightline/tests/support/support.h"

namespace sightline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MemoryFileSystemTest : public ::testing::Test {
 protected:
  std::unique_ptr<WritableFile> Create(const std::string& path) {
    auto file = fs_.OpenForWrite(path, OpenMode::kCreateNew);
    EXPECT_THAT(file, IsOk());
    return *std::move(file);
  }
  std::string Read(const ReadableFile& file, std::uint64_t offset, std::size_t count) {
    std::string bytes(count, '?');
    bytes.resize(file.ReadAt(offset, bytes).value_or(0));
    return bytes;
  }

  MemoryFileSystem fs_;
};

TEST_F(MemoryFileSystemTest, ReadsBackWhatWasWritten) {
  EXPECT_THAT(Create("a")->WriteAt(0, "hello"), IsOk());
  auto file = fs_.OpenForRead("./a");
  ASSERT_THAT(file, IsOk());
  EXPECT_EQ(Read(**file, 1, 3), "ell");
  EXPECT_EQ(Read(**file, 3, 10), "lo");
  EXPECT_EQ(Read(**file, 5, 10), "");
  EXPECT_EQ((*file)->Size(), 5u);
}

TEST_F(MemoryFileSystemTest, FillsHolesWithZeros) {
  EXPECT_THAT(Create("a")->WriteAt(2, "x"), IsOk());
  EXPECT_EQ(fs_.Get("a"), std::string("\0\0x", 3));
}

TEST_F(MemoryFileSystemTest, OpenReadersSeeAGrowingFile) {
  auto writer = Create("a");
  auto reader = fs_.OpenForRead("a");
  EXPECT_THAT(writer->WriteAt(0, "one"), IsOk());
  EXPECT_EQ(Read(**reader, 0, 10), "one");
  EXPECT_THAT(writer->Truncate(1), IsOk());
  EXPECT_EQ(Read(**reader, 0, 10), "o");
}

TEST_F(MemoryFileSystemTest, OpenModesAnswerAsPosixDoes) {
  EXPECT_THAT(fs_.OpenForWrite("a", OpenMode::kOpenExisting).error(),
              IsStatus(StatusCode::kNotFound, "a"));
  fs_.Put("a", "text");
  EXPECT_THAT(fs_.OpenForWrite("a", OpenMode::kCreateNew).error(),
              IsStatus(StatusCode::kAlreadyExists, "a"));
  EXPECT_THAT(fs_.OpenForWrite("a", OpenMode::kOpenExisting), IsOk());
  EXPECT_EQ(fs_.Get("a"), "text");
  EXPECT_THAT(fs_.OpenForWrite("a", OpenMode::kTruncate), IsOk());
  EXPECT_EQ(fs_.Get("a"), "");
  EXPECT_THAT(fs_.OpenForWrite("no/a", OpenMode::kTruncate).error(),
              IsStatus(StatusCode::kNotFound, "no/a"));
}

TEST_F(MemoryFileSystemTest, ListsOneDirectorySorted) {
  fs_.Put("run/b", "");
  fs_.Put("run/a", "");
  fs_.Put("run/sub/c", "");
  EXPECT_THAT(fs_.List("run"), ::testing::Eq(std::vector<std::string>{"a", "b", "sub"}));
  EXPECT_THAT(*fs_.List("."), ElementsAre("run"));
  EXPECT_THAT(*fs_.List("run/sub/"), ElementsAre("c"));
  EXPECT_THAT(fs_.Files("run"), ElementsAre("run/a", "run/b", "run/sub/c"));
  EXPECT_THAT(fs_.List("nowhere").error(), IsStatus(StatusCode::kNotFound, "nowhere"));
}

TEST_F(MemoryFileSystemTest, KnowsAbsolutePaths) {
  fs_.Put("/data/run/a", "x");
  EXPECT_THAT(*fs_.List("/data"), ElementsAre("run"));
  EXPECT_THAT(*fs_.List("/"), ElementsAre("data"));
  EXPECT_THAT(*fs_.List("."), IsEmpty());
}

TEST_F(MemoryFileSystemTest, RenameReplacesAndRenameExclusiveDoesNot) {
  fs_.Put("from", "new");
  fs_.Put("to", "old");
  EXPECT_THAT(fs_.RenameExclusive("from", "to"), IsStatus(StatusCode::kAlreadyExists, "to"));
  EXPECT_EQ(fs_.Get("to"), "old");
  EXPECT_THAT(fs_.Rename("from", "to"), IsOk());
  EXPECT_EQ(fs_.Get("to"), "new");
  EXPECT_FALSE(fs_.Exists("from"));
  EXPECT_THAT(fs_.Rename("from", "to"), IsStatus(StatusCode::kNotFound, "from"));
}

TEST_F(MemoryFileSystemTest, ALinkIsAnotherNameOfTheSameFile) {
  fs_.SetCapacity(5);
  fs_.Put("from", "new");
  fs_.Put("taken", "x");
  EXPECT_THAT(fs_.Link("from", "to"), IsOk());
  EXPECT_EQ(*fs_.FreeBytes("."), 1u);
  EXPECT_THAT(fs_.Link("from", "taken"), IsStatus(StatusCode::kAlreadyExists, "taken"));
  EXPECT_THAT(fs_.Link("none", "other"), IsStatus(StatusCode::kNotFound, "none"));
  EXPECT_THAT(fs_.Link("from", "no/other"), IsStatus(StatusCode::kNotFound, "no/other"));
  EXPECT_THAT(fs_.Remove("from"), IsOk());
  EXPECT_EQ(fs_.Get("to"), "new");
}

TEST_F(MemoryFileSystemTest, AnOpenFileOutlivesItsName) {
  auto file = Create("a");
  EXPECT_THAT(fs_.Rename("a", "b"), IsOk());
  EXPECT_THAT(file->WriteAt(0, "x"), IsOk());
  EXPECT_EQ(fs_.Get("b"), "x");
  EXPECT_THAT(fs_.Remove("b"), IsOk());
  EXPECT_THAT(file->WriteAt(1, "y"), IsOk());
  EXPECT_FALSE(fs_.Exists("b"));
}

TEST_F(MemoryFileSystemTest, KeepsADirectoryThatHoldsFiles) {
  fs_.Put("run/a", "");
  EXPECT_FALSE(fs_.Remove("run").ok());
  EXPECT_THAT(fs_.Remove("run/a"), IsOk());
  EXPECT_THAT(fs_.Remove("run"), IsOk());
  EXPECT_THAT(fs_.Remove("run"), IsStatus(StatusCode::kNotFound, "run"));
}

TEST_F(MemoryFileSystemTest, AFullDiskTakesWhatFitsAndSaysSo) {
  fs_.Put("other", "1234");
  fs_.SetCapacity(10);
  EXPECT_EQ(fs_.FreeBytes("."), 6u);
  auto file = Create("a");
  EXPECT_THAT(file->WriteAt(0, "12345"), IsOk());
  EXPECT_THAT(file->WriteAt(5, "6789"), IsStatus(StatusCode::kResourceExhausted, "a"));
  EXPECT_EQ(fs_.Get("a"), "123456");
  EXPECT_EQ(fs_.FreeBytes("."), 0u);
  EXPECT_THAT(fs_.Remove("other"), IsOk());
  EXPECT_THAT(file->WriteAt(5, "6789"), IsOk());
  EXPECT_EQ(fs_.Get("a"), "123456789");
}

TEST_F(MemoryFileSystemTest, FreeBytesCanBeSet) {
  fs_.SetFreeBytes(7);
  EXPECT_EQ(fs_.FreeBytes("anywhere"), 7u);
}

TEST_F(MemoryFileSystemTest, LaterModificationsHaveLaterTimes) {
  fs_.Put("a", "1");
  fs_.Put("b", "2");
  EXPECT_LT(fs_.Stat("a")->modified_seconds, fs_.Stat("b")->modified_seconds);
  EXPECT_FALSE(fs_.Stat("a")->is_directory);
  EXPECT_TRUE(fs_.Stat(".")->is_directory);
}

TEST_F(MemoryFileSystemTest, AClosedFileRefusesWrites) {
  auto file = Create("a");
  EXPECT_THAT(file->Close(), IsOk());
  EXPECT_THAT(file->Close(), IsOk());
  EXPECT_THAT(file->WriteAt(0, "x"), IsStatus(StatusCode::kFailedPrecondition, "a"));
}

}  // namespace
}  // namespace sightline::testing

#include "sightline/base/file_stamp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using testing::TempDir;
using testing::WriteFileOrDie;

FileStamp Stamp(const std::string& path) { return StampOf(FileSystem::Local(), path); }

TEST(FileStampTest, IsSettledOnceTheLastChangeIsLongOver) {
  const TempDir dir;
  WriteFileOrDie(dir.File("new"), "new");
  EXPECT_FALSE(Stamp(dir.File("new")).settled);
  EXPECT_TRUE(Stamp(CorpusPath("mindspore/descriptors.pb")).settled);
  testing::MemoryFileSystem fs;  // It has no ctime.
  fs.Put("file", "");
  EXPECT_FALSE(StampOf(fs, "file").settled);
}

TEST(FileStampTest, ChangesWithEveryWriteAndNotWithTime) {
  const TempDir dir;
  const std::string file = dir.File("file");
  WriteFileOrDie(file, "one");
  const FileStamp before = Stamp(file);
  FileStamp later = Stamp(file);
  later.settled = !later.settled;
  EXPECT_EQ(later, before);
  const auto modified = std::filesystem::last_write_time(file);
  // Until the clock of the file system moved.
  do {
    WriteFileOrDie(file, "two");
    std::filesystem::last_write_time(file, modified);
  } while (Stamp(file) == before);
  EXPECT_EQ(Stamp(file).bytes, before.bytes);
  EXPECT_EQ(Stamp(file).inode, before.inode);
}

TEST(FileStampTest, FollowsLinksAndIsEmptyForAMissingFile) {
  const TempDir dir;
  std::filesystem::create_directory(dir.File("folder"));
  std::filesystem::create_symlink("folder", dir.File("link"));
  EXPECT_TRUE(Stamp(dir.File("link")).is_directory);
  EXPECT_TRUE(Stamp(dir.File("link")).exists);
  EXPECT_EQ(Stamp(dir.File("none")), FileStamp());
}

}  // namespace
}  // namespace sightline

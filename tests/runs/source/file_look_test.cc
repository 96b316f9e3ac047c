#include "sightline/runs/source/file_look.h"

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

FileLook Look(const std::string& path) { return LookAtFile(FileSystem::Local(), path); }

TEST(FileLookTest, AFileIsSettledOnceItsLastChangeIsLongOver) {
  const TempDir dir;
  WriteFileOrDie(dir.File("new"), "new");
  EXPECT_FALSE(Look(dir.File("new")).settled);
  EXPECT_TRUE(Look(CorpusPath("mindspore/descriptors.pb")).settled);
  testing::MemoryFileSystem fs;  // Which has no ctime.
  fs.Put("file", "");
  EXPECT_FALSE(LookAtFile(fs, "file").settled);
}

TEST(FileLookTest, EveryWriteChangesItAndTheTimeOfTheLookDoesNot) {
  const TempDir dir;
  const std::string file = dir.File("file");
  WriteFileOrDie(file, "one");
  const FileLook before = Look(file);
  FileLook later = Look(file);
  later.settled = !later.settled;
  EXPECT_EQ(later, before);
  const auto modified = std::filesystem::last_write_time(file);
  // Until the clock of the file system moved.
  do {
    WriteFileOrDie(file, "two");
    std::filesystem::last_write_time(file, modified);
  } while (Look(file) == before);
  EXPECT_EQ(Look(file).bytes, before.bytes);
  EXPECT_EQ(Look(file).inode, before.inode);
}

TEST(FileLookTest, LinksAreFollowedAndWhatIsNotThereIsNot) {
  const TempDir dir;
  std::filesystem::create_directory(dir.File("folder"));
  std::filesystem::create_symlink("folder", dir.File("link"));
  EXPECT_TRUE(Look(dir.File("link")).is_directory);
  EXPECT_TRUE(Look(dir.File("link")).there);
  EXPECT_FALSE(Look(dir.File("none")).there);
}

}  // namespace
}  // namespace sightline

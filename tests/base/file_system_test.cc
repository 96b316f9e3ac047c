#include "sightline/base/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// Another user may have put it where a recorder completes its file.
TEST(FileSystemTest, AnExistingFileIsNotOpenedForWritingThroughALink) {
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File("victim"), "mine");
  std::filesystem::create_symlink(dir.File("victim"), dir.File("link"));
  EXPECT_FALSE(FileSystem::Local().OpenForWrite(dir.File("link"), OpenMode::kOpenExisting));
  EXPECT_THAT(FileSystem::Local().OpenForWrite(dir.File("victim"), OpenMode::kOpenExisting),
              testing::IsOk());
}

}  // namespace
}  // namespace sightline

#include "sightline/base/importing/import_files.h"

#include <string>
#include <utility>

#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::MemoryFileSystem;
using ::testing::Pair;

class ImportFilesTest : public ::testing::Test {
 protected:
  ImportFilesTest() {
    memory_.Put("d/a", "0123456789");
    memory_.Put("d/b", "01234");
  }
  Result<std::size_t> Read(const std::string& path) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files_.OpenForRead(path));
    char buffer[64];
    return file->ReadAt(0, buffer);
  }
  std::pair<std::uint64_t, std::uint64_t> progress() const {
    return {files_.progress().bytes, files_.progress().total};
  }

  MemoryFileSystem memory_;
  bool cancelled_ = false;
  ImportFiles files_{memory_, [this] { return cancelled_; }};
};

TEST_F(ImportFilesTest, CountsEachFileOnceAndWhatIsReadOfIt) {
  EXPECT_THAT(progress(), Pair(0U, 0U));
  EXPECT_EQ(*Read("d/a"), 10U);
  EXPECT_THAT(progress(), Pair(10U, 10U));
  files_.Expect("d/b");
  files_.Expect("d/b");
  files_.Expect("d");
  EXPECT_THAT(progress(), Pair(10U, 15U));
  EXPECT_EQ(*Read("d/b"), 5U);
  EXPECT_EQ(*Read("d/b"), 5U);
  EXPECT_THAT(progress(), Pair(15U, 15U)) << "never more than all";
}

TEST_F(ImportFilesTest, FailsEveryReadOnceItIsCancelled) {
  const auto file = files_.OpenForRead("d/a");
  ASSERT_THAT(file, IsOk());
  cancelled_ = true;
  char buffer[4];
  EXPECT_EQ((*file)->ReadAt(0, buffer).error().code(), StatusCode::kUnavailable);
  EXPECT_EQ(Read("d/a").error().code(), StatusCode::kUnavailable);
  EXPECT_EQ(files_.List("d").error().code(), StatusCode::kUnavailable);
  EXPECT_EQ(files_.CheckCancelled().code(), StatusCode::kUnavailable);
}

TEST_F(ImportFilesTest, SeesThatAFileChanged) {
  ASSERT_THAT(Read("d/a"), IsOk());
  EXPECT_FALSE(files_.Changed());
  memory_.Put("d/b", "not read");
  EXPECT_FALSE(files_.Changed());
  memory_.Put("d/a", "longer than before");
  EXPECT_TRUE(files_.Changed());
}

TEST_F(ImportFilesTest, SeesThatAFileWasRemovedOrCreated) {
  files_.Watch("d/b");
  files_.Watch("d/c");
  EXPECT_THAT(progress(), Pair(0U, 0U)) << "watched files are not read";
  EXPECT_FALSE(files_.Changed());
  memory_.Put("d/c", "");
  EXPECT_TRUE(files_.Changed());
  ASSERT_THAT(memory_.Remove("d/c"), IsOk());
  EXPECT_FALSE(files_.Changed());
  ASSERT_THAT(memory_.Remove("d/b"), IsOk());
  EXPECT_TRUE(files_.Changed());
}

TEST_F(ImportFilesTest, SeesThatADirectoryChanged) {
  ASSERT_THAT(files_.List("d"), IsOk());
  EXPECT_FALSE(files_.Changed());
  memory_.Put("d/c", "");
  EXPECT_TRUE(files_.Changed());
}

TEST_F(ImportFilesTest, WritesNothing) {
  EXPECT_EQ(files_.OpenForWrite("d/a", OpenMode::kTruncate).error().code(),
            StatusCode::kPermissionDenied);
  EXPECT_EQ(files_.Remove("d/a").code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(memory_.Get("d/a"), "0123456789");
}

}  // namespace
}  // namespace sightline

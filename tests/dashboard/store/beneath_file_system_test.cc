#include "sightline/dashboard/store/beneath_file_system.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::IsOk;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::ElementsAre;

class BeneathFileSystemTest : public ::testing::Test {
 protected:
  BeneathFileSystemTest() {
    // A temporary directory may itself be reached by a link.
    base_ = std::filesystem::canonical(dir_.path()).string();
    std::filesystem::create_directories(base_ + "/root/sub");
    std::filesystem::create_directories(base_ + "/root2");
    std::filesystem::create_directories(base_ + "/other");
    WriteFileOrDie(base_ + "/root/sub/file", "inside");
    WriteFileOrDie(base_ + "/other/secret", "secret");
    WriteFileOrDie(base_ + "/root2/file", "second");
  }
  void Open(const std::vector<std::string>& follow = {}) {
    auto opened = BeneathFileSystem::Open({base_ + "/root"}, follow);
    ASSERT_THAT(opened, IsOk());
    files_ = *std::move(opened);
  }
  std::string Read(const std::string& path) {
    const auto file = files_->OpenForRead(base_ + path);
    if (!file) return std::string(StatusCodeName(file.error().code()));
    char buffer[100];
    return std::string(buffer, *(*file)->ReadAt(0, buffer));
  }
  void Link(const std::string& target, const std::string& path) {
    ASSERT_EQ(symlink(target.c_str(), (base_ + path).c_str()), 0);
  }

  TempDir dir_;
  std::string base_;
  std::unique_ptr<BeneathFileSystem> files_;
};

TEST_F(BeneathFileSystemTest, ReadsWhatIsInTheRoot) {
  Open();
  EXPECT_EQ(Read("/root/sub/file"), "inside");
  EXPECT_THAT(*files_->List(base_ + "/root"), ElementsAre("sub"));
  const auto directory = files_->Stat(base_ + "/root/sub");
  ASSERT_THAT(directory, IsOk());
  EXPECT_TRUE(directory->is_directory);
  const auto file = files_->Stat(base_ + "/root/sub/file");
  ASSERT_THAT(file, IsOk());
  EXPECT_EQ(file->size, 6U);
}

TEST_F(BeneathFileSystemTest, DoesNotLeaveTheRootByName) {
  Open();
  EXPECT_EQ(Read("/other/secret"), "not found");
  EXPECT_EQ(Read("/root/../other/secret"), "not found");
  EXPECT_EQ(Read("/root/sub/../../other/secret"), "not found");
  EXPECT_EQ(Read("/root2/file"), "not found");
  EXPECT_EQ(files_->OpenForRead("other/secret").error().code(), StatusCode::kNotFound);
}

TEST_F(BeneathFileSystemTest, AZeroByteDoesNotEndAPath) {
  Open();
  EXPECT_EQ(Read("/root/sub/file" + std::string("\0.txt", 5)), "not found");
}

TEST_F(BeneathFileSystemTest, DoesNotLeaveTheRootByALink) {
  Link(base_ + "/other", "/root/absolute");
  Link("../other", "/root/relative");
  Link("../../other/secret", "/root/sub/secret");
  Link("/proc/self/root", "/root/proc");
  Open();
  EXPECT_EQ(Read("/root/absolute/secret"), "not found");
  EXPECT_EQ(Read("/root/relative/secret"), "not found");
  EXPECT_EQ(Read("/root/sub/secret"), "not found");
  EXPECT_EQ(Read("/root/proc" + base_ + "/other/secret"), "not found");
  EXPECT_FALSE(files_->List(base_ + "/root/absolute").has_value());
  EXPECT_FALSE(files_->Stat(base_ + "/root/relative").has_value());
  EXPECT_FALSE(files_->MappablePath(base_ + "/root/sub/secret").has_value());
}

TEST_F(BeneathFileSystemTest, DoesNotFollowALinkThatIsMadeLater) {
  Open();
  EXPECT_EQ(Read("/root/sub/file"), "inside");
  std::filesystem::remove_all(base_ + "/root/sub");
  WriteFileOrDie(base_ + "/other/file", "secret");
  Link("../other", "/root/sub");
  EXPECT_EQ(Read("/root/sub/file"), "not found");
}

TEST_F(BeneathFileSystemTest, FollowsLinksThatStayInTheRoot) {
  Link("sub", "/root/relative");
  Link(base_ + "/root/sub", "/root/absolute");
  Open();
  EXPECT_EQ(Read("/root/relative/file"), "inside");
  EXPECT_EQ(Read("/root/absolute/file"), "inside");
  EXPECT_THAT(*files_->List(base_ + "/root/absolute"), ElementsAre("file"));
}

TEST_F(BeneathFileSystemTest, FollowsLinksIntoWhatWasAllowed) {
  Link(base_ + "/other", "/root/allowed");
  Link(base_ + "/root2", "/root/denied");
  Open({base_ + "/other"});
  EXPECT_EQ(Read("/root/allowed/secret"), "secret");
  EXPECT_EQ(Read("/root/denied/file"), "not found");
}

TEST_F(BeneathFileSystemTest, OpensRegularFilesOnly) {
  ASSERT_EQ(mkfifo((base_ + "/root/pipe").c_str(), 0600), 0);
  Open();
  EXPECT_EQ(Read("/root/pipe"), "not found");
  EXPECT_EQ(Read("/root/sub"), "not found");
}

TEST_F(BeneathFileSystemTest, WritesNothing) {
  Open();
  EXPECT_EQ(files_->OpenForWrite(base_ + "/root/new", OpenMode::kCreateNew).error().code(),
            StatusCode::kPermissionDenied);
  EXPECT_EQ(files_->Remove(base_ + "/root/sub/file").code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(Read("/root/sub/file"), "inside");
}

TEST_F(BeneathFileSystemTest, SaysWhichRootIsNone) {
  const auto opened = BeneathFileSystem::Open({base_ + "/none"}, {});
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace sightline::dashboard

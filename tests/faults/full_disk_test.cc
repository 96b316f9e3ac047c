// A real disk that is full: a small tmpfs under journal and files. Needs the right to mount one, as
// root or in a user namespace of its own.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::SizeIs;

constexpr std::int64_t kShape[] = {10'000};

// 0, or errno where this process may not have one, as root in a plain container.
int EnterMountNamespace() {
  if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0) return 0;
  return unshare(CLONE_NEWNS | CLONE_NEWUSER) == 0 ? 0 : errno;
}

// A tmpfs of a few megabytes, in a mount namespace of this process.
class FullDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static const int error = EnterMountNamespace();
    if (error != 0) GTEST_SKIP() << "no small disk can be mounted here: " << std::strerror(error);
  }

  void Mount(const char* size) {
    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    const std::string options = std::string("size=") + size;
    ASSERT_EQ(mount("none", dir_.path().c_str(), "tmpfs", 0, options.c_str()), 0)
        << std::strerror(errno);
    mounted_ = true;
  }

  ~FullDiskTest() override {
    recorder_.reset();
    if (mounted_) umount2(dir_.path().c_str(), MNT_DETACH);
  }

  Recorder& Open(const RecorderOptions& options) {
    auto recorder = Recorder::Open(dir_.path() + "/run", options);
    EXPECT_THAT(recorder, IsOk());
    recorder_ = *std::move(recorder);
    return *recorder_;
  }

  // Takes all but `leave` bytes of the disk.
  void Fill(std::uint64_t leave) {
    struct statvfs info {};
    ASSERT_EQ(statvfs(dir_.path().c_str(), &info), 0);
    const std::uint64_t free = info.f_bavail * info.f_frsize;
    ASSERT_GT(free, leave);
    const int fd = open(dir_.File("ballast").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    ASSERT_EQ(posix_fallocate(fd, 0, static_cast<off_t>(free - leave)), 0);
    close(fd);
  }

  testing::TempDir dir_;
  bool mounted_ = false;
  std::unique_ptr<Recorder> recorder_;
  std::vector<float> values_ = std::vector<float>(10'000, 1.0F);
};

RecorderOptions SmallOptions() {
  RecorderOptions options;
  options.writing.buffer_bytes = std::size_t{1} << 20;
  options.writing.flush_interval = std::chrono::milliseconds(5);
  options.writing.min_free_disk_bytes = 0;
  return options;
}

TEST_F(FullDiskTest, AJournalThatFindsNoRoomIsReplacedByPrivateMemory) {
  Mount("600k");
  Recorder& recorder = Open(SmallOptions());
  EXPECT_FALSE(recorder.Stats().kill_safe);
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kResourceExhausted, "cannot allocate"));
  recorder.AddScalar("loss", 1, 1);
  EXPECT_THAT(recorder.Close(), IsOk());
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir_.path() + "/run").mindspore),
              ::testing::ElementsAre("1 loss=1"));
}

TEST_F(FullDiskTest, AFullDiskTearsNoFileAndLosesNothingThatWasAccepted) {
  Mount("8m");
  Recorder& recorder = Open(SmallOptions());
  Fill(100'000);
  std::size_t accepted = 0;
  // Accepted up to the buffer's size, then dropped: training does not wait for a disk that stays
  // full.
  while (recorder.AddTensor("t", static_cast<std::int64_t>(accepted),
                            View(values_.data(), kShape)) == Outcome::kAccepted) {
    ++accepted;
  }
  EXPECT_GT(accepted, 5);
  EXPECT_TRUE(recorder.Stats().paused);
  EXPECT_THAT(std::string(recorder.Stats().first_error.message()),
              HasSubstr("No space left on device"));
  const RecordedRun full = ReadRun(dir_.path() + "/run");
  EXPECT_TRUE(full.sound());
  EXPECT_LT(RecordedRun::Values(full.mindspore).size(), accepted);

  std::filesystem::remove(dir_.File("ballast"));
  EXPECT_THAT(recorder.Flush(), IsOk());
  EXPECT_EQ(recorder.AddScalar("after", 1, 1), Outcome::kAccepted);
  EXPECT_THAT(recorder.Close(), IsStatus(StatusCode::kResourceExhausted, "dropped: 1;"));
  const RecordedRun complete = ReadRun(dir_.path() + "/run");
  EXPECT_TRUE(complete.sound());
  EXPECT_THAT(RecordedRun::Values(complete.mindspore), SizeIs(accepted + 1));
}

TEST_F(FullDiskTest, RecordingPausesBeforeTheDiskIsFull) {
  Mount("8m");
  RecorderOptions options = SmallOptions();
  options.writing.min_free_disk_bytes = 1'000'000;
  Recorder& recorder = Open(options);
  Fill(2'000'000);
  while (recorder.AddTensor("t", 1, View(values_.data(), kShape)) == Outcome::kAccepted) {
  }
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kResourceExhausted, "min_free_disk_bytes = 1000000"));
  struct statvfs info {};
  ASSERT_EQ(statvfs(dir_.path().c_str(), &info), 0);
  EXPECT_GT(info.f_bavail * info.f_frsize, 0);
  std::filesystem::remove(dir_.File("ballast"));
  EXPECT_THAT(recorder.Flush(), IsOk());
  EXPECT_THAT(recorder.Close(), IsStatus(StatusCode::kResourceExhausted, "dropped: 1;"));
}

TEST_F(FullDiskTest, WhatDidNotFitIsCompletedByTheNextRecorder) {
  Mount("8m");
  Recorder& recorder = Open(SmallOptions());
  Fill(100'000);
  std::size_t accepted = 0;
  while (recorder.AddTensor("t", static_cast<std::int64_t>(accepted),
                            View(values_.data(), kShape)) == Outcome::kAccepted) {
    ++accepted;
  }
  EXPECT_THAT(recorder.Close(), IsStatus(StatusCode::kResourceExhausted, "No space left"));
  recorder_.reset();
  std::filesystem::remove(dir_.File("ballast"));
  EXPECT_THAT(Open(SmallOptions()).Close(), IsOk());
  const RecordedRun run = ReadRun(dir_.path() + "/run");
  EXPECT_TRUE(run.sound());
  EXPECT_THAT(RecordedRun::Values(run.mindspore), SizeIs(accepted));
}

}  // namespace
}  // namespace sightline

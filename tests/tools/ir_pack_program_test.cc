// `sightline ir pack`: what cannot be packed, and signals in the middle of packing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

TEST(IrPackProgram, PackingWhatIsNotThereIsExitCode2) {
  const testing::TempDir dir;
  const testing::Ran ran =
      testing::RunProgram({"ir", "pack", dir.File("none"), "-o", dir.File("p.irpack")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("none"));
  EXPECT_FALSE(std::filesystem::exists(dir.File("p.irpack")));
}

// Tells of the next file that is made in a folder.
class FolderWatch {
 public:
  explicit FolderWatch(const std::string& folder) : fd_(inotify_init1(IN_CLOEXEC)) {
    EXPECT_GE(inotify_add_watch(fd_, folder.c_str(), IN_CREATE), 0);
  }
  ~FolderWatch() { close(fd_); }
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Waits for it; its name.
  std::string Next() const {
    alignas(inotify_event) std::array<char, 4096> buffer{};
    if (read(fd_, buffer.data(), buffer.size()) <= 0) return "";
    return buffer.data() + sizeof(inotify_event);
  }

 private:
  int fd_;
};

// A folder that takes for ever to pack: opening a pipe waits for somebody who writes into it.
class IrPackSignalTest : public ::testing::TestWithParam<int> {
 protected:
  IrPackSignalTest() {
    testing::WriteFileOrDie(graphs_.File("00_a_0000.ir"), testing::SmallDump("Add"));
    EXPECT_EQ(mkfifo(graphs_.File("waits").c_str(), 0600), 0);
  }

  // Starts the program with the signal handled in this way.
  pid_t Pack(void (*handling)(int)) const {
    const pid_t child = fork();
    if (child != 0) return child;
    signal(GetParam(), handling);
    execl(SIGHTLINE_PROGRAM, SIGHTLINE_PROGRAM, "ir", "pack", graphs_.path().c_str(), "-o",
          pack_.c_str(), nullptr);
    _exit(127);
  }

  static int Wait(pid_t child) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  }

  testing::TempDir graphs_;
  testing::TempDir out_;
  std::string pack_ = out_.File("graphs.irpack");
};

TEST_P(IrPackSignalTest, LeavesThePackOfBeforeAndNothingElse) {
  testing::WriteFileOrDie(pack_, "the pack of before");
  const FolderWatch watch(out_.path());
  const pid_t child = Pack(SIG_DFL);
  EXPECT_EQ(watch.Next(), "graphs.irpack.tmp");
  kill(child, GetParam());
  const int status = Wait(child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == GetParam()) << status;
  EXPECT_FALSE(std::filesystem::exists(pack_ + ".tmp"));
  EXPECT_EQ(testing::ReadFileOrDie(pack_), "the pack of before");
}

// As nohup and the shell start programs.
TEST_P(IrPackSignalTest, ThatIsIgnoredEndsNothing) {
  const FolderWatch watch(out_.path());
  const pid_t child = Pack(SIG_IGN);
  EXPECT_EQ(watch.Next(), "graphs.irpack.tmp");
  kill(child, GetParam());
  const int writer = open(graphs_.File("waits").c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(Wait(child), 0);
  close(writer);
  EXPECT_TRUE(std::filesystem::exists(pack_));
}

INSTANTIATE_TEST_SUITE_P(Each, IrPackSignalTest, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace sightline

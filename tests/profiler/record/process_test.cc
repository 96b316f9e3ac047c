// Processes that fork and are killed while a profile runs.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "sightline/base/file_system.h"
#include "sightline/tests/profiler/record/record_fixture.h"
#include "sightline/tests/support/forked_child.h"

namespace sightline::profiler {
namespace {

using testing::ReadTrace;

using ProcessTest = RecordTest;

// The only file in the folder, or nothing yet.
std::string OnlyFile(const std::string& directory) {
  const auto names = FileSystem::Local().List(directory);
  return !names || names->empty() ? std::string() : JoinPath(directory, names->front());
}

TEST_F(ProcessTest, AKilledProcessLeavesAWholeFile) {
  const ProfileOptions options = [this] {
    ProfileOptions fast = Options();
    fast.flush_interval = std::chrono::milliseconds(1);
    return fast;
  }();
  const pid_t child = fork();
  if (child == 0) {
    auto profile = ProfileRecorder::Start(options);
    if (!profile) _exit(1);
    if (BeginSpan(InternName("training")) == 0) _exit(2);
    for (int i = 0; i < 20'000; ++i) {
      SIGHTLINE_SPAN("step");
      std::this_thread::yield();
    }
    for (;;) pause();
  }
  ASSERT_GT(child, 0);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::size_t seen = 0;
  while (seen < 100 && std::chrono::steady_clock::now() < deadline) {
    const std::string path = OnlyFile(options.directory);
    if (!path.empty()) seen = testing::ParseTrace(testing::ReadFileOrDie(path)).Count("step");
  }
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const ReadTrace trace = testing::ParseTrace(testing::ReadFileOrDie(OnlyFile(options.directory)));
  EXPECT_GE(trace.Count("step"), seen);
  EXPECT_GE(seen, 100U);
  EXPECT_EQ(trace.Only("training").end, -1) << "what was open shows as such";
  EXPECT_EQ(trace.ends_without_begin, 0U);
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(ProcessTest, AForkedChildRecordsNothing) {
  auto profile = ProfileRecorder::Start(Options());
  ASSERT_THAT(profile, testing::IsOk());
  { SIGHTLINE_SPAN("parent"); }
  const int status = testing::InForkedChild([&] {
    SIGHTLINE_SPAN("child");
    if (Recording() != 0) _exit(1);
    if ((*profile)->Stop()) _exit(2);
    profile->reset();  // Neither waits for the parent's thread nor touches its file.
  });
  EXPECT_EQ(status, 0);
  { SIGHTLINE_SPAN("parent again"); }
  const auto stats = (*profile)->Stop();
  ASSERT_THAT(stats, testing::IsOk());
  const ReadTrace trace = testing::ParseTrace(testing::ReadFileOrDie(stats->path));
  EXPECT_EQ(trace.Count("child"), 0U);
  EXPECT_EQ(trace.Count("parent") + trace.Count("parent again"), 2U);
}

TEST_F(ProcessTest, AForkedChildMayRecordAProfileOfItsOwn) {
  auto profile = ProfileRecorder::Start(Options());
  ASSERT_THAT(profile, testing::IsOk());
  { SIGHTLINE_SPAN("parent"); }
  ProfileOptions options = Options();
  options.directory += "_child";
  const int status = testing::InForkedChild([&] {
    auto own = ProfileRecorder::Start(options);
    if (!own) _exit(1);
    { SIGHTLINE_SPAN("child"); }
    if (!(*own)->Stop()) _exit(2);
  });
  EXPECT_EQ(status, 0);
  const ReadTrace trace = testing::ParseTrace(testing::ReadFileOrDie(OnlyFile(options.directory)));
  EXPECT_EQ(trace.Count("child"), 1U);
  EXPECT_EQ(trace.Count("parent"), 0U);
}
#endif

}  // namespace
}  // namespace sightline::profiler

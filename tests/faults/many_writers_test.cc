// Many processes record into one directory, without knowing of each other: nothing is lost, and no
// file is written by two.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::SizeIs;
using testing::TempDir;

constexpr std::int64_t kSteps = 100;

// Every process opens its files in the same second.
class StoppedClock : public Clock {
 public:
  double WallSeconds() const override { return 1'700'000'000; }
  std::int64_t MonotonicNanos() const override { return System().MonotonicNanos(); }
};

RecorderOptions Options() {
  static const StoppedClock clock;
  RecorderOptions options;
  options.writing.clock = &clock;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.writing.hostname = "node";
  options.writing.buffer_bytes = std::size_t{1} << 20;
  options.writing.min_free_disk_bytes = 0;
  return options;
}

// Runs `child(i)` in `count` processes at once; whether each returned true.
void InProcesses(int count, const std::function<bool(int)>& child) {
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) _exit(child(i) ? 0 : 1);
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
}

// Steps 1 to kSteps under a tag of its own; `close`: otherwise the process just ends.
bool Record(const std::string& directory, const RecorderOptions& options, int writer, bool close) {
  auto recorder = Recorder::Open(directory, options);
  if (!recorder) return false;
  const TagId tag = (*recorder)->Intern(fmt::format("writer{}", writer));
  for (std::int64_t step = 1; step <= kSteps; ++step)
    if ((*recorder)->AddScalar(tag, step, writer) != Outcome::kAccepted) return false;
  return !close || (*recorder)->Close().ok();
}

// Every value of every writer once, in both dialects.
void ExpectAll(const std::string& directory, int writers) {
  const RecordedRun run = ReadRun(directory);
  for (const auto& events : {run.mindspore, run.tensorboard}) {
    std::multiset<std::string> values;
    for (const std::string& value : RecordedRun::Values(events)) values.insert(value);
    EXPECT_THAT(values, SizeIs(static_cast<std::size_t>(writers) * kSteps));
    for (int writer = 0; writer < writers; ++writer) {
      for (std::int64_t step = 1; step <= kSteps; ++step) {
        ASSERT_EQ(values.count(fmt::format("{} writer{}={}", step, writer, writer)), 1U)
            << step << " of " << writer;
      }
    }
  }
}

TEST(ManyWritersTest, SixtyFourRanksInOneDirectoryLoseNothing) {
  constexpr int kWriters = 64;
  const TempDir directory;
  InProcesses(kWriters, [&](int i) {
    RecorderOptions options = Options();
    options.writing.rank = i;
    options.writing.world_size = kWriters;
    return Record(directory.path(), options, i, true);
  });
  ExpectAll(directory.path(), kWriters);
}

TEST(ManyWritersTest, TheSameRankHostAndSecondTwiceHaveFilesOfTheirOwn) {
  const TempDir directory;
  InProcesses(8, [&](int i) { return Record(directory.path(), Options(), i, true); });
  ExpectAll(directory.path(), 8);
}

TEST(ManyWritersTest, WhatEndedWithoutCloseIsCompletedByTheNext) {
  const TempDir directory;
  InProcesses(16, [&](int i) { return Record(directory.path(), Options(), i, i % 2 == 0); });
  auto next = Recorder::Open(directory.path(), Options());
  ASSERT_THAT(next, IsOk());
  EXPECT_THAT((*next)->Close(), IsOk());
  ExpectAll(directory.path(), 16);
}

}  // namespace
}  // namespace sightline

// What the process takes from its machine, as scalars of its run.
#include "sightline/collectors/collect/system_scalars.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sightline/tests/collectors/summary_monitor_fixture.h"

namespace sightline {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::StartsWith;

class SystemScalarsTest : public ::testing::Test {
 protected:
  SystemScalarsTest() : recorder(*Recorder::Open(dir.path(), {})) {}

  std::unique_ptr<SystemScalars> Start(std::int64_t step, std::chrono::milliseconds interval) {
    auto started = SystemScalars::Start(*recorder, step, interval);
    EXPECT_THAT(started, IsOk());
    return *std::move(started);
  }
  void WaitForValues(std::uint64_t count) const {
    while (recorder->Stats().accepted_values < count) std::this_thread::yield();
  }
  std::vector<std::string> Recorded() {
    EXPECT_THAT(recorder->Close(), IsOk());
    return RecordedRun::Values(ReadRun(dir.path()).mindspore);
  }

  testing::TempDir dir;
  std::unique_ptr<Recorder> recorder;
};

TEST_F(SystemScalarsTest, AreMemoryAndCpuAtTheNewestStep) {
  {
    const auto scalars = Start(3, 1ms);
    WaitForValues(20);
    scalars->NoteStep(8);
    WaitForValues(recorder->Stats().accepted_values + 40);
  }
  const auto recorded = Recorded();
  EXPECT_THAT(recorded, Contains(StartsWith("3 system/memory_bytes=")));
  EXPECT_THAT(recorded, Contains(StartsWith("8 system/memory_bytes=")));
  EXPECT_THAT(recorded, Contains(StartsWith("8 system/cpu_percent=")));
}

TEST_F(SystemScalarsTest, NameNoSingleThread) {
  {
    const auto scalars = Start(1, 1ms);
    WaitForValues(20);
  }
  EXPECT_THAT(Recorded(), Each(Not(HasSubstr("system/thread/"))));
}

TEST_F(SystemScalarsTest, EndAtOnceThoughTheIntervalIsLong) {
  Start(1, 1h).reset();
  EXPECT_THAT(Recorded(), ::testing::IsEmpty());
}

TEST_F(SystemScalarsTest, OfAForkedChildEndWithoutTheThread) {
  auto scalars = Start(1, 1h);
  const pid_t child = fork();
  if (child == 0) {
    scalars.reset();
    _exit(7);
  }
  int ended = 0;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  EXPECT_EQ(WEXITSTATUS(ended), 7);
}

// Whether a thread of this process samples: it names itself.
bool SomebodySamples() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::any_of(begin(tasks), end(tasks), [](const auto& task) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    std::getline(file, name);
    return name == "sl-system";
  });
}

using SystemScalarsOfMonitorTest = testing::SummaryMonitorTest;

TEST_F(SystemScalarsOfMonitorTest, AreRecordedByDefault) {
  Monitor();
  while (!SomebodySamples()) std::this_thread::yield();
}

TEST_F(SystemScalarsOfMonitorTest, AreSwitchedOffOnRequest) {
  while (SomebodySamples()) std::this_thread::yield();  // That of the test before ends.
  CollectOnly({.collect_system = false});
  Monitor();
  EXPECT_FALSE(SomebodySamples());
}

}  // namespace
}  // namespace sightline

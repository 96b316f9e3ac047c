#include "sightline/runs/model/run_state.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/model/run.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::ManualClock;

using testing::IsOk;

TEST(StateOfTest, EachStateHasItsSigns) {
  RunSigns held;
  held.ours = held.journal = held.journal_held = true;
  held.last_change = 1000;
  held.usual_interval = 30;
  EXPECT_EQ(StateOf(held, ManualClock(1010)), RunState::kRunning);
  EXPECT_EQ(StateOf(held, ManualClock(1300)), RunState::kRunning);
  EXPECT_EQ(StateOf(held, ManualClock(1301)), RunState::kStalled);
  held.usual_interval = 0.1;  // Ten of them are nothing: a minute is the least.
  EXPECT_EQ(StateOf(held, ManualClock(1060)), RunState::kRunning);
  EXPECT_EQ(StateOf(held, ManualClock(1061)), RunState::kStalled);

  RunSigns left = held;
  left.journal_held = false;
  EXPECT_EQ(StateOf(left, ManualClock(1001)), RunState::kKilled);
  RunSigns closed = left;
  closed.journal = false;
  EXPECT_EQ(StateOf(closed, ManualClock(1001)), RunState::kFinished);
  RunSigns other = closed;
  other.ours = false;
  EXPECT_EQ(StateOf(other, ManualClock(1001)), RunState::kRunning);
  EXPECT_EQ(StateOf(other, ManualClock(2000)), RunState::kEnded);
}

TEST(StateOfTest, ARecoveredRunIsKilledUntilARecorderHoldsItAgain) {
  RunSigns recovered;
  recovered.ours = recovered.recovered = true;
  recovered.last_change = 1000;
  EXPECT_EQ(StateOf(recovered, ManualClock(9000)), RunState::kKilled);
  recovered.journal = recovered.journal_held = true;
  EXPECT_EQ(StateOf(recovered, ManualClock(1001)), RunState::kRunning);
}

// The times of files can be set, and come from other machines.
TEST(StateOfTest, ATimeAheadOfTheClockIsNoSignOfLife) {
  RunSigns other;
  other.last_change = 9000;
  EXPECT_EQ(StateOf(other, ManualClock(8900)), RunState::kRunning);  // The clocks differ a little.
  EXPECT_EQ(StateOf(other, ManualClock(5000)), RunState::kEnded);
  RunSigns held = other;
  held.ours = held.journal = held.journal_held = true;
  EXPECT_EQ(StateOf(held, ManualClock(5000)), RunState::kRunning);  // The clock was set back.
}

TEST(StateOfTest, NoIntervalKeepsARunAliveForEver) {
  RunSigns other;
  other.last_change = 1000;
  other.usual_interval = 1e300;
  EXPECT_EQ(StateOf(other, ManualClock(1000 + 10 * 24 * 3600)), RunState::kRunning);
  EXPECT_EQ(StateOf(other, ManualClock(1001 + 10 * 24 * 3600)), RunState::kEnded);
}

// A run of another program, copied now, whose last event was recorded `age` seconds ago.
RunState StateOfACopy(double age) {
  const double now = Clock::System().WallSeconds();
  tensorboard::Event event;
  event.set_wall_time(now - age);
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File(testing::kTensorBoardName),
                          testing::FrameRecord(event.SerializeAsString()));
  const auto run = sightline::Run::Open(dir.path());
  EXPECT_THAT(run, IsOk());
  return (*run)->State(ManualClock(now));
}

TEST(StateOfTest, ACopyOfAnOldRunIsNotRunning) {
  EXPECT_EQ(StateOfACopy(3 * 24 * 3600), RunState::kEnded);
  EXPECT_EQ(StateOfACopy(1000), RunState::kRunning);  // Written late, by a program that buffers.
  // The time is not that of a clock.
  EXPECT_EQ(StateOfACopy(Clock::System().WallSeconds()), RunState::kRunning);
}

// What hangs, such as a collective operation, does not stop the thread that records counters.
TEST(StateOfTest, ATrainingWhoseCountersGoOnIsStalled) {
  const testing::TempDir dir;
  const double begin = Clock::System().WallSeconds();
  ManualClock clock(begin);
  RecorderOptions options;
  options.writing.clock = &clock;
  const auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 0.5);
  for (int i = 0; i < 40; ++i) {
    clock.seconds += 10;
    (*recorder)->AddScalar("system/cpu_percent", 1, 100);
  }
  const auto hangs = sightline::Run::Open(dir.path());
  ASSERT_THAT(hangs, IsOk());
  EXPECT_EQ((*hangs)->State(clock), RunState::kStalled);
  (*recorder)->AddScalar("loss", 2, 0.5);
  const auto goes_on = sightline::Run::Open(dir.path());
  ASSERT_THAT(goes_on, IsOk());
  EXPECT_EQ((*goes_on)->State(clock), RunState::kRunning);
}

// The trainer's host is behind the clock of whoever looks: the files are new all the same.
TEST(StateOfTest, ATrainingThatRecordsCountersRunsWhateverItsClock) {
  const testing::TempDir dir;
  ManualClock behind(Clock::System().WallSeconds() - 300);
  RecorderOptions options;
  options.writing.clock = &behind;
  const auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  for (int step = 0; step < 40; ++step) {
    (*recorder)->AddScalar("loss", step, 0.5);
    (*recorder)->AddScalar("system/cpu_percent", step, 100);
    behind.seconds += 1;
  }
  const auto run = sightline::Run::Open(dir.path());
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ((*run)->State(Clock::System()), RunState::kRunning);
}

TEST(RunStateNameTest, EqualsTheQueryLanguage) {
  EXPECT_EQ(RunStateName(RunState::kRunning), "running");
  EXPECT_EQ(RunStateName(RunState::kStalled), "stalled");
  EXPECT_EQ(RunStateName(RunState::kKilled), "killed");
  EXPECT_EQ(RunStateName(RunState::kFinished), "finished");
  EXPECT_EQ(RunStateName(RunState::kEnded), "ended");
}

RunSigns SignsOf(const std::string& directory) {
  RunSigns signs;
  AddJournalSigns(FileSystem::Local(), directory, signs);
  return signs;
}

TEST(JournalSignsTest, ALivingRecorderHoldsItsJournal) {
  const testing::TempDir dir;
  auto recorder = Recorder::Open(dir.path(), {});
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  EXPECT_TRUE(SignsOf(dir.path()).journal_held);
  ASSERT_THAT((*recorder)->Close(), IsOk());
  EXPECT_FALSE(SignsOf(dir.path()).journal);
}

TEST(JournalSignsTest, AJournalWithoutAHolderMeansAKilledRun) {
  const testing::TempDir dir;
  const testing::TempDir copy;
  auto recorder = Recorder::Open(dir.path(), {});
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  const auto names = FileSystem::Local().List(dir.path());
  ASSERT_THAT(names, IsOk());
  for (const std::string& name : *names)
    testing::WriteFileOrDie(copy.File(name), testing::ReadFileOrDie(dir.File(name)));
  const RunSigns signs = SignsOf(copy.path());
  EXPECT_TRUE(signs.journal);
  EXPECT_FALSE(signs.journal_held);
  const auto run = sightline::Run::Open(copy.path());
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ((*run)->State(), RunState::kKilled);
  EXPECT_EQ((*run)->Find(ContentKind::kScalar, "loss")->size(), 1U);
  ASSERT_THAT((*recorder)->Close(), IsOk());
}

TEST(JournalSignsTest, IgnoresFilesThatAreNotJournals) {
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File(".sightline-0.journal"), "rubbish");
  EXPECT_FALSE(SignsOf(dir.path()).journal);
}

}  // namespace
}  // namespace sightline

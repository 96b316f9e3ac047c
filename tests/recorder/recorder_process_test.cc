// A recorder and its process: fork, SIGTERM, fsync.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sightline/base/process_registry.h"
#include "sightline/recorder/journal/host.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/tests/recorder/recorder_fixture.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/no_threads.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FileOperation;
using testing::InForkedChild;
using ::testing::IsEmpty;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::SizeIs;

class RecorderProcessTest : public testing::RecorderTest {};

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(RecorderProcessTest, AForkedChildRecordsNothingIntoItsParentsRun) {
  Recorder& recorder = Open();
  const TagId tag = recorder.Intern("loss");
  recorder.AddScalar(tag, 1, 1);
  const int status = InForkedChild([&] {
    const bool closed = recorder.AddScalar(tag, 2, 2) == Outcome::kClosed &&
                        recorder.Stage("x", Value::Scalar(1)) == Outcome::kClosed &&
                        recorder.RecordStaged(3) == Outcome::kClosed && !recorder.Flush().ok();
    recorder.Intern("other");
    (void)recorder.Stats();
    recorder_.reset();
    _exit(closed ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  recorder.AddScalar(tag, 4, 4);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=1", "4 loss=4"));
}
#endif

// Neither can the thread sanitizer's run time start threads in such a child.
#if SIGHTLINE_CAN_FORK_BESIDE_THREADS && !defined(SIGHTLINE_THREAD_SANITIZER)
TEST_F(RecorderProcessTest, AForkedChildMayOpenARecorderOfItsOwn) {
  Recorder& recorder = Open();
  recorder.AddScalar("parent", 1, 1);
  const int status = InForkedChild([&] {
    auto own = Recorder::Open(dir_.path(), options_);
    if (!own) _exit(1);
    (*own)->AddScalar("child", 1, 1);
    _exit((*own)->Close().ok() ? 0 : 2);
  });
  EXPECT_EQ(status, 0);
  const RecordedRun run = Close();
  EXPECT_THAT(Summary(run), ::testing::UnorderedElementsAre("1 parent=1", "1 child=1"));
}
#endif

TEST_F(RecorderProcessTest, AForkedChildDoesNotKeepADeadParentsJournalLocked) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t grandchild = 0;
  const int status = InForkedChild([&] {
    auto recorder = Recorder::Open(dir_.path(), options_);
    if (!recorder) _exit(1);
    (*recorder)->AddScalar("loss", 1, 1);
    if (fork() == 0) {
      // Outlives its parent.
      const pid_t self = getpid();
      if (write(ready[1], &self, sizeof(self)) != sizeof(self)) _exit(2);
      pause();
      _exit(0);
    }
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(read(ready[0], &grandchild, sizeof(grandchild)),
            static_cast<ssize_t>(sizeof(grandchild)));
  Open();
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=1"));
  kill(grandchild, SIGKILL);
  close(ready[0]);
  close(ready[1]);
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS && !defined(SIGHTLINE_THREAD_SANITIZER)
bool HoldsAJournal() {
  for (const auto& descriptor : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // The directory's own.
    const auto file = std::filesystem::read_symlink(descriptor.path(), gone).string();
    if (file.find(kJournalPrefix) != std::string::npos) return true;
  }
  return false;
}

// Forks as soon as there is a journal, finished or not. It lies in memory, where it takes some time
// to allocate it.
TEST_F(RecorderProcessTest, AChildThatIsForkedWhileARecorderOpensKeepsNoJournal) {
  options_.writing.buffer_bytes = std::size_t{32} << 20U;
  for (int i = 0; i < 5; ++i) {
    char journals[] = "/dev/shm/sightline_test_XXXXXX";
    ASSERT_NE(mkdtemp(&journals[0]), nullptr);
    options_.writing.journal_dir = &journals[0];
    std::atomic<bool> opened{false};
    int status = -1;
    std::thread forking;
    Host host = Host::This();
    host.storage = [&](const std::string&) {  // Asked before the journal is made.
      forking = std::thread([&] {
        while (!opened && FileSystem::Local().List(&journals[0])->empty()) {
        }
        status = InForkedChild([] { _exit(HoldsAJournal() ? 1 : 0); });
      });
      return Storage();
    };
    options_.writing.host = &host;
    Open();
    opened = true;
    forking.join();
    EXPECT_EQ(status, 0);
    Close();
    rmdir(&journals[0]);
  }
}

// It has the lock for the instant of the look.
TEST_F(RecorderProcessTest, AChildThatIsForkedWhileSomebodyLooksAtAJournalKeepsNoLockOfIt) {
  const std::string journal = dir_.File(kJournalPrefix + Open().session_id());
  const std::string dead = dir_.File(std::string(kJournalPrefix) + "dead");
  std::filesystem::copy_file(journal, dead);
  int status = -1;
  std::thread forking;
  Host other;
  other.storage = [&](const std::string&) {  // Asked while the lock is held.
    forking = std::thread([&] { status = InForkedChild([] { _exit(HoldsAJournal() ? 1 : 0); }); });
    for (int i = 0; i < 10'000; ++i) std::this_thread::yield();
    return Storage();
  };
  EXPECT_THAT(ListJournals(FileSystem::Local(), dir_.path(), other), SizeIs(2));
  forking.join();
  EXPECT_EQ(status, 0);
  std::filesystem::remove(dead);
  Close();
}
#endif

// Its elements were in that process, and nowhere else.
TEST_F(RecorderProcessTest, WhatADeadProcessHeldOutsideOfItsBufferIsLeftOut) {
  options_.writing.flush_interval = std::chrono::minutes(10);
  const int status = InForkedChild([&] {
    auto recorder = Recorder::Open(dir_.path(), options_);
    if (!recorder) _exit(1);
    const std::vector<std::int64_t> shape = {std::int64_t{1} << 18U};
    const std::vector<float> elements(std::size_t{1} << 18U, 8);
    (*recorder)->Stage("beside", Value::Scalar(1));
    (*recorder)->Stage("large", Value::Tensor(View(elements.data(), shape)));
    (*recorder)->RecordStaged(1);
    (*recorder)->AddScalar("behind", 2, 2);
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  Open();
  EXPECT_THAT(Summary(Close()), ElementsAre("1 beside=1", "2 behind=2"));
}

TEST_F(RecorderProcessTest, ClosesOnSigtermWhenAskedTo) {
  const int status = InForkedChild([&] {
    if (!CloseRecordersOnSigterm().ok() || CloseRecordersOnSigterm().ok()) _exit(1);
    auto recorder = Recorder::Open(dir_.path(), options_);
    (*recorder)->AddScalar("loss", 1, 1);
    kill(getpid(), SIGTERM);
    for (;;) pause();
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  const RecordedRun run = ReadRun(dir_.path());
  EXPECT_THAT(Summary(run), ElementsAre("1 loss=1"));
  EXPECT_THAT(run.other, IsEmpty());
}

TEST_F(RecorderProcessTest, IsOnTheDiskWhenACallReturnsIfAskedTo) {
  testing::FaultyFileSystem counting(FileSystem::Local());
  options_.writing.file_system = &counting;
  options_.writing.sync = SyncPolicy::kEveryRecord;
  Recorder& recorder = Open();
  for (int i = 1; i <= 3; ++i) {
    recorder.AddScalar("loss", i, i);
    EXPECT_GE(counting.calls(FileOperation::kSync), static_cast<std::uint64_t>(i));
  }
  EXPECT_THAT(Summary(Close()), SizeIs(3));
}

class SetClock : public Clock {
 public:
  double WallSeconds() const override { return 1; }
  std::int64_t MonotonicNanos() const override { return now.load(); }
  std::atomic<std::int64_t> now{0};
};

TEST_F(RecorderProcessTest, SyncsAgainWhenASyncFailed) {
  SetClock clock;
  testing::FaultyFileSystem files(FileSystem::Local());
  options_.writing.clock = &clock;
  options_.writing.file_system = &files;
  options_.writing.sync = SyncPolicy::kInterval;
  Recorder& recorder = Open();
  recorder.AddScalar("loss", 1, 1);
  files.FailEvery(FileOperation::kSync, "", StatusCode::kIoError);
  clock.now += 10'000'000'000;
  EXPECT_THAT(recorder.Flush(), testing::IsStatus(StatusCode::kIoError, "injected"));
  files.Heal();
  const std::uint64_t failed = files.calls(FileOperation::kSync);
  clock.now += 10'000'000'000;
  EXPECT_THAT(recorder.Flush(), testing::IsOk());
  EXPECT_GT(files.calls(FileOperation::kSync), failed);
  Close();
}

// Data loaders fork many; each is ended by a signal of its own. The thread sanitizer's run time
// keeps the signal back in such a child.
#ifndef SIGHTLINE_THREAD_SANITIZER
TEST_F(RecorderProcessTest, SigtermToAForkedChildEndsThatChildAlone) {
  const int status = InForkedChild([&] {
    if (!CloseRecordersOnSigterm().ok()) _exit(1);
    auto recorder = Recorder::Open(dir_.path(), options_);
    if (!recorder) _exit(2);
    for (int i = 0; i < 8; ++i) {
      const pid_t worker = fork();
      if (worker == 0) {
        alarm(60);  // Where the signal does not end it.
        for (;;) pause();
      }
      int ended = 0;
      kill(worker, SIGTERM);
      if (waitpid(worker, &ended, 0) != worker || !WIFSIGNALED(ended) || WTERMSIG(ended) != SIGTERM)
        _exit(3);
    }
    (*recorder)->AddScalar("loss", 1, 1);
    _exit((*recorder)->Close().ok() ? 0 : 4);
  });
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Summary(ReadRun(dir_.path())), ElementsAre("1 loss=1"));
}
#endif

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS && !defined(SIGHTLINE_THREAD_SANITIZER)
TEST_F(RecorderProcessTest, AForkedChildMayAskForItsOwnRecordersToBeClosedOnSigterm) {
  const int status = InForkedChild([&] {
    if (!CloseRecordersOnSigterm().ok()) _exit(1);
    auto recorder = Recorder::Open(dir_.path(), options_);
    const int ended = InForkedChild([&] {
      if (!CloseRecordersOnSigterm().ok() || CloseRecordersOnSigterm().ok()) _exit(1);
      auto own = Recorder::Open(dir_.path(), options_);
      (*own)->AddScalar("child", 1, 1);
      kill(getpid(), SIGTERM);
      for (;;) pause();
    });
    if (!WIFSIGNALED(ended) || WTERMSIG(ended) != SIGTERM) _exit(2);
    (*recorder)->AddScalar("parent", 1, 1);
    _exit((*recorder)->Close().ok() ? 0 : 3);
  });
  EXPECT_EQ(status, 0);
  const RecordedRun run = ReadRun(dir_.path());
  EXPECT_THAT(Summary(run), ::testing::UnorderedElementsAre("1 parent=1", "1 child=1"));
  EXPECT_THAT(run.other, IsEmpty());
}
#endif

TEST_F(RecorderProcessTest, IsNotOpenedWhereThereIsNoThreadToBeHad) {
  {
    const testing::NoThreads no_threads;
    const auto recorder = Recorder::Open(dir_.path(), options_);
    ASSERT_FALSE(recorder.has_value());
    EXPECT_EQ(recorder.error().code(), StatusCode::kResourceExhausted);
  }
  Open().AddScalar("loss", 1, 1);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=1"));  // And no journal is left.
}

TEST_F(RecorderProcessTest, RecordsPicturesWhereThereIsNoThreadForWorkers) {
  Recorder& recorder = Open();
  const testing::NoThreads no_threads;
  const std::vector<std::uint8_t> pixels(12, 7);
  const std::vector<std::int64_t> shape = {1, 3, 2, 2};
  const TaggedValue values[] = {{Tag("a"), Value::Image(View(pixels.data(), shape))},
                                {Tag("b"), Value::Image(View(pixels.data(), shape))}};
  EXPECT_EQ(recorder.Record(1, values), Outcome::kAccepted);
  EXPECT_THAT(recorder.Flush(), testing::IsOk());
  EXPECT_THAT(Summary(Close()), SizeIs(2));
}

// A thread sanitizer takes the lock of a thread that the child does not have for held.
#if SIGHTLINE_CAN_FORK_BESIDE_THREADS && !defined(SIGHTLINE_THREAD_SANITIZER)
TEST_F(RecorderProcessTest, AForkWhileRecordersAreClosedLeavesNoLockInTheChild) {
  std::promise<void> inside;
  std::promise<void> go_on;
  const int key = 0;
  ProcessRegistry::SetOnSigterm(&key, [&] {
    inside.set_value();
    go_on.get_future().wait();
  });
  std::thread closing([] { ProcessRegistry::CloseAll(); });
  inside.get_future().wait();
  const int status = InForkedChild([&] {
    alarm(60);  // For what waits for ever.
    auto own = Recorder::Open(dir_.path(), options_);
    own->reset();
    ProcessRegistry::CloseAll();
  });
  go_on.set_value();
  closing.join();
  ProcessRegistry::Remove(&key);
  EXPECT_EQ(status, 0);
}
#endif

TEST_F(RecorderProcessTest, MayBeClosedByAnyThreadWhileSigtermClosesAll) {
  Recorder& recorder = Open();
  std::promise<void> inside;
  std::promise<void> go_on;
  ProcessRegistry::SetOnSigterm(nullptr, [&] {
    inside.set_value();
    go_on.get_future().wait();
  });
  std::thread closing([] { ProcessRegistry::CloseAll(); });
  inside.get_future().wait();
  recorder.AddScalar("loss", 1, 1);
  EXPECT_THAT(recorder.Close(), testing::IsOk());  // Does not wait for the others.
  go_on.set_value();
  closing.join();
  ProcessRegistry::Remove(nullptr);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=1"));
}

}  // namespace
}  // namespace sightline

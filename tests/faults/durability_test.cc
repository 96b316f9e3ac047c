// Each row of the table of docs/durability.md, with the fault at every call of the file system in
// turn: a short training records, a disk image is taken before and after each call, and the next
// recorder opens what is left of it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_replay.h"
#include "sightline/tests/faults/short_training.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/losing_file_system.h"
#include "sightline/tests/support/no_threads.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::FaultyFileSystem;
using testing::FileOperation;
using testing::IsOk;
using testing::LosingDisk;
using testing::LosingFileSystem;
using testing::ReadRun;
using testing::RecordedRun;
using testing::ShortTraining;

// How far the training is, and how far it knows its values to be synced: counts of calls.
struct Ledger {
  std::atomic<int> accepted{0};
  std::atomic<int> synced{0};
};

// Records, with a sync after every fifth call. `mutex` is held while a call brings its values into
// the journal, so that an image of the disk has all of a call or nothing.
void Train(const std::string& directory, FileSystem& files, Ledger& ledger, std::mutex& mutex) {
  auto recorder = Recorder::Open(directory, ShortTraining::Options(files));
  ASSERT_THAT(recorder, IsOk());
  for (int i = 0; i < ShortTraining::kCalls; ++i) {
    if (ShortTraining::IsLent(i)) {
      // Its call waits for the writer, which takes the images.
      ASSERT_THAT((*recorder)->Flush(), IsOk());
      ASSERT_EQ(ShortTraining::Record(**recorder, i), Outcome::kAccepted);
      ledger.accepted = i + 1;
    } else {
      const std::lock_guard lock(mutex);
      ASSERT_EQ(ShortTraining::Record(**recorder, i), Outcome::kAccepted);
      ledger.accepted = i + 1;
    }
    if (i % 5 != 4) continue;
    ASSERT_THAT((*recorder)->Flush(FlushTo::kDisk), IsOk());
    ledger.synced = i + 1;
  }
  ASSERT_THAT((*recorder)->Close(), IsOk());
}

// The first `kept` calls.
void ExpectKept(const std::string& directory, int kept) {
  ShortTraining::ExpectKept(directory, [kept](int i) { return i < kept; });
}

// As the next recorder does first.
void Recover(const std::string& directory, FileSystem& files) {
  FaultLog faults;
  ReplayJournals(directory, files, Clock::System(), faults);
}

// A disk at some instant of a training, and what was known then.
struct Image {
  LosingDisk disk;
  int accepted = 0;
  int synced = 0;
};

class DurabilityTest : public ::testing::Test {
 protected:
  // The training's images.
  static const std::vector<Image>& Images() {
    static const auto* const images = new std::vector<Image>(TakeImages());
    return *images;
  }

  static std::vector<Image> TakeImages() {
    const testing::TempDir dir;
    LosingFileSystem files(FileSystem::Local(), dir.path());
    Ledger ledger;
    std::mutex mutex;
    std::vector<Image> images;
    files.AtEachCall([&] {
      const std::lock_guard lock(mutex);
      const int synced = ledger.synced;
      const int accepted = ledger.accepted;
      images.push_back({files.Disk(), accepted, synced});
    });
    Train(dir.File("runs/lenet"), files, ledger, mutex);
    images.push_back({files.Disk(), ledger.accepted, ledger.synced});
    return images;
  }

  std::mt19937 random_{20261124};
};

TEST_F(DurabilityTest, WhatWasAcceptedIsKeptWhenTheProcessIsKilledAtAnyCall) {
  for (std::size_t n = 0; n < Images().size(); ++n) {
    SCOPED_TRACE(fmt::format("image {} of {}", n, Images().size()));
    const Image& image = Images()[n];
    const testing::TempDir dir;
    image.disk.AfterKill().WriteTo(dir.path());
    std::filesystem::create_directories(dir.File("runs/lenet"));
    Recover(dir.File("runs/lenet"), FileSystem::Local());
    ExpectKept(dir.File("runs/lenet"), image.accepted);
    const RecordedRun run = ReadRun(dir.File("runs/lenet"));
    EXPECT_TRUE(run.sound());
    EXPECT_THAT(run.other, ::testing::IsEmpty());
    EXPECT_LE(run.lineage.size(), 1U) << "a file that nobody knows";
    if (HasFailure()) return;
  }
}

TEST_F(DurabilityTest, WhatWasSyncedIsKeptWhenThePowerFailsAtAnyCall) {
  for (std::size_t n = 0; n < Images().size(); ++n) {
    SCOPED_TRACE(fmt::format("image {} of {}", n, Images().size()));
    const Image& image = Images()[n];
    const testing::TempDir dir;
    image.disk.AfterPowerLoss(random_).WriteTo(dir.path());
    std::filesystem::create_directories(dir.File("runs/lenet"));
    Recover(dir.File("runs/lenet"), FileSystem::Local());
    ExpectKept(dir.File("runs/lenet"), image.synced);
    if (HasFailure()) return;
  }
}

// The replay of a killed training is cut short in the same ways.
TEST_F(DurabilityTest, AReplayMayItselfBeCutShortAtAnyCall) {
  for (std::size_t n = 7; n < Images().size(); n += Images().size() / 4) {
    const Image& image = Images()[n];
    const testing::TempDir killed;
    image.disk.AfterKill().WriteTo(killed.path());
    LosingFileSystem files(FileSystem::Local(), killed.path());
    std::vector<LosingDisk> disks;
    files.AtEachCall([&] { disks.push_back(files.Disk()); });
    Recover(killed.File("runs/lenet"), files);
    for (std::size_t call = 0; call < disks.size(); ++call) {
      SCOPED_TRACE(fmt::format("image {}, call {} of {}", n, call, disks.size()));
      const testing::TempDir kill;
      disks[call].AfterKill().WriteTo(kill.path());
      Recover(kill.File("runs/lenet"), FileSystem::Local());
      ExpectKept(kill.File("runs/lenet"), image.accepted);
      const testing::TempDir power;
      disks[call].AfterPowerLoss(random_).WriteTo(power.path());
      std::filesystem::create_directories(power.File("runs/lenet"));
      Recover(power.File("runs/lenet"), FileSystem::Local());
      ExpectKept(power.File("runs/lenet"), image.synced);
      if (HasFailure()) return;
    }
  }
}

// Its calls fail: once, or from one on.
TEST_F(DurabilityTest, AReplayThatFailsAtAnyCallLeavesTheRestToTheNext) {
  for (std::size_t n = 7; n < Images().size(); n += Images().size() / 4) {
    const Image& image = Images()[n];
    std::uint64_t fired = 1;
    for (std::uint64_t call = 1; fired != 0; ++call) {
      for (const bool once : {true, false}) {
        SCOPED_TRACE(fmt::format("image {}, call {}, once {}", n, call, once));
        const testing::TempDir dir;
        image.disk.AfterKill().WriteTo(dir.path());
        FaultyFileSystem files(FileSystem::Local());
        files.KeepOfFailedWrites(5);
        if (once) {
          files.FailCall(call, StatusCode::kIoError);
        } else {
          files.FailFrom(call, StatusCode::kResourceExhausted);
        }
        Recover(dir.File("runs/lenet"), files);
        fired = files.fired();
        Recover(dir.File("runs/lenet"), FileSystem::Local());
        ExpectKept(dir.File("runs/lenet"), image.accepted);
        const RecordedRun run = ReadRun(dir.File("runs/lenet"));
        EXPECT_TRUE(run.sound());
        EXPECT_THAT(run.other, ::testing::IsEmpty());
        if (HasFailure()) return;
      }
    }
  }
}

// The disk is full from a call on, until it is not.
TEST_F(DurabilityTest, WhatWasAcceptedWaitsForSpaceWhenTheDiskIsFullFromAnyCallOn) {
  bool full_after_all = false;
  for (std::uint64_t n = 0; !full_after_all; ++n) {
    SCOPED_TRACE(fmt::format("writing call {}", n));
    const testing::TempDir dir;
    FaultyFileSystem files(FileSystem::Local());
    auto recorder = Recorder::Open(dir.path(), ShortTraining::Options(files));
    ASSERT_THAT(recorder, IsOk());
    files.FailEvery(FileOperation::kWriteAt, "", StatusCode::kResourceExhausted, n);
    files.KeepOfFailedWrites(5);
    for (int i = 0; i < ShortTraining::kCalls; ++i) {
      if (ShortTraining::IsLent(i)) continue;  // Not accepted while nothing can be written.
      ASSERT_EQ(ShortTraining::Record(**recorder, i), Outcome::kAccepted);
      if (i % 5 == 4) (void)(*recorder)->Flush().ok();
    }
    full_after_all = files.fired() == 0;
    files.Heal();
    EXPECT_THAT((*recorder)->Flush(), IsOk());
    EXPECT_THAT((*recorder)->Close(), IsOk());
    EXPECT_TRUE(ReadRun(dir.path()).sound());
    ShortTraining::ExpectKept(dir.path(), [](int i) { return !ShortTraining::IsLent(i); });
    if (HasFailure()) return;
  }
}

// Neither can the thread sanitizer's run time start threads in such a child.
#if SIGHTLINE_CAN_FORK_BESIDE_THREADS && !defined(SIGHTLINE_THREAD_SANITIZER)
TEST_F(DurabilityTest, FilesAreCompleteWhenSigtermComesAtAnyCall) {
  auto* const ledger = static_cast<Ledger*>(
      mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(ledger, MAP_FAILED);
  bool ended_before = false;
  for (int n = 0; !ended_before; n += 3) {
    SCOPED_TRACE(fmt::format("call {}", n));
    const testing::TempDir dir;
    ledger->accepted = 0;
    const int status = testing::InForkedChild([&] {
      if (!CloseRecordersOnSigterm().ok()) _exit(1);
      LosingFileSystem files(FileSystem::Local(), dir.path());
      std::atomic<int> calls{0};
      files.AtEachCall([&] {
        if (calls.fetch_add(1) == n) kill(getpid(), SIGTERM);
      });
      auto recorder = Recorder::Open(dir.path(), ShortTraining::Options(files));
      if (!recorder) _exit(2);
      for (int i = 0; i < ShortTraining::kCalls; ++i) {
        if (ShortTraining::Record(**recorder, i) != Outcome::kAccepted) pause();
        ledger->accepted = i + 1;
      }
      (void)(*recorder)->Close().ok();
      if (calls > n) pause();  // The signal is on its way.
    });
    ended_before = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    EXPECT_TRUE(ended_before || (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)) << status;
    ExpectKept(dir.path(), ledger->accepted);
    // A recorder that was not open yet leaves what it had, which is nothing of value.
    if (ledger->accepted > 0) {
      EXPECT_THAT(ReadRun(dir.path()).other, ::testing::IsEmpty());
    }
    if (HasFailure()) break;
  }
  munmap(ledger, sizeof(Ledger));
}
#endif

}  // namespace
}  // namespace sightline

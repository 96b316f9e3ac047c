#include "sightline/recorder/writing/journal_replay.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/descriptor.h"
#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/tests/recorder/writing/journal_replay_fixture.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ReadRun;
using ::testing::SizeIs;

TEST_F(JournalReplayTest, CompletesTheFilesAndRemovesTheJournal) {
  KillAfter([](Recorder& recorder) {
    recorder.AddScalar("loss", 1, 1);
    (void)recorder.Flush();
    recorder.AddScalar("loss", 2, 2);
  });
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
  const ReplaySummary summary = Replay();
  EXPECT_EQ(summary.completed, 1);
  EXPECT_EQ(summary.events, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1", "2 loss=2"));
  EXPECT_THAT(ReadRun(dir_.path()).other, IsEmpty());
  EXPECT_TRUE(faults_.first().ok());
}

TEST_F(JournalReplayTest, LeavesTheJournalOfALiveRecorderAlone) {
  auto recorder = Recorder::Open(dir_.path(), {});
  const ReplaySummary summary = Replay();
  EXPECT_EQ(summary.completed, 0);
  EXPECT_THAT(summary.live, SizeIs(1));
  EXPECT_TRUE(std::filesystem::exists(OnlyJournal()));
}

// Tells at each look into the directory whether somebody else could begin a replay of it.
class TurnWatch : public testing::FaultyFileSystem {
 public:
  explicit TurnWatch(std::string directory)
      : FaultyFileSystem(FileSystem::Local()), directory_(std::move(directory)) {}

  Result<std::vector<std::string>> List(const std::string& directory) override {
    if (directory == directory_) free_.push_back(IsFree());
    return FaultyFileSystem::List(directory);
  }

  bool IsFree() const {
    const Descriptor other(open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return flock(other.get(), LOCK_EX | LOCK_NB) == 0;
  }
  const std::vector<bool>& free() const { return free_; }

 private:
  const std::string directory_;
  std::vector<bool> free_;
};

TEST_F(JournalReplayTest, ProcessesThatOpenADirectoryTogetherTakeTurns) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  TurnWatch watch(dir_.path());
  const ReplaySummary summary = ReplayJournals(dir_.path(), watch, Clock::System(), faults_);
  EXPECT_EQ(summary.completed, 1);
  EXPECT_THAT(watch.free(), AllOf(SizeIs(::testing::Ge(2)), ::testing::Each(false)));
  EXPECT_TRUE(watch.IsFree());
}

// As when several ranks of a killed job are restarted together.
TEST_F(JournalReplayTest, ADeadJournalThatAnotherProcessCompletesIsNotALiveRecorders) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  std::vector<ReplaySummary> summaries(8);
  std::vector<std::thread> ranks;
  for (ReplaySummary& summary : summaries) {
    ranks.emplace_back([this, &summary] {
      FaultLog faults;
      summary = ReplayJournals(dir_.path(), FileSystem::Local(), Clock::System(), faults);
    });
  }
  int completed = 0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[rank].join();
    completed += summaries[rank].completed;
    EXPECT_THAT(summaries[rank].live, IsEmpty());
  }
  EXPECT_EQ(completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(JournalReplayTest, AChildThatOutlivesAKilledReplayKeepsNoLockOfIt) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const int status = testing::InForkedChild([&] {
    testing::FaultyFileSystem files(FileSystem::Local());
    files.SetAfterWrite([&](const auto&, std::uint64_t, std::string_view) {
      if (fork() == 0) {
        const pid_t self = getpid();
        if (write(ready[1], &self, sizeof(self)) != sizeof(self)) _exit(1);
        pause();
      }
      kill(getpid(), SIGKILL);
    });
    FaultLog faults;
    ReplayJournals(dir_.path(), files, Clock::System(), faults);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  pid_t grandchild = 0;
  ASSERT_EQ(read(ready[0], &grandchild, sizeof(grandchild)),
            static_cast<ssize_t>(sizeof(grandchild)));
  const ReplaySummary summary = Replay();
  EXPECT_EQ(summary.completed, 1);
  EXPECT_THAT(summary.live, IsEmpty());
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
  kill(grandchild, SIGKILL);
  close(ready[0]);
  close(ready[1]);
}
#endif

TEST_F(JournalReplayTest, FollowsALinkToAJournalElsewhereAndRemovesBoth) {
  testing::TempDir elsewhere;
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, elsewhere.path());
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
  EXPECT_THAT(ReadRun(dir_.path()).other, IsEmpty());
}

// However long that takes, and where there are no turns.
TEST_F(JournalReplayTest, WhoeverHoldsTheLockOfAJournalThatWasTakenOverIsNoRecorder) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  const auto other = JournalMap::Adopt(FileSystem::Local(), OnlyJournal());
  ASSERT_THAT(other, testing::IsOk());
  const ReplaySummary summary = Replay();
  EXPECT_EQ(summary.completed, 0);
  EXPECT_THAT(summary.live, IsEmpty());
  EXPECT_EQ(faults_.count(), 0) << faults_.first().ToString();
  EXPECT_EQ(ListJournals(FileSystem::Local(), dir_.path()).at(0).owner, JournalOwner::kDead);
}

TEST_F(JournalReplayTest, AJournalStaysWhateverCannotBeFoundOrHadWhileItIsCompleted) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  for (const StatusCode code : {StatusCode::kNotFound, StatusCode::kUnavailable}) {
    testing::FaultyFileSystem files(FileSystem::Local());
    files.FailEvery(testing::FileOperation::kWriteAt, "", code);
    const ReplaySummary summary = ReplayJournals(dir_.path(), files, Clock::System(), faults_);
    EXPECT_EQ(summary.completed, 0);
    EXPECT_THAT(summary.live, IsEmpty());
    EXPECT_EQ(faults_.first().code(), StatusCode::kNotFound);
  }
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
}

// A journal_dir of another time, of which the link alone is there.
class JournalReplayOfALinkAloneTest : public JournalReplayTest {
 protected:
  JournalReplayOfALinkAloneTest() {
    testing::TempDir elsewhere;
    KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, elsewhere.path());
  }
  // On a machine that was started at this time, whose journal_dir lies in memory or not.
  void ReplayOn(double started_at, bool in_memory) {
    Host host;
    host.started_at = started_at;
    host.storage = [&](const std::string&) { return Storage{.in_memory = in_memory}; };
    ReplayJournals(dir_.path(), FileSystem::Local(), Clock::System(), faults_, host);
  }
  const double now_ = Clock::System().WallSeconds();
};

// It may lie in another container, or on a disk that is mounted later.
TEST_F(JournalReplayOfALinkAloneTest, StaysAndIsNamed) {
  ReplayOn(now_ - 1000, true);
  ReplayOn(now_ + 1000, false);
  EXPECT_EQ(faults_.count(), 2);
  EXPECT_THAT(std::string(faults_.first().message()),
              AllOf(::testing::HasSubstr(OnlyJournal()), ::testing::HasSubstr("remove this link")));
  EXPECT_TRUE(std::filesystem::is_symlink(OnlyJournal()));
}

TEST_F(JournalReplayOfALinkAloneTest, IsRemovedWhereTheMachineForgotTheJournal) {
  ReplayOn(now_ + 1000, true);
  EXPECT_EQ(faults_.count(), 1);
  ReplayOn(now_ + 1000, true);
  EXPECT_EQ(faults_.count(), 1);
  EXPECT_THAT(ReadRun(dir_.path()).other, IsEmpty());
}

TEST_F(JournalReplayTest, WritesANewFileWhenSomebodyRemovedTheOldOne) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  for (const auto& file : ReadRun(dir_.path()).mindspore)
    std::filesystem::remove(dir_.File(file.name));
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
}

TEST_F(JournalReplayTest, RemovesAJournalThatWasNeverFinished) {
  testing::WriteFileOrDie(dir_.File(".sightline-journal-x.tmp"), "half");
  Replay();
  EXPECT_FALSE(std::filesystem::exists(dir_.File(".sightline-journal-x.tmp")));
}

TEST_F(JournalReplayTest, NeverWritesIntoTheSecondLinkOfAFinishedFile) {
  // As a kill between giving a file its name and removing the temporary one leaves it.
  std::string session;
  KillAfter([&](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  const std::string journal = OnlyJournal();
  session = journal.substr(journal.rfind('-') + 1);
  const std::string file = ReadRun(dir_.path()).mindspore.front().name;
  std::filesystem::create_hard_link(dir_.File(file), dir_.File(".sightline-" + session + "-0.tmp"));
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
  EXPECT_THAT(ReadRun(dir_.path()).other, IsEmpty());
}

// A tensor larger than the buffer stays with its caller until it is written: what is killed before
// that has only the file.
class JournalReplayOfLentValuesTest : public JournalReplayTest {
 protected:
  using AfterWrite = std::function<void(Recorder& recorder, const std::string& path,
                                        std::uint64_t offset, std::string_view bytes)>;

  static constexpr std::size_t kElements = std::size_t{1} << 20U;
  static constexpr std::size_t kLargeWrite = std::size_t{1} << 20U;

  // Records a scalar and a tensor of 4 MiB; `after_write` kills meanwhile.
  void RecordLent(const AfterWrite& after_write) {
    const int status = testing::InForkedChild([&] {
      testing::FaultyFileSystem files(FileSystem::Local());
      RecorderOptions options;
      options.writing.buffer_bytes = std::size_t{1} << 20U;
      options.writing.file_system = &files;
      auto recorder = Recorder::Open(dir_.path(), options);
      if (!recorder) _exit(1);
      files.SetAfterWrite(
          [&](const std::string& path, std::uint64_t offset, std::string_view bytes) {
            after_write(**recorder, path, offset, bytes);
          });
      (*recorder)->AddScalar("before", 1, 1);
      const std::vector<float> elements(kElements, 7);
      const std::vector<std::int64_t> shape = {kElements};
      const TaggedValue values[] = {{Tag("large"), Value::Tensor(View(elements.data(), shape))},
                                    {Tag("beside"), Value::Scalar(2)}};
      (*recorder)->Record(2, values);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
  }
};

TEST_F(JournalReplayOfLentValuesTest, CutsTheRecordThatWasTornWhenTheProcessWasKilled) {
  RecordLent([](Recorder& recorder, const std::string& path, std::uint64_t offset,
                std::string_view bytes) {
    if (bytes.size() < kLargeWrite) return;
    recorder.AddScalar("behind", 3, 3);
    if (truncate(path.c_str(), static_cast<off_t>(offset + bytes.size() / 2)) == 0)
      kill(getpid(), SIGKILL);
  });
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 before=1", "2 beside=2", "3 behind=3"));
  EXPECT_TRUE(ReadRun(dir_.path()).sound());
}

TEST_F(JournalReplayOfLentValuesTest, KeepsTheWholeRecordThatTheJournalDidNotLearnOf) {
  bool large_written = false;
  RecordLent([&](Recorder& recorder, const std::string& /*path*/, std::uint64_t /*offset*/,
                 std::string_view bytes) {
    if (large_written) {  // Of the record's last bytes.
      recorder.AddScalar("behind", 3, 3);
      kill(getpid(), SIGKILL);
    }
    large_written = bytes.size() >= kLargeWrite;
  });
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 before=1", "2 large:tensor=7", "2 beside=2", "3 behind=3"));
  EXPECT_TRUE(ReadRun(dir_.path()).sound());
}

}  // namespace
}  // namespace sightline

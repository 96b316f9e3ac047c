#include "sightline/recorder/writing/journal_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::SizeIs;

// A directory in which recorders are killed, and the replay of what they leave.
class JournalReplayTest : public ::testing::Test {
 protected:
  template <typename Body>
  void KillAfter(Body&& body, const std::string& journal_dir = "") {
    const int status = testing::InForkedChild([&] {
      RecorderOptions options;
      options.flush_interval = std::chrono::hours(1);
      options.journal_dir = journal_dir;
      auto recorder = Recorder::Open(dir_.path(), options);
      if (!recorder) _exit(1);
      body(**recorder);
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
  }

  ReplaySummary Replay() {
    return ReplayJournals(dir_.path(), FileSystem::Local(), Clock::System(), faults_);
  }

  std::string OnlyJournal() {
    const auto journals = FindJournals(dir_.path(), FileSystem::Local());
    EXPECT_EQ(journals.size(), 1);
    return journals.empty() ? "" : journals.front();
  }

  std::vector<std::string> Summary() { return RecordedRun::Values(ReadRun(dir_.path()).mindspore); }

  testing::TempDir dir_;
  FaultLog faults_;
};

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

TEST_F(JournalReplayTest, FollowsALinkToAJournalElsewhereAndRemovesBoth) {
  testing::TempDir elsewhere;
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, elsewhere.path());
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
  EXPECT_THAT(ReadRun(dir_.path()).other, IsEmpty());
}

TEST_F(JournalReplayTest, ReportsAJournalThatIsGoneOnce) {
  {
    testing::TempDir elsewhere;
    KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, elsewhere.path());
  }
  Replay();
  EXPECT_EQ(faults_.count(), 1);
  Replay();
  EXPECT_EQ(faults_.count(), 1);
}

TEST_F(JournalReplayTest, WritesANewFileWhenSomebodyRemovedTheOldOne) {
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); });
  for (const auto& file : ReadRun(dir_.path()).mindspore)
    std::filesystem::remove(dir_.File(file.name));
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
}

TEST_F(JournalReplayTest, SkipsADamagedEntryAndReportsIt) {
  KillAfter([](Recorder& recorder) {
    for (int i = 1; i <= 3; ++i) recorder.AddScalar("loss", i, i);
  });
  std::string journal = testing::ReadFileOrDie(OnlyJournal());
  std::uint32_t first_size = 0;
  std::memcpy(&first_size, journal.data() + kJournalRingOffset + offsetof(EntryHeader, size),
              sizeof(first_size));
  journal[kJournalRingOffset + first_size + sizeof(EntryHeader) + 3] ^= 1;
  testing::WriteFileOrDie(OnlyJournal(), journal);
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1", "3 loss=3"));
  EXPECT_THAT(std::string(faults_.first().message()), HasSubstr("fails its checksum"));
}

TEST_F(JournalReplayTest, EndsAtADamagedSizeAndReportsIt) {
  KillAfter([](Recorder& recorder) {
    for (int i = 1; i <= 3; ++i) recorder.AddScalar("loss", i, i);
  });
  std::string journal = testing::ReadFileOrDie(OnlyJournal());
  std::uint32_t first_size = 0;
  std::memcpy(&first_size, journal.data() + kJournalRingOffset + offsetof(EntryHeader, size),
              sizeof(first_size));
  journal[kJournalRingOffset + first_size + offsetof(EntryHeader, size)] = 1;
  testing::WriteFileOrDie(OnlyJournal(), journal);
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
  EXPECT_THAT(std::string(faults_.first().message()), HasSubstr("the journal is damaged"));
}

TEST_F(JournalReplayTest, KeepsAJournalThatItCannotReadAndReportsIt) {
  testing::WriteFileOrDie(dir_.File(".sightline-journal-x"), std::string(200'000, 'x'));
  Replay();
  EXPECT_THAT(std::string(faults_.first().message()), HasSubstr(".sightline-journal-x"));
  EXPECT_TRUE(std::filesystem::exists(dir_.File(".sightline-journal-x")));
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

}  // namespace
}  // namespace sightline

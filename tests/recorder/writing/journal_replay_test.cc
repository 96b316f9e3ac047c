#include "sightline/recorder/writing/journal_replay.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/base/descriptor.h"
#include "sightline/recorder/journal/journal_entry.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/recorder/writing/journal_reader.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::AllOf;
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
  void KillAfter(Body&& body, const std::string& journal_dir = "", const Host* host = nullptr) {
    const int status = testing::InForkedChild([&] {
      RecorderOptions options;
      options.host = host;
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

// Machines that have the run's directory mounted, with locks that only each of them knows.
class JournalReplayOnASharedDriveTest : public JournalReplayTest {
 protected:
  static Host Machine(char machine, char boot) {
    const auto id = [](char digit) { return digit == ' ' ? "" : std::string(32, digit); };
    return {id(machine), id(boot), [](const std::string&) { return Storage{.shared = true}; }};
  }
  void KilledOn(const Host& host) {
    KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, "", &host);
  }
  ReplaySummary ReplayOn(const Host& host, OtherMachines others = OtherMachines::kLeaveAlone) {
    return ReplayJournals(dir_.path(), FileSystem::Local(), Clock::System(), faults_, host, others);
  }
};

TEST_F(JournalReplayOnASharedDriveTest, TheSameBootBelievesTheLock) {
  KilledOn(Machine(' ', 'b'));
  EXPECT_EQ(ReplayOn(Machine(' ', 'b')).completed, 1);
}

TEST_F(JournalReplayOnASharedDriveTest, AMachineThatWasStartedAgainCompletesItsOwn) {
  KilledOn(Machine('a', 'b'));
  EXPECT_EQ(ReplayOn(Machine('a', 'c')).completed, 1);
}

TEST_F(JournalReplayOnASharedDriveTest, AnotherMachinesJournalIsLeftAloneAndNamed) {
  KilledOn(Machine('a', 'b'));
  const ReplaySummary summary = ReplayOn(Machine('c', 'd'));
  EXPECT_EQ(summary.completed, 0);
  EXPECT_THAT(summary.live, IsEmpty()) << "dead for who resumes";
  EXPECT_THAT(std::string(faults_.first().message()),
              AllOf(HasSubstr(OnlyJournal()), HasSubstr("was written on another machine"),
                    HasSubstr("sightline recover --other-machines " + dir_.path())));
  EXPECT_THAT(Summary(), IsEmpty());
}

TEST_F(JournalReplayOnASharedDriveTest, MachinesWithoutANameAreNotTakenForOne) {
  KilledOn(Machine(' ', 'b'));
  EXPECT_EQ(ReplayOn(Machine(' ', 'd')).completed, 0);
}

TEST_F(JournalReplayOnASharedDriveTest, ItIsCompletedOnTheCallersWord) {
  KilledOn(Machine('a', 'b'));
  EXPECT_EQ(ReplayOn(Machine('c', 'd'), OtherMachines::kAdopt).completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1"));
}

TEST_F(JournalReplayOnASharedDriveTest, ReadersSayThatOnlyTheOtherMachineCanTell) {
  KilledOn(Machine('a', 'b'));
  const auto owner = [&](const Host& host) {
    return ListJournals(FileSystem::Local(), dir_.path(), host).at(0).owner;
  };
  EXPECT_EQ(owner(Machine('c', 'd')), JournalOwner::kElsewhere);
  EXPECT_EQ(owner(Machine('a', 'd')), JournalOwner::kDead);
}

TEST_F(JournalReplayOnASharedDriveTest, ALinkToAJournalOnAnotherMachineStays) {
  {
    testing::TempDir elsewhere;
    KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, elsewhere.path());
  }
  ReplayOn(Machine('c', 'd'));
  EXPECT_TRUE(std::filesystem::is_symlink(OnlyJournal()));
}

TEST_F(JournalReplayTest, OnADiskOfItsOwnTheLockIsBelievedWhateverTheMachinesName) {
  const Host one{std::string(32, 'a'), std::string(32, 'b')};
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, "", &one);
  EXPECT_EQ(Replay().completed, 1);
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
      options.buffer_bytes = std::size_t{1} << 20U;
      options.file_system = &files;
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

// A power loss may leave the page of the slots as it was before, and damage an entry.
class JournalReplayAfterPowerLossTest : public JournalReplayTest {
 protected:
  // Three scalars, of which the slot in the journal knows the first only, and the file has two.
  void LeaveAnOldSlot() {
    KillAfter([](Recorder& recorder) {
      recorder.AddScalar("loss", 1, 1);
      (void)recorder.Flush();
      recorder.AddScalar("a", 2, 2);
      (void)recorder.Flush();
      recorder.AddScalar("larger", 3, 3);
    });
    journal_ = testing::ReadFileOrDie(OnlyJournal());
    std::uint64_t generation = 0;
    char* const slot = journal_.data() + offsetof(JournalHeader, sinks);
    std::memcpy(&generation, slot, sizeof(generation));
    --generation;
    std::memcpy(slot, &generation, sizeof(generation));
    testing::WriteFileOrDie(OnlyJournal(), journal_);
  }

  std::string journal_;
};

TEST_F(JournalReplayAfterPowerLossTest, WritesNothingASecondTime) {
  LeaveAnOldSlot();
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1", "2 a=2", "3 larger=3"));
  EXPECT_TRUE(ReadRun(dir_.path()).sound());
}

TEST_F(JournalReplayAfterPowerLossTest, NeverOverwritesASoundRecordWhoseEntryIsDamaged) {
  LeaveAnOldSlot();
  std::uint32_t first_size = 0;
  std::memcpy(&first_size, journal_.data() + kJournalRingOffset + offsetof(EntryHeader, size),
              sizeof(first_size));
  journal_[kJournalRingOffset + first_size + sizeof(EntryHeader) + 3] ^= 1;
  testing::WriteFileOrDie(OnlyJournal(), journal_);
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), ElementsAre("1 loss=1", "2 a=2", "3 larger=3"));
  EXPECT_TRUE(ReadRun(dir_.path()).sound());
}

// A journal that somebody wrote by hand, or that is damaged where no checksum is.
class JournalReplayOfForgedJournalsTest : public JournalReplayTest {
 protected:
  // Leaves a journal with one tensor; `forge` changes its bytes.
  void LeaveForged(const std::function<void(std::string& journal)>& forge) {
    KillAfter([](Recorder& recorder) {
      const float elements[] = {1, 2, 3, 4};
      const std::vector<std::int64_t> shape = {4};
      recorder.AddTensor("t", 1, View(&elements[0], shape));
    });
    std::string journal = testing::ReadFileOrDie(OnlyJournal());
    forge(journal);
    testing::WriteFileOrDie(OnlyJournal(), journal);
  }

  // The valid half of the first slot.
  static SinkProgress& FirstSlot(std::string& journal) {
    auto& header = *reinterpret_cast<JournalHeader*>(journal.data());
    SinkSlot& slot = header.sinks[0];
    return slot.half[slot.generation.load() & 1U];
  }

  // It is said, and the journal stays.
  void ExpectRefused(const std::string& why) {
    EXPECT_EQ(Replay().completed, 0);
    EXPECT_THAT(std::string(faults_.first().message()), HasSubstr(why));
    EXPECT_TRUE(std::filesystem::exists(OnlyJournal()));
    EXPECT_THAT(ReadJournalTails(FileSystem::Local(), dir_.path()), testing::IsOk());
  }
};

TEST_F(JournalReplayOfForgedJournalsTest, ElementsAreNeverReadThroughAnAddress) {
  LeaveForged([](std::string& journal) {
    char* const entry = journal.data() + kJournalRingOffset;
    std::uint32_t size = 0;
    std::memcpy(&size, entry + offsetof(EntryHeader, size), sizeof(size));
    char* const body = entry + sizeof(EntryHeader);
    body[sizeof(EntryEventHeader) + offsetof(EntryValueHeader, flags)] = kExternal;
    const std::uint32_t crc = crc32c::Value({body, size - sizeof(EntryHeader)});
    std::memcpy(entry + offsetof(EntryHeader, checksum), &crc, sizeof(crc));
  });
  EXPECT_EQ(Replay().completed, 1);
  EXPECT_THAT(Summary(), IsEmpty());
}

TEST_F(JournalReplayOfForgedJournalsTest, OnlyEventFilesOfTheDirectoryAreOpened) {
  const std::string name = "./events.out.events.summary.1.0.host_MS";
  testing::WriteFileOrDie(dir_.File(name), "mine");
  LeaveForged([&](std::string& journal) {
    std::memcpy(FirstSlot(journal).file_name, name.c_str(), name.size() + 1);
  });
  ExpectRefused("it names a file that is no event file");
  EXPECT_EQ(testing::ReadFileOrDie(dir_.File(name)), "mine");
}

TEST_F(JournalReplayOfForgedJournalsTest, ANameWithoutItsEndIsNone) {
  LeaveForged([](std::string& journal) {
    std::memset(FirstSlot(journal).file_name, 'x', kMaxFileNameBytes);
  });
  ExpectRefused("it names a file that is no event file");
}

TEST_F(JournalReplayOfForgedJournalsTest, NothingIsReadBehindTheRing) {
  LeaveForged([](std::string& journal) {
    auto& header = *reinterpret_cast<JournalHeader*>(journal.data());
    header.head += 1000 * header.ring_bytes;
  });
  ExpectRefused("its positions make no sense");
}

// The checksums of the header and of the entry hold, as in a journal that was made to do harm.
TEST_F(JournalReplayOfForgedJournalsTest, NoBytesDoHarm) {
  LeaveForged([](std::string&) {});
  std::string sound = testing::ReadFileOrDie(OnlyJournal());
  const std::size_t size_of_file = sound.size();
  sound.resize(kJournalRingOffset + 4096);  // Nothing but zeros follows.
  const std::string name(BaseName(OnlyJournal()));
  std::mt19937 random(20261124);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  // Where something is: the fixed fields, head and slots, the entry.
  const std::pair<std::size_t, std::size_t> places[] = {
      {0, 400},
      {offsetof(JournalHeader, head), sizeof(JournalHeader) - offsetof(JournalHeader, head)},
      {kJournalRingOffset, 200}};
  for (int i = 0; i < 300; ++i) {
    std::string journal = sound;
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const auto& [begin, size] = places[below(3)];
      journal[begin + below(size)] = static_cast<char>(below(3) == 0 ? below(256) : below(3));
    }
    auto& header = *reinterpret_cast<JournalHeader*>(journal.data());
    header.checksum = JournalHeaderChecksum(header);
    auto& entry = *reinterpret_cast<EntryHeader*>(journal.data() + kJournalRingOffset);
    const std::size_t body = std::min<std::size_t>(entry.size, 4096) - sizeof(EntryHeader);
    const char* const begin = reinterpret_cast<const char*>(&entry + 1);
    if (entry.size >= sizeof(EntryHeader)) entry.checksum = crc32c::Value({begin, body});
    const testing::TempDir dir;
    testing::WriteFileOrDie(dir.File(name), journal);
    std::filesystem::resize_file(dir.File(name), size_of_file);
    EXPECT_THAT(ReadJournalTails(FileSystem::Local(), dir.path()), testing::IsOk());
    ReplayJournals(dir.path(), FileSystem::Local(), Clock::System(), faults_);
    EXPECT_TRUE(ReadRun(dir.path()).sound()) << i;
  }
}

TEST_F(JournalReplayOfForgedJournalsTest, NothingIsReadBetweenTwoPlaces) {
  LeaveForged([](std::string& journal) { FirstSlot(journal).position = 3; });
  ExpectRefused("its positions make no sense");
}

}  // namespace
}  // namespace sightline

// Replay of journals of other machines, on drives that several have mounted.
#include <filesystem>
#include <string>

#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/tests/recorder/writing/journal_replay_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  Host host = Machine('c', 'd');
  host.started_at = Clock::System().WallSeconds() + 1000;
  host.storage = [](const std::string&) { return Storage{.shared = true, .in_memory = true}; };
  ReplayOn(host);
  EXPECT_TRUE(std::filesystem::is_symlink(OnlyJournal()));
}

TEST_F(JournalReplayTest, OnADiskOfItsOwnTheLockIsBelievedWhateverTheMachinesName) {
  const Host one{std::string(32, 'a'), std::string(32, 'b')};
  KillAfter([](Recorder& recorder) { recorder.AddScalar("loss", 1, 1); }, "", &one);
  EXPECT_EQ(Replay().completed, 1);
}

}  // namespace
}  // namespace sightline

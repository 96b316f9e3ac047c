// Replay of journals that are damaged: by a power loss, by chance, or by somebody who forged them.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/journal/journal_entry.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/recorder/writing/journal_reader.h"
#include "sightline/tests/recorder/writing/journal_replay_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ReadRun;

std::uint32_t FirstEntrySize(const std::string& journal) {
  std::uint32_t size = 0;
  std::memcpy(&size, journal.data() + kJournalRingOffset + offsetof(EntryHeader, size),
              sizeof(size));
  return size;
}

TEST_F(JournalReplayTest, SkipsADamagedEntryAndReportsIt) {
  KillAfter([](Recorder& recorder) {
    for (int i = 1; i <= 3; ++i) recorder.AddScalar("loss", i, i);
  });
  std::string journal = testing::ReadFileOrDie(OnlyJournal());
  const std::uint32_t first_size = FirstEntrySize(journal);
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
  const std::uint32_t first_size = FirstEntrySize(journal);
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
  const std::uint32_t first_size = FirstEntrySize(journal_);
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

  // The header must lie at the beginning of a page, which a string's bytes need not.
  static void ChangeHeader(std::string& journal,
                           const std::function<void(JournalHeader& header)>& change) {
    alignas(JournalHeader) std::array<char, sizeof(JournalHeader)> bytes{};
    std::memcpy(bytes.data(), journal.data(), bytes.size());
    change(*reinterpret_cast<JournalHeader*>(bytes.data()));
    std::memcpy(journal.data(), bytes.data(), bytes.size());
  }
  // The same for the valid half of the first slot.
  static void ChangeFirstSlot(std::string& journal,
                              const std::function<void(SinkProgress& progress)>& change) {
    ChangeHeader(journal, [&](JournalHeader& header) {
      SinkSlot& slot = header.sinks[0];
      change(slot.half[slot.generation.load() & 1U]);
    });
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
    // In the place of the elements, which the entry ends with.
    static const float secret[] = {7, 7, 7, 7};
    const ExternalData where{reinterpret_cast<std::uintptr_t>(&secret[0]), sizeof(secret)};
    std::memcpy(entry + size - sizeof(where), &where, sizeof(where));
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
    ChangeFirstSlot(journal, [&](SinkProgress& progress) {
      std::memcpy(progress.file_name, name.c_str(), name.size() + 1);
    });
  });
  ExpectRefused("it names a file that is not an event file");
  EXPECT_EQ(testing::ReadFileOrDie(dir_.File(name)), "mine");
}

TEST_F(JournalReplayOfForgedJournalsTest, ANameWithoutItsEndIsNone) {
  LeaveForged([](std::string& journal) {
    ChangeFirstSlot(journal, [](SinkProgress& progress) {
      std::memset(progress.file_name, 'x', kMaxFileNameBytes);
    });
  });
  ExpectRefused("it names a file that is not an event file");
}

TEST_F(JournalReplayOfForgedJournalsTest, NothingIsReadBehindTheRing) {
  LeaveForged([](std::string& journal) {
    ChangeHeader(journal, [](JournalHeader& header) { header.head += 1000 * header.ring_bytes; });
  });
  ExpectRefused("its positions are not valid");
}

TEST_F(JournalReplayOfForgedJournalsTest, AFileThatIsALinkIsNotWrittenInto) {
  std::string victim = "mine";
  testing::WriteFileOrDie(dir_.File("victim"), victim);
  LeaveForged([](std::string&) {});
  const std::string file = dir_.File(ReadRun(dir_.path()).mindspore.at(0).name);
  std::filesystem::remove(file);
  std::filesystem::create_symlink(dir_.File("victim"), file);
  ExpectRefused("which is a link");
  EXPECT_EQ(testing::ReadFileOrDie(dir_.File("victim")), victim);
}

TEST_F(JournalReplayOfForgedJournalsTest, AFolderOfNpyFilesThatIsALinkIsNotWrittenInto) {
  LeaveForged([](std::string& journal) {
    ChangeFirstSlot(journal, [](SinkProgress& progress) { progress.file_digits = 7; });
  });
  std::filesystem::create_directory_symlink("/", dir_.File("export_7"));
  ExpectRefused("it names export_7, which is a link");
}

TEST_F(JournalReplayOfForgedJournalsTest, NorIsAFolderInItThatIsALink) {
  LeaveForged([](std::string& journal) {
    ChangeFirstSlot(journal, [](SinkProgress& progress) { progress.file_digits = 7; });
  });
  std::filesystem::create_directory(dir_.File("export_7"));
  std::filesystem::create_directory_symlink("/", dir_.File("export_7/tensor"));
  ExpectRefused("it names export_7/tensor, which is a link");
}

TEST_F(JournalReplayOfForgedJournalsTest, AHostNameLeadsToNoOtherDirectory) {
  LeaveForged([](std::string& journal) {
    ChangeHeader(journal, [](JournalHeader& header) {
      std::string manifest(header.manifest, header.manifest_bytes);
      const std::size_t host = manifest.find("hostname\":\"") + std::strlen("hostname\":\"");
      header.manifest[host] = '/';
      header.checksum = JournalHeaderChecksum(header);
    });
  });
  ExpectRefused("session id or host name");
}

// A file with a hole of any size is quickly made.
TEST_F(JournalReplayOfForgedJournalsTest, ARingIsNoLargerThanARecorderMakesIt) {
  LeaveForged([](std::string& journal) {
    ChangeHeader(journal, [](JournalHeader& header) {
      header.ring_bytes = kMaxRingBytes + kJournalRingOffset;
      header.head = header.ring_bytes;
      header.checksum = JournalHeaderChecksum(header);
    });
  });
  std::filesystem::resize_file(OnlyJournal(), 2 * kMaxRingBytes);
  ExpectRefused("at most 2147483648 are one");
}

TEST_F(JournalReplayTest, NobodyWaitsForAPipe) {
  const std::string pipe = dir_.File(".sightline-journal-x");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadJournalTails(FileSystem::Local(), dir_.path())->size(), 0);
  EXPECT_THAT(ListJournals(FileSystem::Local(), dir_.path()), ::testing::SizeIs(1));
  EXPECT_EQ(Replay().completed, 0);
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
    ChangeHeader(journal,
                 [](JournalHeader& header) { header.checksum = JournalHeaderChecksum(header); });
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
  LeaveForged([](std::string& journal) {
    ChangeFirstSlot(journal, [](SinkProgress& progress) { progress.position = 3; });
  });
  ExpectRefused("its positions are not valid");
}

}  // namespace
}  // namespace sightline

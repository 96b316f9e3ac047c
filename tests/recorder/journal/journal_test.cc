#include "sightline/recorder/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/journal/journal_map.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using Peek = Journal::Peek;
using WriterState = Journal::WriterState;

constexpr char kSession[] = "0123456789abcdef0123456789abcdef";

void Commit(const Journal::Reservation& reservation) {
  const std::string_view body(reservation.body.data(), reservation.body.size());
  Journal::Commit(reservation, crc32c::Value(body));
}

// A journal with the smallest ring, and a writer that reads it.
class JournalTest : public ::testing::Test {
 protected:
  JournalTest()
      : journal_(*JournalMap::Create(FileSystem::Local(), dir_.path(), dir_.path(), kSession, 1,
                                     "{}", 2)) {}

  bool Put(std::string_view text) {
    const auto reservation = Reserve(text);
    if (reservation.entry == nullptr) return false;
    Commit(reservation);
    return true;
  }

  Journal::Reservation Reserve(std::string_view text) {
    auto reservation = journal_.Reserve(text.size(), 1, text.size());
    if (reservation.entry != nullptr) {
      std::memset(reservation.body.data(), 0, reservation.body.size());
      std::memcpy(reservation.body.data(), text.data(), text.size());
    }
    return reservation;
  }

  // Takes the entry at the writer's place.
  Peek Take(std::string& text) {
    Journal::Entry entry;
    const Peek peek = journal_.PeekAt(position_, sequence_, journal_.head(), entry);
    if (peek == Peek::kEntry) {
      text = std::string(entry.body).c_str();  // Without the padding.
      position_ = entry.end;
      ++sequence_;
    }
    return peek;
  }

  std::vector<std::string> TakeAll() {
    std::vector<std::string> texts;
    for (std::string text; Take(text) == Peek::kEntry;) texts.push_back(text);
    return texts;
  }

  testing::TempDir dir_;
  Journal journal_;
  std::uint64_t position_ = 0;
  std::uint64_t sequence_ = 0;
};

TEST_F(JournalTest, GivesEntriesBackInTheOrderOfReservation) {
  EXPECT_THAT(TakeAll(), IsEmpty());
  Put("a");
  Put("bb");
  EXPECT_THAT(TakeAll(), ElementsAre("a", "bb"));
  Put("ccc");
  EXPECT_THAT(TakeAll(), ElementsAre("ccc"));
}

TEST_F(JournalTest, StopsAtAnEntryThatIsNotCommittedYet) {
  const auto first = Reserve("first");
  Put("second");
  std::string text;
  EXPECT_EQ(Take(text), Peek::kInFlight);
  Commit(first);
  EXPECT_THAT(TakeAll(), ElementsAre("first", "second"));
}

TEST_F(JournalTest, GrantsNoMoreThanTheRingHoldsUntilTheWriterReleases) {
  const std::string entry(1000, 'x');
  std::size_t granted = 0;
  while (Put(entry)) ++granted;
  EXPECT_EQ(granted, journal_.map().ring_bytes() / AlignEntry(sizeof(EntryHeader) + entry.size()));
  EXPECT_THAT(TakeAll(), ::testing::SizeIs(granted));
  EXPECT_FALSE(Put(entry));
  journal_.Release(position_);
  EXPECT_TRUE(Put(entry));
}

TEST_F(JournalTest, EntriesWrapAroundTheRingInOnePiece) {
  for (int i = 0; i < 5000; ++i) {
    const std::string text(static_cast<std::size_t>(1 + i % 3000), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(Put(text));
    ASSERT_THAT(TakeAll(), ElementsAre(text));
    journal_.Release(position_);
  }
  EXPECT_GT(position_, 10 * journal_.map().ring_bytes());
}

TEST_F(JournalTest, NeverTakesAnEarlierLapsBytesForAnEntry) {
  // Fills the ring once, so that every place holds a committed entry of an earlier lap.
  while (Put("old entry")) {
  }
  TakeAll();
  journal_.Release(position_);
  Reserve("not committed");
  std::string text;
  EXPECT_EQ(Take(text), Peek::kInFlight);
}

TEST_F(JournalTest, GrantsNothingOnceSealed) {
  Put("a");
  journal_.Seal();
  EXPECT_FALSE(Put("b"));
  EXPECT_EQ(journal_.tally().entries, 1);
}

TEST_F(JournalTest, CountsWhatItGranted) {
  Put("abc");
  Put("de");
  EXPECT_EQ(journal_.tally().values, 2);
  EXPECT_EQ(journal_.tally().bytes, 5);
}

TEST_F(JournalTest, WakesAnIdleWriterOnceABurst) {
  ASSERT_TRUE(journal_.TrySleep(WriterState::kIdle, position_));
  EXPECT_TRUE(Reserve("a").wake_writer);
  EXPECT_FALSE(Reserve("b").wake_writer);
}

TEST_F(JournalTest, DoesNotLetTheWriterIdleWhileSomethingWaits) {
  Put("a");
  EXPECT_FALSE(journal_.TrySleep(WriterState::kIdle, position_));
  TakeAll();
  EXPECT_TRUE(journal_.TrySleep(WriterState::kIdle, position_));
}

TEST_F(JournalTest, WakesANappingWriterOnlyWhenMuchWaits) {
  journal_.set_wake_bytes(1000);
  ASSERT_TRUE(journal_.TrySleep(WriterState::kNapping, position_));
  EXPECT_FALSE(Reserve("little").wake_writer);
  EXPECT_TRUE(Reserve(std::string(2000, 'x')).wake_writer);
  EXPECT_FALSE(journal_.TrySleep(WriterState::kNapping, position_));
}

TEST_F(JournalTest, WakesADozingWriterOnlyWhenThereIsNoRoom) {
  ASSERT_TRUE(journal_.TrySleep(WriterState::kDozing, position_));
  const std::string entry(1000, 'x');
  Journal::Reservation reservation = Reserve(entry);
  while (reservation.entry != nullptr) {
    EXPECT_FALSE(reservation.wake_writer);
    reservation = Reserve(entry);
  }
  EXPECT_TRUE(reservation.wake_writer);
}

TEST_F(JournalTest, RemembersHowFarEachSinkGot) {
  SinkProgress progress;
  progress.position = 8;
  progress.sequence = 1;
  std::strcpy(progress.file_name, "file");
  journal_.StoreProgress(1, progress);
  EXPECT_EQ(journal_.LoadProgress(0).sequence, 0);
  EXPECT_EQ(journal_.LoadProgress(1).sequence, 1);
  EXPECT_STREQ(journal_.LoadProgress(1).file_name, "file");
}

TEST_F(JournalTest, DetectsAnEntryThatChanged) {
  Put("sound");
  Journal::Entry entry;
  ASSERT_EQ(journal_.PeekAt(0, 0, journal_.head(), entry), Peek::kEntry);
  EXPECT_TRUE(Journal::Intact(entry));
  const_cast<char*>(entry.body.data())[0] ^= 1;
  EXPECT_FALSE(Journal::Intact(entry));
}

TEST_F(JournalTest, DoesNotWalkOnDamagedSizes) {
  Put("sound");
  for (const std::uint32_t size : {0U, 8U, 17U, 1U << 30U}) {
    reinterpret_cast<EntryHeader*>(journal_.map().ring())->size = size;
    Journal::Entry entry;
    EXPECT_EQ(journal_.PeekAt(0, 0, journal_.head(), entry), Peek::kDamaged) << size;
  }
}

TEST_F(JournalTest, IsLockedWhileItsRecorderLives) {
  EXPECT_THAT(JournalMap::Adopt(FileSystem::Local(), journal_.map().path()).error(),
              IsStatus(StatusCode::kUnavailable, "live recorder"));
}

// A journal that its recorder left behind, changed in one place.
class AbandonedJournalTest : public ::testing::Test {
 protected:
  AbandonedJournalTest() {
    auto map =
        *JournalMap::Create(FileSystem::Local(), dir_.path(), dir_.path(), kSession, 1, "{}", 1);
    path_ = map->path();
  }

  Status AdoptWith(std::size_t offset, std::string_view bytes) {
    std::string journal = testing::ReadFileOrDie(path_);
    journal.replace(offset, bytes.size(), bytes);
    return AdoptAs(journal);
  }

  Status AdoptAs(std::string_view journal) {
    testing::WriteFileOrDie(path_, journal);
    const auto adopted = JournalMap::Adopt(FileSystem::Local(), path_);
    return adopted ? Status() : adopted.error();
  }

  testing::TempDir dir_;
  std::string path_;
};

TEST_F(AbandonedJournalTest, CanBeAdopted) { EXPECT_THAT(AdoptWith(0, ""), IsOk()); }

TEST_F(AbandonedJournalTest, IsRefusedWithAnotherMagic) {
  EXPECT_THAT(AdoptWith(0, "X"), IsStatus(StatusCode::kDataLoss, "not a journal"));
}

TEST_F(AbandonedJournalTest, IsRefusedWithAnotherVersion) {
  EXPECT_THAT(AdoptWith(offsetof(JournalHeader, version), "\x09"),
              IsStatus(StatusCode::kUnimplemented, "version 9"));
}

TEST_F(AbandonedJournalTest, IsRefusedWithADamagedHeader) {
  EXPECT_THAT(AdoptWith(offsetof(JournalHeader, ring_bytes) + 3, "\x7f"),
              IsStatus(StatusCode::kDataLoss, "header is damaged"));
  EXPECT_THAT(AdoptWith(offsetof(JournalHeader, manifest), "["),
              IsStatus(StatusCode::kDataLoss, "header is damaged"));
}

TEST_F(AbandonedJournalTest, IsRefusedWhenCut) {
  const std::string journal = testing::ReadFileOrDie(path_);
  EXPECT_THAT(AdoptAs(journal.substr(0, journal.size() - 1)),
              IsStatus(StatusCode::kDataLoss, "the journal is cut"));
  EXPECT_THAT(AdoptAs(journal.substr(0, 100)), IsStatus(StatusCode::kDataLoss, "no whole header"));
}

TEST(JournalMapTest, NamesTheDirectoryItCannotUse) {
  const auto map = JournalMap::Create(FileSystem::Local(), "/nonexistent/dir", "/nonexistent/dir",
                                      kSession, 1, "{}", 1);
  ASSERT_FALSE(map);
  EXPECT_THAT(map.error(), IsStatus(StatusCode::kNotFound, "/nonexistent/dir"));
}

TEST(JournalThreadsTest, ManyCallersLoseNothing) {
  testing::TempDir dir;
  Journal journal(
      *JournalMap::Create(FileSystem::Local(), dir.path(), dir.path(), kSession, 1, "{}", 1));
  constexpr int kThreads = 4;
  constexpr std::uint64_t kEntries = 20'000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&journal, t] {
      for (std::uint64_t i = 0; i < kEntries;) {
        const auto reservation = journal.Reserve(sizeof(std::uint64_t), 1, 8);
        if (reservation.entry == nullptr) {
          std::this_thread::yield();
          continue;
        }
        const std::uint64_t value = i++ * kThreads + static_cast<std::uint64_t>(t);
        std::memcpy(reservation.body.data(), &value, sizeof(value));
        Commit(reservation);
      }
    });
  }
  std::vector<std::uint64_t> next(kThreads, 0);
  std::uint64_t position = 0;
  for (std::uint64_t sequence = 0; sequence < kThreads * kEntries;) {
    Journal::Entry entry;
    if (journal.PeekAt(position, sequence, journal.head(), entry) != Peek::kEntry) {
      std::this_thread::yield();
      continue;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, entry.body.data(), sizeof(value));
    ASSERT_TRUE(Journal::Intact(entry));
    ASSERT_EQ(value / kThreads, next[value % kThreads]++);
    position = entry.end;
    ++sequence;
    journal.Release(position);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sightline

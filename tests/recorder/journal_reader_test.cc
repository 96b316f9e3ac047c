#include "sightline/recorder/journal_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/recorder/record_reader.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;

RecorderOptions QuietOptions() {
  RecorderOptions options;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.flush_interval = std::chrono::hours(1);
  options.min_free_disk_bytes = 0;
  return options;
}

const JournalTail* Find(const std::vector<JournalTail>& tails, EventFileKind kind) {
  for (const JournalTail& tail : tails) {
    if (tail.kind == kind) return &tail;
  }
  return nullptr;
}

std::vector<std::int64_t> Steps(const std::vector<std::string>& payloads) {
  std::vector<std::int64_t> steps;
  for (const std::string& payload : payloads) {
    mindspore::Event event;
    EXPECT_TRUE(event.ParseFromString(payload));
    steps.push_back(event.step());
  }
  return steps;
}

TEST(JournalReaderTest, ShowsWhatALiveRecorderHasNotWrittenYet) {
  testing::TempDir dir;
  auto recorder = Recorder::Open(dir.path(), QuietOptions());
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  EXPECT_THAT((*recorder)->Flush(), IsOk());
  (*recorder)->AddScalar("loss", 2, 2);
  (*recorder)->AddScalar("loss", 3, 3);
  (*recorder)->AddMessage(ValueKind::kEvaluationLineage, "", 3, "\x12\x02{}");

  const auto tails = ReadJournalTails(FileSystem::Local(), dir.path());
  ASSERT_THAT(tails, IsOk());
  const JournalTail* summary = Find(*tails, EventFileKind::kMindSporeSummary);
  ASSERT_NE(summary, nullptr);
  EXPECT_THAT(Steps(summary->payloads), ElementsAre(2, 3));
  EXPECT_EQ(summary->visible_bytes, std::filesystem::file_size(dir.File(summary->file_name)));
  EXPECT_THAT(Find(*tails, EventFileKind::kTensorBoard)->payloads, SizeIs(3));
  // The lineage file is made with its first event; the journal knows its name already.
  const JournalTail* lineage = Find(*tails, EventFileKind::kMindSporeLineage);
  ASSERT_NE(lineage, nullptr);
  EXPECT_THAT(lineage->payloads, SizeIs(1));
  EXPECT_FALSE(std::filesystem::exists(dir.File(lineage->file_name)));

  EXPECT_THAT((*recorder)->Close(), IsOk());
  EXPECT_THAT(*ReadJournalTails(FileSystem::Local(), dir.path()), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(dir.File(lineage->file_name)));
}

TEST(JournalReaderTest, ShowsWhatAKilledRecorderLeftInAReadOnlyDirectory) {
  testing::TempDir dir;
  const pid_t child = fork();
  if (child == 0) {
    auto recorder = Recorder::Open(dir.path(), QuietOptions());
    for (int i = 1; i <= 5; ++i) (*recorder)->AddScalar("loss", i, i);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::permissions(
      dir.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto before = std::filesystem::last_write_time(dir.path());
  for (int i = 0; i < 2; ++i) {
    const auto tails = ReadJournalTails(FileSystem::Local(), dir.path());
    ASSERT_THAT(tails, IsOk());
    EXPECT_THAT(Steps(Find(*tails, EventFileKind::kMindSporeSummary)->payloads),
                ElementsAre(1, 2, 3, 4, 5));
  }
  EXPECT_EQ(std::filesystem::last_write_time(dir.path()), before);
  std::filesystem::permissions(dir.path(), std::filesystem::perms::owner_all);
}

// File and tail together are an exact prefix of what was recorded, at any moment of a live run.
TEST(JournalReaderTest, ShowsEveryEventOnceWhileTheyAreWritten) {
  testing::TempDir dir;
  RecorderOptions options = QuietOptions();
  options.formats = {Format::kMindSpore};
  options.buffer_bytes = std::size_t{1} << 20;
  options.flush_interval = std::chrono::milliseconds(2);
  auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  // The writer keeps at most one burst ahead of the looks, so that files stay small.
  constexpr int kLooks = 200;
  std::atomic<std::int64_t> looks{0};
  std::thread writer([&] {
    for (std::int64_t i = 1; looks < kLooks; ++i) {
      while (i > (looks + 1) * 2000 && looks < kLooks) std::this_thread::yield();
      (*recorder)->AddScalar("loss", i, 1);
    }
  });
  for (; looks < kLooks && !HasFatalFailure(); ++looks) {
    const auto tails = ReadJournalTails(FileSystem::Local(), dir.path());
    ASSERT_THAT(tails, IsOk());
    ASSERT_THAT(*tails, SizeIs(1));
    const JournalTail& tail = tails->front();
    std::int64_t last = 0;
    RecordReader reader(*FileSystem::Local().OpenForRead(dir.File(tail.file_name)));
    mindspore::Event event;
    // Reading all of a long file each time would prove no more than its last records do.
    while (reader.position() < tail.visible_bytes && reader.Next() == ReadOutcome::kRecord) {
      if (reader.position() + 4096 < tail.visible_bytes) continue;
      ASSERT_TRUE(
          event.ParseFromArray(reader.payload().data(), static_cast<int>(reader.payload().size())));
      if (event.has_summary()) last = event.step();
    }
    EXPECT_EQ(reader.position(), tail.visible_bytes);
    for (const std::int64_t step : Steps(tail.payloads)) {
      ASSERT_TRUE(last == 0 || step == last + 1) << step << " follows " << last;
      last = step;
    }
  }
  writer.join();
  EXPECT_THAT((*recorder)->Close(), IsOk());
}

TEST(JournalReaderTest, LeavesDamagedJournalsOut) {
  testing::TempDir dir;
  testing::WriteFileOrDie(dir.File(".sightline-journal-x"), "no journal");
  testing::WriteFileOrDie(dir.File(".sightline-journal-y"), std::string(200'000, '\0'));
  EXPECT_THAT(*ReadJournalTails(FileSystem::Local(), dir.path()), IsEmpty());
}

TEST(JournalReaderTest, NamesADirectoryThatIsNotThere) {
  const auto tails = ReadJournalTails(FileSystem::Local(), "/nonexistent");
  ASSERT_FALSE(tails);
  EXPECT_THAT(tails.error(), testing::IsStatus(StatusCode::kNotFound, "/nonexistent"));
}

}  // namespace
}  // namespace sightline

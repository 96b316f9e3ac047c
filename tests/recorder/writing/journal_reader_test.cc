#include "sightline/recorder/writing/journal_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"
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
  options.writing.flush_interval = std::chrono::hours(1);
  options.writing.min_free_disk_bytes = 0;
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
  (*recorder)->AddMessage("", 3, ValueKind::kEvaluationLineage, "\x12\x02{}");

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
  const int status = testing::InForkedChild([&] {
    auto recorder = Recorder::Open(dir.path(), QuietOptions());
    for (int i = 1; i <= 5; ++i) (*recorder)->AddScalar("loss", i, i);
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
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
  options.writing.buffer_bytes = std::size_t{1} << 20;
  options.writing.flush_interval = std::chrono::milliseconds(2);
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

// A file system in which something happens just before the n-th read of a file.
class InterruptedFileSystem : public testing::FaultyFileSystem {
 public:
  InterruptedFileSystem(int at, std::function<void()> interrupt)
      : FaultyFileSystem(FileSystem::Local()), left_(at), interrupt_(std::move(interrupt)) {}

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, FaultyFileSystem::OpenForRead(path));
    return std::make_unique<File>(*this, std::move(file));
  }
  bool interrupted() const { return left_ <= 0; }

 private:
  class File : public ReadableFile {
   public:
    File(InterruptedFileSystem& owner, std::unique_ptr<ReadableFile> inner)
        : owner_(owner), inner_(std::move(inner)) {}
    Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
      if (--owner_.left_ == 0) owner_.interrupt_();
      return inner_->ReadAt(offset, buffer);
    }
    Result<std::uint64_t> Size() const override { return inner_->Size(); }

   private:
    InterruptedFileSystem& owner_;
    std::unique_ptr<ReadableFile> inner_;
  };

  int left_;
  std::function<void()> interrupt_;
};

std::vector<std::int64_t> StepsOfFile(const std::string& path, std::uint64_t visible_bytes) {
  std::vector<std::string> payloads;
  RecordReader reader(*FileSystem::Local().OpenForRead(path));
  while (reader.position() < visible_bytes && reader.Next() == ReadOutcome::kRecord)
    payloads.emplace_back(reader.payload());
  EXPECT_EQ(reader.position(), visible_bytes);
  std::vector<std::int64_t> steps = Steps(payloads);
  std::erase(steps, 0);  // The header.
  return steps;
}

// A preempted reader may find that the recorder went once around the ring between any two reads.
TEST(JournalReaderTest, ShowsTheTailOfARecorderThatOvertakesIt) {
  constexpr std::size_t kRing = std::size_t{1} << 20;
  constexpr int kLaps = 2 * static_cast<int>(kRing / 48);  // Events of 48 bytes.
  bool interrupted = true;
  for (int read = 1; interrupted; ++read) {
    SCOPED_TRACE(read);
    testing::TempDir dir;
    RecorderOptions options = QuietOptions();
    options.formats = {Format::kMindSpore};
    options.writing.buffer_bytes = kRing;
    auto recorder = Recorder::Open(dir.path(), options);
    ASSERT_THAT(recorder, IsOk());
    std::int64_t recorded = 0;
    const auto record = [&](int count) {
      for (int i = 0; i < count; ++i) (*recorder)->AddScalar("loss", ++recorded, 1);
    };
    record(10);
    EXPECT_THAT((*recorder)->Flush(), IsOk());
    record(10);
    InterruptedFileSystem file_system(read, [&] { record(kLaps); });
    const auto tails = ReadJournalTails(file_system, dir.path());
    interrupted = file_system.interrupted();
    ASSERT_THAT(tails, IsOk());
    ASSERT_THAT(*tails, SizeIs(1));
    std::vector<std::int64_t> steps =
        StepsOfFile(dir.File(tails->front().file_name), tails->front().visible_bytes);
    for (const std::int64_t step : Steps(tails->front().payloads)) steps.push_back(step);
    ASSERT_GE(steps.size(), 20);
    for (std::size_t i = 0; i < steps.size(); ++i)
      ASSERT_EQ(steps[i], static_cast<std::int64_t>(i) + 1);
  }
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

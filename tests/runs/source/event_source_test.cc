#include "sightline/runs/source/event_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;

std::vector<std::string> Names(const std::vector<EventSource>& sources) {
  std::vector<std::string> names;
  for (const EventSource& source : sources) names.emplace_back(BaseName(source.path));
  return names;
}

TEST(ListEventSourcesTest, ListsEventFilesInReadingOrder) {
  testing::MemoryFileSystem fs;
  for (const char* name :
       {"events.out.events.summary.10.0.vm_MS", "events.out.events.summary.9.0.vm_MS",
        "events.out.events.summary.9.0.vm_lineage", "events.out.tfevents.8.vm", "notes.txt"}) {
    fs.Put(std::string("run/") + name, "");
  }
  fs.Put("run/old.tfevents.7/notes.txt", "");
  const auto sources = ListEventSources("run", &fs);
  ASSERT_THAT(sources, IsOk());
  EXPECT_THAT(Names(*sources),
              ElementsAre("events.out.tfevents.8.vm", "events.out.events.summary.9.0.vm_MS",
                          "events.out.events.summary.9.0.vm_lineage",
                          "events.out.events.summary.10.0.vm_MS"));
  EXPECT_THAT(ListEventSources("nowhere", &fs).error(), IsStatus(StatusCode::kNotFound, "nowhere"));
}

TEST(FindEventSourceTest, TakesAFileUnderAnyNameButNoDirectory) {
  testing::MemoryFileSystem fs;
  fs.Put("run/copy", "");
  EXPECT_THAT(FindEventSource("run/copy", &fs), IsOk());
  EXPECT_THAT(FindEventSource("run", &fs).error(),
              IsStatus(StatusCode::kInvalidArgument, "is a directory"));
  EXPECT_THAT(FindEventSource("run/none", &fs).error(),
              IsStatus(StatusCode::kNotFound, "run/none"));
}

// A recorder that has accepted values which are in no file yet.
class LiveRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    RecorderOptions options;
    options.formats = {Format::kMindSpore, Format::kTensorBoard};
    options.writing.flush_interval = std::chrono::hours(1);
    auto recorder = Recorder::Open(dir_.path(), options);
    ASSERT_THAT(recorder, IsOk());
    recorder_ = *std::move(recorder);
  }
  void TearDown() override { chmod(dir_.path().c_str(), 0755); }

  void Record(std::int64_t first, std::int64_t last) {
    for (std::int64_t step = first; step <= last; ++step) {
      ASSERT_EQ(recorder_->AddScalar("loss", step, 0.5), Outcome::kAccepted);
    }
  }
  // How often each step is in the files of a kind.
  std::map<std::int64_t, int> Steps(EventFileKind kind) {
    std::map<std::int64_t, int> steps;
    const auto sources = ListEventSources(dir_.path());
    EXPECT_THAT(sources, IsOk());
    for (const EventSource& source : *sources) {
      if (source.kind != kind) continue;
      auto reader = OpenEventSource(source);
      EXPECT_THAT(reader, IsOk());
      while ((*reader)->Next() == ReadOutcome::kRecord) {
        if (!(*reader)->event().values.empty()) ++steps[(*reader)->event().step];
      }
      EXPECT_THAT((*reader)->skipped(), IsEmpty());
    }
    return steps;
  }
  static std::map<std::int64_t, int> Each(std::int64_t first, std::int64_t last) {
    std::map<std::int64_t, int> steps;
    for (std::int64_t step = first; step <= last; ++step) steps[step] = 1;
    return steps;
  }

  testing::TempDir dir_;
  std::unique_ptr<Recorder> recorder_;
};

TEST_F(LiveRunTest, ReadsRecordsThatAreOnlyInTheJournal) {
  Record(1, 100);
  EXPECT_EQ(Steps(EventFileKind::kMindSporeSummary), Each(1, 100));
  EXPECT_EQ(Steps(EventFileKind::kTensorBoard), Each(1, 100));
}

TEST_F(LiveRunTest, ReadsRecordsOfFileAndJournalOnce) {
  Record(1, 50);
  ASSERT_THAT(recorder_->Flush(), IsOk());
  Record(51, 100);
  EXPECT_EQ(Steps(EventFileKind::kMindSporeSummary), Each(1, 100));
  ASSERT_THAT(recorder_->Close(), IsOk());
  EXPECT_EQ(Steps(EventFileKind::kMindSporeSummary), Each(1, 100));
}

TEST_F(LiveRunTest, ReadingWritesNothing) {
  Record(1, 10);
  // For users other than root the directory is read-only now.
  ASSERT_EQ(chmod(dir_.path().c_str(), 0555), 0);
  const auto before = *FileSystem::Local().List(dir_.path());
  EXPECT_EQ(Steps(EventFileKind::kMindSporeSummary), Each(1, 10));
  EXPECT_EQ(*FileSystem::Local().List(dir_.path()), before);
}

TEST_F(LiveRunTest, OneFileIsFoundWithItsJournal) {
  Record(1, 10);
  const auto sources = ListEventSources(dir_.path());
  ASSERT_THAT(sources, IsOk());
  for (const EventSource& listed : *sources) {
    const auto found = FindEventSource(listed.path);
    ASSERT_THAT(found, IsOk());
    ASSERT_EQ(found->tail.has_value(), listed.tail.has_value());
    if (found->tail) {
      EXPECT_EQ(found->tail->payloads, listed.tail->payloads);
    }
  }
}

}  // namespace
}  // namespace sightline

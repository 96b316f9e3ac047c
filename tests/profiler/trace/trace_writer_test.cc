// Its files, read by our reader; perfetto_engine_test.py reads one by Perfetto's own.
#include "sightline/profiler/trace/trace_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "sightline/tests/profiler/import/profiles.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;

profiler::Profile Read(const std::string& path) {
  auto profile = profiler::ImportProfile(path);
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? *std::move(profile) : profiler::Profile();
}

TEST(TraceWriter, WritesSpansCountersAndArrows) {
  const testing::TempDir folder;
  const std::string path = folder.File("trace.perfetto-trace");
  {
    TraceWriter trace(path);
    const TraceWriter::Track gpu = trace.AddTrack("gpu 0");
    const TraceWriter::Track stream = trace.AddTrack("stream 7", gpu);
    trace.Span(stream, "matmul", 1000, 1700, 5);
    trace.Span(stream, "relu", 1700, 1800);
    trace.Instant(gpu, "reset", 900, 5);
    const TraceWriter::Track memory = trace.AddCounter("memory", "bytes");
    trace.Value(memory, 1000, 4096);
    trace.Value(memory, 2000, 0.5);
    EXPECT_TRUE(trace.Close());
    EXPECT_TRUE(trace.Close()) << "once more";
  }
  const profiler::Profile read = Read(path);
  EXPECT_TRUE(read.model.not_understood.empty());
  EXPECT_THAT(read.model.spans.start, ElementsAre(1000, 1700));
  EXPECT_THAT(read.model.spans.duration, ElementsAre(700, 100));
  EXPECT_EQ(read.model.names[read.model.spans.name[1]], "relu");
  ASSERT_EQ(read.model.counters.size(), 1);
  EXPECT_THAT(read.model.counters[0].value, ElementsAre(4096, 0.5));
  EXPECT_EQ(read.model.flows.size(), 2);
  EXPECT_EQ(read.model.instants.size(), 1);
}

TEST(TraceWriter, IsWholeUpToTheLastFlush) {
  const testing::TempDir folder;
  const std::string path = folder.File("trace.perfetto-trace");
  TraceWriter trace(path);
  const TraceWriter::Track track = trace.AddTrack("track");
  trace.Span(track, "written", 1, 2);
  EXPECT_TRUE(trace.Flush());
  trace.Span(track, "not yet", 3, 4);
  EXPECT_EQ(Read(path).model.spans.size(), 1);
}

TEST(TraceWriter, SaysAtTheEndThatItCouldNotWrite) {
  TraceWriter nowhere("/nowhere/trace");
  nowhere.Span(nowhere.AddTrack("track"), "lost", 1, 2);
  EXPECT_FALSE(nowhere.Close());
  TraceWriter full("/dev/full");
  full.Span(full.AddTrack("track"), "lost", 1, 2);
  EXPECT_FALSE(full.Close());
}

// As a disk on a network may: what was written is refused when the file is closed.
TEST(TraceWriter, SaysAtTheEndThatTheFileCouldNotBeClosed) {
  const testing::TempDir folder;
  const int next = dup(STDIN_FILENO);  // The least that is free, so the file's.
  close(next);
  TraceWriter trace(folder.File("trace.perfetto-trace"));
  trace.Span(trace.AddTrack("track"), "written", 1, 2);
  EXPECT_TRUE(trace.Flush());
  ASSERT_EQ(close(next), 0);
  EXPECT_FALSE(trace.Close());
  EXPECT_FALSE(trace.Close()) << "once more";
}

// No file may grow beyond so many bytes while it lives: a disk that is full, and then no longer.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small = {bytes, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    (void)std::signal(SIGXFSZ, before_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit limit_{};
  void (*before_)(int);
};

TEST(TraceWriter, SaysAtTheEndThatTheDiskWasFullForAWhile) {
  const testing::TempDir folder;
  const std::string path = folder.File("trace.perfetto-trace");
  TraceWriter trace(path);
  const TraceWriter::Track track = trace.AddTrack("track");
  trace.Span(track, "written", 1, 2);
  ASSERT_TRUE(trace.Flush());
  {
    const FullDisk full(std::filesystem::file_size(path));
    trace.Span(track, "too much", 3, 4);
    EXPECT_FALSE(trace.Flush());
  }
  trace.Span(track, "behind", 5, 6);
  EXPECT_FALSE(trace.Flush());
  EXPECT_FALSE(trace.Close());
  EXPECT_FALSE(trace.Close()) << "once more";
}

// More than is kept in memory goes to the file by itself, and that may fail without a Flush.
TEST(TraceWriter, SaysAtTheEndThatTheDiskWasFullInTheMiddle) {
  const testing::TempDir folder;
  TraceWriter trace(folder.File("trace.perfetto-trace"));
  const TraceWriter::Track track = trace.AddTrack("track");
  {
    const FullDisk full(4096);
    for (int i = 0; i < 100'000; ++i) trace.Span(track, "work", 2 * i, 2 * i + 1);
  }
  EXPECT_FALSE(trace.Close());
}

}  // namespace
}  // namespace sightline::profiler

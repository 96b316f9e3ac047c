// Its files, read by our reader; perfetto_engine_test.py reads one by Perfetto's own.
#include "sightline/profiler/record/trace_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::tracing {
namespace {

using ::testing::ElementsAre;

std::string NewPath() {
  return ::testing::TempDir() + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
         ".perfetto-trace";
}

profile::Profile Read(const std::string& path) {
  auto profile = profile::ImportProfile(FileSystem::Local(), path);
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? *std::move(profile) : profile::Profile();
}

TEST(TraceWriter, WritesSpansCountersAndArrows) {
  const std::string path = NewPath();
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
  const profile::Profile read = Read(path);
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
  const std::string path = NewPath();
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

}  // namespace
}  // namespace sightline::tracing

#include "sightline/profiler/record/profile_recorder.h"

#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

#include "sightline/tests/profiler/record/record_fixture.h"
#include "sightline/tests/support/memory_file_system.h"

namespace sightline::profiler {
namespace {

using ::testing::Contains;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Key;
using testing::MemoryFileSystem;
using testing::ReadSlice;
using testing::ReadTrace;

using ProfileRecorderTest = RecordTest;

TEST_F(ProfileRecorderTest, ThereIsOneAtATime) {
  auto first = ProfileRecorder::Start(Options());
  ASSERT_THAT(first, IsOk());
  const auto second = ProfileRecorder::Start(Options());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), IsStatus(StatusCode::kFailedPrecondition, "running"));
  const auto stats = (*first)->Stop();
  ASSERT_THAT(stats, IsOk());
  EXPECT_EQ((*first)->Stop()->path, stats->path);
  auto third = ProfileRecorder::Start(Options());
  ASSERT_THAT(third, IsOk());
  EXPECT_NE((*third)->path(), stats->path);
}

TEST_F(ProfileRecorderTest, OptionsOutOfRangeAreRefused) {
  ProfileOptions options = Options();
  options.ring_bytes = 1;
  EXPECT_THAT(ProfileRecorder::Start(options).error(),
              IsStatus(StatusCode::kInvalidArgument, "ring_bytes is 1"));
  options = Options();
  options.flush_interval = std::chrono::milliseconds(0);
  EXPECT_THAT(ProfileRecorder::Start(options).error(),
              IsStatus(StatusCode::kInvalidArgument, "flush_interval is 0"));
  options = Options();
  options.sample_interval = std::chrono::milliseconds(-1);
  EXPECT_THAT(ProfileRecorder::Start(options).error(),
              IsStatus(StatusCode::kInvalidArgument, "sample_interval is -1"));
  options = Options();
  options.directory = "s3://bucket/profile";
  EXPECT_THAT(ProfileRecorder::Start(options).error(),
              IsStatus(StatusCode::kInvalidArgument, "s3://bucket/profile"));
  EXPECT_THAT(ProfileRecorder::Start({}).error(),
              IsStatus(StatusCode::kInvalidArgument, "directory"));
}

TEST_F(ProfileRecorderTest, WhatFindsNoRoomIsCountedAndTheRestStaysWhole) {
  ProfileOptions options = Options();
  options.ring_bytes = std::size_t{64} << 10U;
  constexpr std::uint64_t kSpans = 300'000;
  const ReadTrace trace = Recorded(options, [] {
    for (std::uint64_t i = 0; i < kSpans; ++i) {
      SIGHTLINE_SPAN("outer");
      SIGHTLINE_SPAN("inner");
    }
  });
  EXPECT_EQ(trace.Count("outer") + trace.Count("inner") + stats_.dropped, 2 * kSpans);
  EXPECT_EQ(trace.ends_without_begin, 0U);
  for (const ReadSlice& slice : trace.slices) {
    ASSERT_GE(slice.end, slice.begin);
    ASSERT_EQ(slice.parent, slice.name == "inner" ? "outer" : "");
  }
}

TEST_F(ProfileRecorderTest, EndsKeepTheirRoomHoweverManySpansAreOpen) {
  ProfileOptions options = Options();
  options.ring_bytes = std::size_t{64} << 10U;
  constexpr std::uint64_t kSlots = 4096;
  constexpr std::uint64_t kDepth = 5000;
  const ReadTrace trace = Recorded(options, [] {
    std::vector<Session> open;
    for (std::uint64_t i = 0; i < kDepth; ++i) open.push_back(BeginSpan(InternName("deep")));
    for (const Session session : open) EndSpan(session);
    SIGHTLINE_SPAN("behind");
  });
  EXPECT_LT(trace.Count("deep"), kSlots);
  EXPECT_EQ(trace.Count("deep") + stats_.dropped, kDepth + 1 - trace.Count("behind"));
  EXPECT_EQ(trace.ends_without_begin, 0U);
  for (const ReadSlice& slice : trace.slices) ASSERT_GE(slice.end, slice.begin);
}

TEST_F(ProfileRecorderTest, ThreadsRecordSideBySideWithoutLoss) {
  constexpr std::uint64_t kThreads = 4;
  constexpr std::uint64_t kSpans = 5'000;
  const ReadTrace trace = Recorded([] {
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([] {
        for (std::uint64_t j = 0; j < kSpans; ++j) {
          SIGHTLINE_SPAN("work");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(trace.Count("work"), kThreads * kSpans);
  EXPECT_EQ(stats_.dropped, 0U);
  EXPECT_EQ(stats_.threads, kThreads);
}

TEST_F(ProfileRecorderTest, AFullDiskEndsTheProfileWithItsErrorAndAWholeFile) {
  MemoryFileSystem files;
  files.SetCapacity(20'000);
  ProfileOptions options = Options();
  options.directory = "profile";
  options.file_system = &files;
  auto profile = ProfileRecorder::Start(options);
  ASSERT_THAT(profile, IsOk());
  for (int i = 0; i < 20'000; ++i) {
    SIGHTLINE_SPAN("work");
  }
  const auto stats = (*profile)->Stop();
  ASSERT_FALSE(stats);
  EXPECT_THAT(stats.error(), IsStatus(StatusCode::kResourceExhausted, "the profile "));
  const std::string bytes = files.Get((*profile)->path());
  EXPECT_EQ(testing::ParseTrace(bytes).cut_bytes, 0U);
  EXPECT_EQ((*profile)->Stats().bytes, bytes.size());
  EXPECT_GT((*profile)->Stats().dropped, 0U);
}

TEST_F(ProfileRecorderTest, TheSystemIsSampled) {
  ProfileOptions options = Options();
  options.sample_interval = std::chrono::milliseconds(1);
  auto profile = ProfileRecorder::Start(options);
  ASSERT_THAT(profile, IsOk());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while ((*profile)->Stats().events < 20 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  const auto stats = (*profile)->Stop();
  ASSERT_THAT(stats, IsOk());
  const ReadTrace trace = testing::ParseTrace(testing::ReadFileOrDie(stats->path));
  EXPECT_THAT(trace.counters, Contains(Key("system/memory_bytes")));
  EXPECT_GT(trace.counters.at("system/memory_bytes").at(0), 1e5);
}

}  // namespace
}  // namespace sightline::profiler

// A profile into a temporary folder, stopped and read back.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/tests/profiler/record/trace_reading.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {

class RecordTest : public ::testing::Test {
 protected:
  ProfileOptions Options() const {
    ProfileOptions options;
    options.directory = dir_.path() + "/profile";
    options.sample_interval = std::chrono::milliseconds(0);
    return options;
  }

  // What `body` records.
  testing::ReadTrace Recorded(const std::function<void()>& body) {
    return Recorded(Options(), body);
  }
  testing::ReadTrace Recorded(const ProfileOptions& options, const std::function<void()>& body) {
    auto profile = ProfileRecorder::Start(options);
    EXPECT_THAT(profile, testing::IsOk());
    if (!profile) return {};
    body();
    const auto stats = (*profile)->Stop();
    EXPECT_THAT(stats, testing::IsOk());
    if (!stats) return {};
    stats_ = *stats;
    testing::ReadTrace trace = testing::ParseTrace(testing::ReadFileOrDie(stats_.path));
    EXPECT_EQ(trace.cut_bytes, 0U);
    return trace;
  }

  testing::TempDir dir_;
  ProfileStats stats_;
};

}  // namespace sightline::profiler

// A recorder in a directory of its own, and what its files hold.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/recorder/recorder_access.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    options_.writing.buffer_bytes = std::size_t{1} << 20;
    options_.writing.hostname = "host";
    options_.writing.min_free_disk_bytes = 0;
  }

  Recorder& Open() {
    auto recorder = Recorder::Open(dir_.path(), options_);
    EXPECT_THAT(recorder, IsOk());
    recorder_ = std::move(recorder).value_or(nullptr);
    return *recorder_;
  }

  // Closes; what the files hold then.
  RecordedRun Close() {
    const Status closed = recorder_->Close();
    EXPECT_EQ(closed.message(), RecorderAccess::Refusals(*recorder_).message())
        << "a file is not complete";
    RecordedRun run = ReadRun(dir_.path());
    EXPECT_TRUE(run.sound());
    EXPECT_THAT(run.other, ::testing::IsEmpty()) << "a journal or a temporary file is left";
    return run;
  }

  static std::vector<std::string> Summary(const RecordedRun& run) {
    return RecordedRun::Values(run.mindspore);
  }

  TensorView Floats(std::size_t count, float first) {
    floats_.assign(count, first);
    shape_ = {static_cast<std::int64_t>(count)};
    return View(floats_.data(), shape_);
  }

  TempDir dir_;
  RecorderOptions options_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<float> floats_;
  std::vector<std::int64_t> shape_;
};

}  // namespace sightline::testing

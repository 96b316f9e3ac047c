// A monitor on a directory of its own, with a clock that a test sets, and what was recorded as
// lines.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class ManualClock : public Clock {
 public:
  double WallSeconds() const override { return 1'000'000 + seconds; }
  std::int64_t MonotonicNanos() const override { return static_cast<std::int64_t>(seconds * 1e9); }

  double seconds = 0;
};

// Its network has six parameters.
class SummaryMonitorTest : public ::testing::Test {
 protected:
  SummaryMonitorTest() {
    options.say = [this](std::string_view line) { said.emplace_back(line); };
    options.collect_freq = 1;
    options.collect_specified_data.collect_run_facts = false;  // git for each test takes a while.
    options.writing.clock = &clock;
    for (const std::string_view name :
         {"conv.weight", "conv.bias", "fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"}) {
      network.Add(name, weights.data(), {2, 2});
    }
  }
  ~SummaryMonitorTest() override {
    unsetenv("SIGHTLINE_DISABLE");
    unsetenv("MINDINSIGHT_HYPER_CONFIG");
  }

  SummaryMonitor& Monitor() {
    if (monitor == nullptr) {
      auto created = SummaryMonitor::Create(dir.path(), options);
      EXPECT_THAT(created, IsOk());
      monitor = *std::move(created);
    }
    return *monitor;
  }

  // Steps of a training, one a second: the loss is 1/step, plus what `fill` adds.
  template <typename Fill>
  void Train(std::int64_t steps, const Fill& fill) {
    for (std::int64_t step = 1; step <= steps; ++step) {
      clock.seconds += 1;
      Monitor().EndStep(step, [&](StepInfo& info) {
        info.loss = 1.0 / static_cast<double>(step);
        fill(info);
      });
    }
  }
  void Train(std::int64_t steps) {
    Train(steps, [](StepInfo&) {});
  }

  // The recorded values as "<step> <tag>=<value>"; ends the run.
  std::vector<std::string> Recorded() {
    EXPECT_THAT(Monitor().End(), IsOk());
    return RecordedRun::Values(ReadRun(dir.path()).mindspore);
  }
  std::vector<std::string> Lineage() {
    EXPECT_THAT(Monitor().End(), IsOk());
    return RecordedRun::Values(ReadRun(dir.path()).lineage);
  }

  // Nothing but what a test asks for.
  void CollectOnly(CollectSpecifiedData what) { options.collect_specified_data = std::move(what); }
  static CollectSpecifiedData Nothing() { return CollectSpecifiedData::Nothing(); }
  static CollectSpecifiedData OnlyMetrics() {
    CollectSpecifiedData what = Nothing();
    what.collect_metric = true;
    return what;
  }

  TempDir dir;
  ManualClock clock;
  SummaryOptions options;
  std::vector<std::string> said;
  std::array<float, 4> weights = {0.5F, -0.5F, 0.25F, 1};
  std::array<float, 2 * 3 * 8 * 8> images = {};
  TensorList network;
  std::unique_ptr<SummaryMonitor> monitor;
};

}  // namespace sightline::testing

#include "sightline/recorder/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

namespace sightline {
namespace {

double KernelSeconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// The smallest of many deviations over `milliseconds`, so that a preempted reading does not count,
// and one for each stretch of it, so that a clock that drifts away does.
std::vector<double> DeviationsOver(int milliseconds) {
  const Clock& clock = Clock::System();
  std::vector<double> deviations;
  for (int i = 0; i < milliseconds; ++i) {
    double smallest = 1;
    const double end = KernelSeconds() + 1e-3;
    do {
      const double before = KernelSeconds();
      const double read = clock.WallSeconds();
      const double after = KernelSeconds();
      smallest = std::min(smallest, std::max({before - read, read - after, 0.0}));
    } while (KernelSeconds() < end);
    deviations.push_back(smallest);
  }
  return deviations;
}

TEST(SystemClockTest, WallTimeIsTheKernelsWithinTwentyMicroseconds) {
  for (const double deviation : DeviationsOver(60)) EXPECT_LT(deviation, 20e-6);
}

TEST(SystemClockTest, EveryThreadReadsTheSameTime) {
  std::vector<double> worst(4, 1);
  std::vector<std::thread> threads;
  for (double& result : worst) {
    threads.emplace_back([&result] {
      const std::vector<double> deviations = DeviationsOver(30);
      result = *std::max_element(deviations.begin(), deviations.end());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double deviation : worst) EXPECT_LT(deviation, 1e-3);
}

TEST(SystemClockTest, MonotonicTimeDoesNotGoBack) {
  const Clock& clock = Clock::System();
  std::int64_t last = clock.MonotonicNanos();
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t now = clock.MonotonicNanos();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace sightline

#include "sightline/base/clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace sightline {
namespace {

double KernelSeconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

TEST(SystemClockTest, WallTimeIsTheKernels) {
  constexpr double kRounding = 1e-6;  // Seconds since 1970 leave a double 0.24 us.
  const double before = KernelSeconds();
  const double read = Clock::System().WallSeconds();
  const double after = KernelSeconds();
  EXPECT_GE(read, before - kRounding);
  EXPECT_LE(read, after + kRounding);
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

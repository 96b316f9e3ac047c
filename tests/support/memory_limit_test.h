// For tests under a MemoryLimit of the smallest size.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "sightline/base/memory/column_memory.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

class MemoryLimitTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kLimit = MemoryLimit::kLeast;

  // For tests in which only calls of Keep release columns: the limit's thread may come late.
  static constexpr std::chrono::hours kNever{24};

  std::unique_ptr<MemoryLimit> Limit(std::chrono::milliseconds look = MemoryLimit::kLook) {
    auto limit = MemoryLimit::Set(kLimit, folder_.path(), look);
    EXPECT_THAT(limit, IsOk());
    return *std::move(limit);
  }
  // Of this process, mapped pages included.
  static std::uint64_t ResidentBytes() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }
  // Expects that `run` never has more than three quarters of the limit resident.
  template <typename Run>
  void ExpectKept(const Run& run) {
    std::ofstream("/proc/self/clear_refs") << "5";  // The high-water mark begins anew.
    const std::uint64_t before = PeakBytes();
    run();
// The thread sanitizer has shadow memory; the address sanitizer does not return freed memory.
#if !defined(SIGHTLINE_THREAD_SANITIZER) && !defined(SIGHTLINE_ADDRESS_SANITIZER)
    EXPECT_LT(PeakBytes(), before + kLimit * 3 / 4);
#endif
    (void)before;
  }
  static std::uint64_t PeakBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
    }
    return 0;
  }

  TempDir folder_;
};

}  // namespace sightline::testing

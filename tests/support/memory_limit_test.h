// For tests under a MemoryLimit of the smallest size.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <utility>

#include "sightline/base/column_memory.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

class MemoryLimitTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kLimit = MemoryLimit::kLeast;

  std::unique_ptr<MemoryLimit> Limit() {
    auto limit = MemoryLimit::Set(kLimit, folder_.path());
    EXPECT_THAT(limit, IsOk());
    return *std::move(limit);
  }
  // Of this process, mapped pages included.
  static std::uint64_t ResidentBytes() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

  TempDir folder_;
};

}  // namespace sightline::testing

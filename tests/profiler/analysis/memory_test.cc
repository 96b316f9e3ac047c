#include "sightline/profiler/analysis/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

constexpr char kAllocations[] =
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us)\n"
    "Default/Conv2D-op1,1000,10,50,N/A,N/A\n"
    "Default/Conv2D-op1,500,20,30,N/A,N/A\n"
    "Default/ReLU-op2,4000,30,40,N/A,N/A\n"
    "Default/MatMul-op3,100,45,N/A,N/A,N/A\n";

TEST(MemoryPeak, IsWhenMostIsHeldAndByWhom) {
  testing::MemoryFileSystem files;
  files.Put("p_ascend_ms/ASCEND_PROFILER_OUTPUT/operator_memory.csv", kAllocations);
  const auto profile = ImportProfile("p_ascend_ms", {.file_system = &files});
  ASSERT_THAT(profile, testing::IsOk());
  EXPECT_FALSE(profile->files.front().untested);
  const std::vector<MemoryPeak> peaks = FindMemoryPeaks(*profile);
  ASSERT_EQ(peaks.size(), 1);
  const MemoryPeak& peak = peaks.front();
  EXPECT_EQ(peak.time, 30'000);
  EXPECT_EQ(peak.bytes, 5000 * 1024.0) << "the 500 KB were given back when the 4,000 came";
  ASSERT_EQ(peak.holders.size(), 2);
  EXPECT_EQ(peak.holders[0].name, "Default/ReLU-op2");
  EXPECT_EQ(peak.holders[1].bytes, 1000 * 1024.0);
  EXPECT_EQ(peak.holders[1].allocations, 1);
}

TEST(MemoryPeak, IsNotKnownWithoutAllocations) { EXPECT_TRUE(FindMemoryPeaks(Profile()).empty()); }

}  // namespace
}  // namespace sightline::profiler

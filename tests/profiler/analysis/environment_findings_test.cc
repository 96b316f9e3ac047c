#include "sightline/profiler/analysis/environment_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The findings of a torch_npu folder with these variables, behind groups of many ranks.
std::vector<Finding> Judge(const std::string& variables, double idle_share) {
  testing::MemoryFileSystem files;
  const std::string folder = "a_ascend_pt/";
  files.Put(folder + "profiler_info_0.json", "{}");
  files.Put(folder + "profiler_metadata.json",
            R"({"parallel_group_info": {"g": {"group_name": "dp", "group_rank": 0,)"
            R"("global_ranks": [0)" +
                std::string(10'000, ' ') + R"(, 1]}}, "ENV_VARIABLES": {)" + variables + "}}");
  files.Put(folder + "ASCEND_PROFILER_OUTPUT/kernel_details.csv",
            "Name,Type,Start Time(us),Duration(us)\na,MatMul,0,100\n");
  const auto profile = ImportProfile("a_ascend_pt", {.file_system = &files});
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? JudgeEnvironment(*profile, idle_share) : std::vector<Finding>();
}

TEST(EnvironmentFindings, BlockingLaunchesAreNamed) {
  const auto found = Judge(R"("ASCEND_GLOBAL_LOG_LEVEL": "", "ASCEND_LAUNCH_BLOCKING": "1")", 0.4);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].subject, "ASCEND_LAUNCH_BLOCKING");
  EXPECT_THAT(found[0].evidence, HasSubstr("the device is idle for 40.0 % of a step"));
}

TEST(EnvironmentFindings, AnOpenLogIsNamedIfTheDeviceIsIdle) {
  EXPECT_THAT(Judge(R"("ASCEND_GLOBAL_LOG_LEVEL": "0")", 0.2), SizeIs(1));
  EXPECT_THAT(Judge(R"("ASCEND_GLOBAL_LOG_LEVEL": "1")", 0.2), SizeIs(1));
  EXPECT_THAT(Judge(R"("ASCEND_GLOBAL_LOG_LEVEL": "1")", 0.05), IsEmpty());
}

TEST(EnvironmentFindings, WhatIsUsualIsNot) {
  for (const char* variables :
       {"", R"("ASCEND_LAUNCH_BLOCKING": "")", R"("ASCEND_LAUNCH_BLOCKING": "0")",
        R"("ASCEND_LAUNCH_BLOCKING")", R"("ASCEND_LAUNCH_BLOCKING": ")",
        R"("ASCEND_GLOBAL_LOG_LEVEL": "3")", R"("ASCEND_GLOBAL_LOG_LEVEL": "2")"})
    EXPECT_THAT(Judge(variables, 0.4), IsEmpty()) << variables;
}

}  // namespace
}  // namespace sightline::profiler

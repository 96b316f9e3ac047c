#include "sightline/base/process_rank.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <string>

namespace sightline {
namespace {

using ::testing::Eq;
using ::testing::Optional;

constexpr const char* kVariables[] = {
    "RANK_ID",   "OMPI_COMM_WORLD_RANK", "RANK",       "PMI_RANK", "SLURM_PROCID", "MS_NODE_ID",
    "RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", "MS_WORKER_NUM",
    "MS_ROLE"};

class ProcessRankTest : public ::testing::Test {
 protected:
  ProcessRankTest() {
    for (const char* variable : kVariables) unsetenv(variable);
  }
  ~ProcessRankTest() override {
    for (const char* variable : kVariables) unsetenv(variable);
  }

  static void Set(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
};

TEST_F(ProcessRankTest, IsUnknownWithoutALauncher) {
  EXPECT_EQ(RankOfEnvironment(), std::nullopt);
  EXPECT_EQ(WorldSizeOfEnvironment(), std::nullopt);
}

TEST_F(ProcessRankTest, IsThatOfEachLauncher) {
  const std::pair<const char*, const char*> launchers[] = {
      {"RANK_ID", "RANK_SIZE"},
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"RANK", "WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [rank, size] : launchers) {
    SCOPED_TRACE(rank);
    Set({{rank, "11"}, {size, "16"}});
    EXPECT_THAT(RankOfEnvironment(), Optional(Eq(11)));
    EXPECT_THAT(WorldSizeOfEnvironment(), Optional(Eq(16)));
    unsetenv(rank);
    unsetenv(size);
  }
}

TEST_F(ProcessRankTest, OfMindSporeIsThatOfAWorkerOnly) {
  Set({{"MS_NODE_ID", "3"}, {"MS_WORKER_NUM", "8"}, {"MS_ROLE", "MS_SCHED"}});
  EXPECT_EQ(RankOfEnvironment(), std::nullopt);
  Set({{"MS_ROLE", "MS_WORKER"}});
  EXPECT_THAT(RankOfEnvironment(), Optional(Eq(3)));
  EXPECT_THAT(WorldSizeOfEnvironment(), Optional(Eq(8)));
}

TEST_F(ProcessRankTest, PassesOverWhatIsNotANumberInRange) {
  Set({{"RANK_ID", "x"}, {"RANK", "-1"}, {"SLURM_PROCID", "5"}, {"WORLD_SIZE", "0"}});
  EXPECT_THAT(RankOfEnvironment(), Optional(Eq(5)));
  EXPECT_EQ(WorldSizeOfEnvironment(), std::nullopt);
}

TEST(RankInNameTest, IsTheNumberAfterTheWordRank) {
  EXPECT_THAT(RankInName("rank_11"), Optional(Eq(11)));
  EXPECT_THAT(RankInName("rank11"), Optional(Eq(11)));
  EXPECT_THAT(RankInName("rank-011"), Optional(Eq(11)));
  EXPECT_THAT(RankInName("trace_rank_7.pt.trace.json.gz"), Optional(Eq(7)));
}

TEST(RankInNameTest, IsMissingInOtherNames) {
  for (const char* name : {"rank", "rank_", "frank_3", "rank_3_of_8", "lora_8", "rank_x", "",
                           "rank_99999999999999999999"})
    EXPECT_EQ(RankInName(name), std::nullopt) << name;
}

TEST(RankInPathTest, IsThatOfTheLastComponentThatHasOne) {
  EXPECT_THAT(RankInPath("/a/rank_3/profile.json"), Optional(Eq(3)));
  EXPECT_THAT(RankInPath("rank_1/rank_2"), Optional(Eq(2)));
  EXPECT_EQ(RankInPath("/a/b"), std::nullopt);
}

}  // namespace
}  // namespace sightline

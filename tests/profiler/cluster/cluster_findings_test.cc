// The rules of a cluster, on made ones of 8 to 64 ranks: each cause is found and named in 20 of 20,
// and nothing in 20 of 20 healthy ones.
#include "sightline/profiler/cluster/cluster_findings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tests/profiler/cluster/made_cluster.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::sightline::testing::Causes;
using ::sightline::testing::ClusterShape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kSeeds = 20;

// 8 to 64 ranks, in other shapes for other seeds.
ClusterShape Shape(std::uint32_t seed, bool with_stages = false, bool with_hosts = false) {
  constexpr std::array<ClusterShape, 10> kShapes = {{{.tensor = 1, .data = 8, .pipeline = 1},
                                                     {.tensor = 2, .data = 2, .pipeline = 2},
                                                     {.tensor = 1, .data = 4, .pipeline = 2},
                                                     {.tensor = 2, .data = 4, .pipeline = 2},
                                                     {.tensor = 4, .data = 2, .pipeline = 4},
                                                     {.tensor = 2, .data = 8, .pipeline = 1},
                                                     {.tensor = 1, .data = 8, .pipeline = 4},
                                                     {.tensor = 8, .data = 2, .pipeline = 4},
                                                     {.tensor = 1, .data = 64, .pipeline = 1},
                                                     {.tensor = 2, .data = 16, .pipeline = 2}}};
  for (;; ++seed) {
    ClusterShape shape = kShapes[seed % kShapes.size()];
    shape.steps = 3 + static_cast<int>(seed % 3);
    if (with_stages && shape.pipeline < 2) continue;
    if (with_hosts && shape.ranks() < 16) continue;
    return shape;
  }
}

double Between(std::uint32_t seed, double least, double most) {
  std::mt19937 random(seed * 7919 + 1);
  return std::uniform_real_distribution<double>(least, most)(random);
}

int Below(std::uint32_t seed, int count) {
  return static_cast<int>(std::mt19937(seed * 104729 + 3)() % static_cast<std::uint32_t>(count));
}

// "slow-rank rank 3"
std::vector<std::string> Found(const ClusterShape& shape, const Causes& causes,
                               std::uint32_t seed) {
  std::vector<std::string> found;
  const auto profiles = sightline::testing::MakeCluster(shape, causes, seed);
  for (const Finding& one : FindInCluster(JoinParts(sightline::testing::PartsOf(profiles))))
    found.push_back(one.rule + " " + one.subject);
  return found;
}

TEST(ClusterFindings, OfHealthyClustersNothingIsFound) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const ClusterShape shape = Shape(seed);
    Causes causes;
    causes.heavier_last = Between(seed, 1, 1.08);
    for (std::uint32_t i = 0; i < seed % 3; ++i)
      causes.missing.push_back(Below(seed + 50 * i, shape.ranks()));
    EXPECT_THAT(Found(shape, causes, seed), IsEmpty()) << "seed " << seed;
  }
}

TEST(ClusterFindings, ASlowRankIsNamed) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const ClusterShape shape = Shape(seed);
    const int rank = Below(seed, shape.ranks());
    const Causes causes{.slow_rank = rank, .factor = Between(seed, 1.1, 1.4)};
    EXPECT_THAT(Found(shape, causes, seed), ElementsAre(fmt::format("slow-rank rank {}", rank)))
        << "seed " << seed << ", factor " << causes.factor;
  }
}

TEST(ClusterFindings, ARankThatComesToCollectivesBeforeItsPeersIsNotBlamed) {
  auto parts = sightline::testing::PartsOf(
      sightline::testing::MakeCluster(Shape(0), {.slow_rank = 3, .factor = 1.3}, 0));
  constexpr std::int64_t kLonger = 1'000'000'000;  // The longest wait is that of the first.
  for (RankPart& part : parts) {
    if (part.use.rank != 3) continue;
    for (PartCommunication& one : part.communication) one.duration += kLonger;
  }
  for (const Finding& one : FindInCluster(JoinParts(std::move(parts))))
    EXPECT_NE(one.rule, "slow-rank") << one.evidence;
}

TEST(ClusterFindings, ASlowStageIsNamed) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const ClusterShape shape = Shape(seed, true);
    const int stage = Below(seed, shape.pipeline);
    const Causes causes{.slow_stage = stage, .factor = Between(seed, 1.15, 1.4)};
    EXPECT_THAT(Found(shape, causes, seed), ElementsAre(fmt::format("slow-stage stage {}", stage)))
        << "seed " << seed << ", factor " << causes.factor;
  }
}

TEST(ClusterFindings, TheTimesAndThePercentageOfAStageAgree) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Causes causes{.slow_stage = 0, .factor = Between(seed, 1.15, 1.4)};
    const auto profiles = sightline::testing::MakeCluster(Shape(seed, true), causes, seed);
    const auto found = FindInCluster(JoinParts(sightline::testing::PartsOf(profiles)));
    ASSERT_THAT(found, ::testing::SizeIs(1));
    double own = 0;
    double others = 0;
    double percent = 0;
    ASSERT_EQ(std::sscanf(found[0].evidence.c_str(),
                          "its devices compute for %lf ms of a step, those of the others for %lf "
                          "ms (%lf %%)",
                          &own, &others, &percent),
              3);
    EXPECT_NEAR(percent, (own / others - 1) * 100, 0.6) << found[0].evidence;
  }
}

TEST(ClusterFindings, AHostWhoseLaunchesTakeLongerIsNamed) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const ClusterShape shape = Shape(seed, false, true);
    const int host = Below(seed, shape.ranks() / shape.hosts_of);
    const Causes causes{.slow_host = host, .factor = 1.5};
    EXPECT_THAT(Found(shape, causes, seed),
                ElementsAre(fmt::format("slow-host host node-{}", host)))
        << "seed " << seed;
  }
}

TEST(ClusterFindings, AHostThatIsLateIsNamed) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const ClusterShape shape = Shape(seed, false, true);
    const int host = Below(seed, shape.ranks() / shape.hosts_of);
    const Causes causes{.late_host = host,
                        .late_in_first_gap = seed % 2 == 1,
                        .late = static_cast<std::int64_t>(Between(seed, 5e6, 20e6))};
    EXPECT_THAT(Found(shape, causes, seed),
                ElementsAre(fmt::format("slow-host host node-{}", host)))
        << "seed " << seed << ", " << causes.late << " ns";
  }
}

TEST(ClusterFindings, ASlowLinkIsNamedWithItsDirection) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const ClusterShape shape = Shape(seed);
    // The ring of a group goes from a rank to the next one.
    const int rank = Below(seed, shape.ranks() / shape.tensor) * shape.tensor;
    const bool tensor = shape.tensor > 1;
    const int next = tensor ? rank + 1 : (rank + 1) % shape.data + rank / shape.data * shape.data;
    const Causes causes{.slow_link = std::pair(rank, next), .factor = Between(seed, 2, 8)};
    EXPECT_THAT(Found(shape, causes, seed),
                ElementsAre(fmt::format("slow-link link {}-{}", rank, next)))
        << "seed " << seed << ", factor " << causes.factor;
  }
}

TEST(ClusterFindings, SmallPacketsAreNamedByTheirTransport) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<std::string> found = Found(Shape(seed), {.small_packets = true}, seed);
    ASSERT_FALSE(found.empty()) << "seed " << seed;
    for (const std::string& one : found)
      EXPECT_THAT(one, ::testing::StartsWith("small-packets ")) << "seed " << seed;
  }
}

// "rule subject" of what is found.
std::vector<std::string> FoundIn(const std::string& folder) {
  std::vector<std::string> found;
  for (const Finding& one : FindInCluster(JoinParts(ReadParts(ProfilesOf({folder})).parts)))
    found.push_back(one.rule + " " + one.subject);
  return found;
}

TEST(ClusterFindings, OfFilesAreThoseOfTheSameClusterInMemory) {
  const ClusterShape shape{.tensor = 2, .data = 4, .pipeline = 2};
  const std::vector<Causes> all = {{.slow_rank = 5, .factor = 1.2},
                                   {.slow_stage = 1, .factor = 1.2},
                                   {.slow_host = 1, .factor = 1.5},
                                   {.late_host = 0, .late = 8'000'000},
                                   {.slow_link = std::pair(2, 3), .factor = 3},
                                   {.missing = {3}}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const sightline::testing::TempDir dir;
    for (const Profile& one : sightline::testing::MakeCluster(shape, all[i], 1))
      sightline::testing::WriteRank(one, dir.path());
    EXPECT_EQ(FoundIn(dir.path()), Found(shape, all[i], 1)) << i;
  }
}

class RealClusterFindings : public ::testing::Test {
 protected:
  void SetUp() override { sightline::testing::NeedShared("corpus/ascend"); }

  static std::vector<std::string> In(const std::string& name) {
    return FoundIn(sightline::testing::SharedPath("corpus/ascend/" + name));
  }
};

TEST_F(RealClusterFindings, NameTheStageThatComputesMoreAndNoLinkAndNoRank) {
  EXPECT_THAT(In("four_npus_pp2_dp2"), ElementsAre("slow-stage stage 1"));
  EXPECT_THAT(In("faults/08_stage_from_metadata"), ElementsAre("slow-stage stage 1"));
}

TEST_F(RealClusterFindings, NameSmallPacketsWhereThereAreMany) {
  for (const char* folder : {"torch_npu_text/level1", "torch_npu_db/level1"})
    EXPECT_THAT(In(folder), ElementsAre("small-packets SDMA")) << folder;
  EXPECT_THAT(In("torch_npu_text/level0"), IsEmpty()) << "it records no packets";
}

TEST_F(RealClusterFindings, NameTheLinkOfAnEighthOfTheBandwidth) {
  EXPECT_THAT(In("faults/02_matrix_keys"), ElementsAre("slow-link link 1-0"));
}

TEST_F(RealClusterFindings, BlameNobodyForWhatOneRankDoesNotRecord) {
  EXPECT_THAT(In("faults/12_false_straggler"), IsEmpty());
  EXPECT_THAT(In("faults/10_one_bad_rank"), IsEmpty());
}

}  // namespace
}  // namespace sightline::profiler

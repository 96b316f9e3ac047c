// The made clusters agree with themselves, in memory and in files.
#include "sightline/tests/profiler/cluster/made_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sightline/profiler/analysis/disagreements.h"
#include "sightline/profiler/cluster/cluster.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const ClusterShape kShape{.tensor = 2, .data = 4, .pipeline = 2};

TEST(MadeCluster, TheOperatorsOfAStepSumUpToItsCommunication) {
  for (const profiler::Profile& profile : MakeCluster(kShape, {}, 1)) {
    std::map<std::int64_t, std::int64_t> sums;
    for (const auto& use : profile.communication) sums[*use.step] += use.elapsed;
    ASSERT_THAT(profile.device_steps, SizeIs(3));
    for (const auto& step : profile.device_steps)
      EXPECT_EQ(sums[*step.number], step.communication_alone);
  }
}

TEST(MadeCluster, PacketsAndLinksCarryTheSameBytes) {
  for (const profiler::Profile& profile : MakeCluster(kShape, {.small_packets = true}, 1)) {
    double links = 0;
    double packets = 0;
    double matrix = 0;
    for (const auto& use : profile.communication) {
      for (const auto& link : use.links) links += link.bytes;
      for (const auto& one : use.packets) packets += one.bytes * static_cast<double>(one.count);
    }
    for (const auto& link : profile.links) matrix += link.bytes;
    EXPECT_NEAR(packets, links, links * 1e-9);
    EXPECT_NEAR(matrix, links, links * 1e-9);
  }
}

TEST(MadeCluster, AllMembersLeaveACollectiveTogether) {
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> ends;
  for (const profiler::Profile& profile : MakeCluster(kShape, {.slow_rank = 3, .factor = 1.3}, 1)) {
    for (const auto& use : profile.communication) {
      if (use.point_to_point) continue;
      const std::int64_t end = use.start + use.elapsed;
      EXPECT_EQ(ends.emplace(std::pair(*use.step, use.name), end).first->second, end) << use.name;
    }
  }
}

TEST(MadeCluster, ItsFilesSayWhatItSays) {
  const TempDir dir;
  const auto profiles = MakeCluster(kShape, {.slow_rank = 3, .factor = 1.3}, 1);
  for (const profiler::Profile& profile : profiles) WriteRank(profile, dir.path());
  const auto read = profiler::ReadParts(profiler::ProfilesOf({dir.path()}));
  EXPECT_THAT(read.unread, IsEmpty());
  EXPECT_THAT(read.damage, IsEmpty());
  const profiler::Cluster files = profiler::JoinParts(read.parts);
  const profiler::Cluster memory = profiler::JoinParts(PartsOf(profiles));
  ASSERT_EQ(files.ranks.size(), memory.ranks.size());
  EXPECT_EQ(files.collectives, memory.collectives);
  EXPECT_EQ(files.incomplete + files.unknown_members, 0);
  for (std::size_t i = 0; i < files.ranks.size(); ++i) {
    EXPECT_EQ(files.ranks[i].host, memory.ranks[i].host);
    EXPECT_EQ(files.ranks[i].part.use.stage, memory.ranks[i].part.use.stage);
    EXPECT_NEAR(files.ranks[i].means.own(), memory.ranks[i].means.own(), 100);
    EXPECT_EQ(files.ranks[i].votes.last, memory.ranks[i].votes.last);
  }
  const auto one = profiler::ImportProfile(dir.path() + profiles[0].path.substr(4));
  ASSERT_THAT(one, IsOk());
  EXPECT_THAT(profiler::FindDisagreements(*one), IsEmpty());
}

}  // namespace
}  // namespace sightline::testing

#include "sightline/profiler/cluster/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kMs = 1'000'000;

// A rank of a training whose group "dp" has these members, with a step of 100 ms.
RankPart Part(std::int64_t rank, const std::vector<std::int64_t>& members) {
  RankPart part;
  part.use.rank = rank;
  part.use.path = "rank_" + std::to_string(rank);
  part.steps = {{.number = 1,
                 .total = 100 * kMs,
                 .computing = 60 * kMs,
                 .communication = 40 * kMs,
                 .communication_alone = 30 * kMs,
                 .idle = 10 * kMs}};
  part.groups = {{.id = "5", .name = "dp", .ranks = members}};
  return part;
}

RankPart With(RankPart part, std::int64_t duration, const std::string& name = "hcom_allReduce__5_0",
              bool point_to_point = false) {
  part.communication.push_back({.step = 1,
                                .name = name,
                                .group = "5",
                                .point_to_point = point_to_point,
                                .duration = duration});
  return part;
}

TEST(Cluster, OfACollectiveTheMemberWithTheShortestDurationCameLast) {
  const std::vector<std::int64_t> all = {0, 1, 2};
  const Cluster cluster = JoinParts(
      {With(Part(2, all), 9 * kMs), With(Part(0, all), 10 * kMs), With(Part(1, all), 2 * kMs)});
  ASSERT_THAT(cluster.ranks, SizeIs(3));
  ASSERT_THAT(cluster.groups, SizeIs(1));
  EXPECT_EQ(cluster.groups[0].transfer, 2 * kMs);
  EXPECT_EQ(cluster.groups[0].wait, 15 * kMs);
  EXPECT_EQ(cluster.groups[0].last, 1);
  EXPECT_EQ(cluster.ranks[0].votes.wait, 8 * kMs);
  EXPECT_EQ(cluster.ranks[1].votes.last, 1);
  EXPECT_EQ(cluster.ranks[1].votes.late, 7'500'000) << "beside 9 and 10 ms";
  ASSERT_THAT(cluster.longest, SizeIs(1));
  EXPECT_EQ(cluster.longest[0].last, 1);
  EXPECT_EQ(cluster.longest[0].wait, 8 * kMs);
}

TEST(Cluster, WithoutEveryMemberNobodyIsBlamed) {
  const std::vector<std::int64_t> all = {0, 1, 2};
  const Cluster cluster = JoinParts({With(Part(0, all), 10 * kMs), With(Part(2, all), 2 * kMs)});
  EXPECT_EQ(cluster.collectives, 1);
  EXPECT_EQ(cluster.incomplete, 1);
  EXPECT_THAT(cluster.missing_ranks, ElementsAre(1));
  EXPECT_THAT(cluster.groups.at(0).missing, ElementsAre(1));
  EXPECT_EQ(cluster.groups.at(0).last, std::nullopt);
  EXPECT_EQ(cluster.ranks[1].votes.judged, 0);
}

// Which of the two a rank took part in cannot be told, so nobody is blamed.
TEST(Cluster, ACollectiveThatARankListsTwiceIsNotJudged) {
  const std::vector<std::int64_t> all = {0, 1};
  const Cluster cluster = JoinParts({With(With(Part(0, all), 10 * kMs), 2 * kMs), Part(1, all)});
  EXPECT_EQ(cluster.collectives, 1);
  EXPECT_EQ(cluster.incomplete, 1);
  EXPECT_EQ(cluster.ranks[0].votes.judged, 0);
}

TEST(Cluster, ARankWithoutTheCollectiveCountsAsMissing) {
  const std::vector<std::int64_t> all = {0, 1};
  const Cluster cluster = JoinParts({With(Part(0, all), 10 * kMs), Part(1, all)});
  EXPECT_EQ(cluster.incomplete, 1);
  EXPECT_THAT(cluster.missing_ranks, IsEmpty());
}

TEST(Cluster, SendsAndReceivesAreShownAndBlameNobody) {
  const std::vector<std::int64_t> all = {0, 1};
  const auto send = [&](std::int64_t rank, std::int64_t duration) {
    return With(Part(rank, all), duration, "hcom_batchSendRecv__5_0", true);
  };
  const Cluster cluster = JoinParts({send(0, 90 * kMs), send(1, 1 * kMs)});
  EXPECT_EQ(cluster.collectives, 0);
  EXPECT_EQ(cluster.groups.at(0).point_to_point, 2);
  EXPECT_EQ(cluster.groups.at(0).point_to_point_time, 91 * kMs);
  EXPECT_EQ(cluster.ranks[1].votes.last, 0);
}

TEST(Cluster, MembersThatOnlyTheLinksTellAreCounted) {
  const auto part = [&](std::int64_t rank, std::int64_t duration) {
    RankPart out = With(Part(rank, {}), duration);
    out.groups = {{.id = "5", .ranks = {0, 1, 2, 3}, .inferred = true}};
    return out;
  };
  const Cluster two = JoinParts({part(0, 5 * kMs), part(1, 2 * kMs)});
  EXPECT_EQ(two.incomplete, 1);
  EXPECT_THAT(two.missing_ranks, IsEmpty()) << "their numbers in the training are unknown";
  const Cluster four =
      JoinParts({part(8, 5 * kMs), part(9, 2 * kMs), part(10, 4 * kMs), part(11, 4 * kMs)});
  EXPECT_EQ(four.incomplete, 0);
  EXPECT_EQ(four.groups.at(0).last, 9);
}

TEST(Cluster, GroupsWhoseMembersNobodyTellsAreNotJudged) {
  RankPart one = With(Part(0, {}), 5 * kMs);
  RankPart other = With(Part(1, {}), 2 * kMs);
  one.groups.clear();
  other.groups.clear();
  const Cluster cluster = JoinParts({one, other});
  EXPECT_EQ(cluster.unknown_members, 1);
  EXPECT_EQ(cluster.incomplete, 0);
}

TEST(Cluster, GroupsOfOneNumberAndOtherMembersAreTwo) {
  const Cluster cluster =
      JoinParts({With(Part(0, {0, 1}), 5 * kMs), With(Part(1, {0, 1}), 2 * kMs),
                 With(Part(2, {2, 3}), 1 * kMs), With(Part(3, {2, 3}), 2 * kMs)});
  ASSERT_THAT(cluster.groups, SizeIs(2));
  EXPECT_EQ(cluster.groups[0].last, 1);
  EXPECT_EQ(cluster.groups[1].last, 2);
}

TEST(Cluster, HostsOfOneNameAreToldApartByTheirNumbers) {
  std::vector<RankPart> parts = {Part(0, {}), Part(1, {}), Part(2, {})};
  for (RankPart& part : parts) part.host = "ubuntu";
  parts[0].host_id = parts[1].host_id = "17";
  parts[2].host_id = "18";
  const Cluster cluster = JoinParts(parts);
  ASSERT_THAT(cluster.hosts, SizeIs(2));
  EXPECT_EQ(cluster.hosts[0].name, "ubuntu (17)");
  EXPECT_THAT(cluster.hosts[0].ranks, ElementsAre(0, 1));
}

TEST(Cluster, WithoutHostsTheFoldersAboveTheRanksAreTheHosts) {
  std::vector<RankPart> parts = {Part(0, {}), Part(1, {}), Part(2, {})};
  parts[0].use.path = "a/node1/rank_0_ascend_pt";
  parts[1].use.path = "a/node1/rank_1_ascend_pt";
  parts[2].use.path = "a/node2/rank_2_ascend_pt";
  const Cluster cluster = JoinParts(parts);
  ASSERT_THAT(cluster.hosts, SizeIs(2));
  EXPECT_EQ(cluster.hosts[1].name, "node2");
  for (RankPart& part : parts) part.use.path = "a/" + part.use.path.substr(8);
  EXPECT_THAT(JoinParts(parts).hosts, IsEmpty()) << "one folder says nothing";
}

TEST(Cluster, HostsInTheNamesOfFoldersAreRead) {
  EXPECT_EQ(HostInPath("a/node-3_4711_20260101000000000_ascend_pt"), "node-3");
  EXPECT_EQ(HostInPath("node_3_4711_20260101000000000_ascend_ms/"), "node_3");
  EXPECT_EQ(HostInPath("a/rank_3_ascend_pt"), "");
  EXPECT_EQ(HostInPath("a/trace.json"), "");
}

TEST(Cluster, AStepThatARankLacksIsNullInItsRow) {
  RankPart one = Part(0, {});
  one.steps.push_back(one.steps[0]);
  one.steps[1].number = 2;
  one.steps[1].computing = 70 * kMs;
  const Cluster cluster = JoinParts({one, Part(1, {})});
  EXPECT_THAT(cluster.steps, ElementsAre(1, 2));
  EXPECT_EQ(cluster.ranks[0].means.computing, 65 * kMs);
  const auto cells = ClusterToJson(cluster, {}, {})["cells"]["computing_us"];
  EXPECT_EQ(cells[0][1], 70'000);
  EXPECT_TRUE(cells[1][1].is_null());
}

class RealCluster : public ::testing::Test {
 protected:
  void SetUp() override { testing::NeedShared("corpus/ascend"); }

  static Cluster In(const std::string& name) {
    return JoinParts(ReadParts(ProfilesOf({testing::SharedPath("corpus/ascend/" + name)})).parts);
  }
};

TEST_F(RealCluster, OfAPipelineHasItsStagesGroupsAndLinks) {
  const Cluster cluster = In("four_npus_pp2_dp2");
  ASSERT_THAT(cluster.stages, SizeIs(2));
  EXPECT_NEAR(cluster.stages[0].means.computing / 1e6, 231.1, 0.05);
  EXPECT_NEAR(cluster.stages[1].means.computing / 1e6, 400.8, 0.05);
  EXPECT_NEAR(cluster.ranks[1].means.bubble / 1e6, 323.0, 0.05);
  EXPECT_EQ(cluster.ranks[3].part.device, 5);
  EXPECT_THAT(cluster.steps, ElementsAre(13));
  EXPECT_GT(cluster.collectives, 20);
  EXPECT_EQ(cluster.incomplete + cluster.unknown_members, 0);
  EXPECT_EQ(cluster.ranks[3].votes.last, 13);
  std::size_t large = 0;
  for (const LinkUse& link : cluster.links) {
    if (link.bytes < 1e6 || link.transport != "HCCS") continue;
    ++large;
    EXPECT_NEAR(link.bytes_per_second() / 1e9, 19.03, 0.11) << link.link;
  }
  EXPECT_EQ(large, 8);
}

TEST_F(RealCluster, OfTwoRanksOfEightBlamesNobody) {
  for (const char* folder : {"torch_npu_text/level1", "torch_npu_db/level1"}) {
    const Cluster cluster = In(folder);
    EXPECT_EQ(cluster.collectives, 4) << folder;
    EXPECT_EQ(cluster.incomplete, 4) << folder;
    EXPECT_EQ(cluster.ranks[0].votes.judged, 0) << folder;
  }
}

TEST_F(RealCluster, OfDatabasesKnowsItsHost) {
  const Cluster cluster = In("torch_npu_db/level1");
  ASSERT_THAT(cluster.hosts, SizeIs(1));
  EXPECT_EQ(cluster.hosts[0].name, "ubuntu");
  EXPECT_THAT(cluster.hosts[0].ranks, ElementsAre(0, 1));
}

}  // namespace
}  // namespace sightline::profiler

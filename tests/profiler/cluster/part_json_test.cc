#include "sightline/profiler/cluster/part_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/cluster_findings.h"
#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/tests/profiler/cluster/made_cluster.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

ClusterParts Sent(const ClusterParts& parts) {
  const std::string text = PartsToJson(parts);
  auto read = PartsFromJson(text);
  EXPECT_TRUE(read) << read.error().message();
  if (!read) return {};
  EXPECT_EQ(PartsToJson(*read), text);
  return *std::move(read);
}

// All that is shown of a cluster.
std::string Shown(ClusterParts parts) {
  const Cluster cluster = JoinParts(std::move(parts.parts));
  return ClusterToJson(cluster, FindInCluster(cluster), parts.unread).dump();
}

TEST(PartJson, APartThatWasSentIsTheSame) {
  RankPart part;
  part.host = "node-1";
  part.host_id = "7";
  part.use.rank = 3;
  part.use.is_named_rank = true;
  part.use.data_wait = 0.1;
  part.steps.emplace_back().bubble = 2;
  PartCommunication& communication = part.communication.emplace_back();
  communication.point_to_point = true;
  communication.rdma = -1;
  communication.retries = 9;
  const ClusterParts parts{
      .parts = {part}, .unread = {{"rank_1", "cut off"}}, .damage = {{"a", "b"}}};

  const ClusterParts sent = Sent(parts);

  ASSERT_THAT(sent.parts, SizeIs(1));
  const RankPart& one = sent.parts[0];
  EXPECT_EQ(one.host, "node-1");
  EXPECT_EQ(one.host_id, "7");
  EXPECT_EQ(one.device, std::nullopt);
  EXPECT_EQ(one.use.rank, 3);
  EXPECT_TRUE(one.use.is_named_rank);
  EXPECT_EQ(one.use.data_wait, 0.1);
  EXPECT_EQ(one.steps.at(0).bubble, 2);
  EXPECT_EQ(one.communication.at(0).rdma, -1);
  EXPECT_EQ(one.communication.at(0).retries, 9);
  EXPECT_EQ(sent.unread.at(0).error, "cut off");
  EXPECT_EQ(sent.damage.at(0).path, "a");
}

TEST(PartJson, EveryPartOfAStepIsSent) {
  RankPart part;
  part.steps.push_back({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const ClusterParts sent = Sent({{part}, {}, {}});
  // A new member does not compile here before it is in part_json.cc.
  const auto& [number, total, computing, communication, communication_alone, idle, preparing,
               bubble, copy_alone, idle_for_host, idle_between] = sent.parts.at(0).steps.at(0);
  EXPECT_EQ(number, 1);
  EXPECT_THAT((std::vector{total, computing, communication, communication_alone, idle, preparing,
                           bubble, copy_alone, idle_for_host, idle_between}),
              ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(PartJson, OfAMadeClusterGivesTheSameAnswer) {
  using testing::MakeCluster;
  const auto made = testing::PartsOf(MakeCluster({}, {.slow_rank = 3, .factor = 1.3}, 1));
  EXPECT_EQ(Shown(Sent({made, {}, {}})), Shown({made, {}, {}}));
}

TEST(PartJson, OfRealProfilesGivesTheSameAnswer) {
  testing::NeedShared("corpus/ascend");
  for (const char* name : {"four_npus_pp2_dp2", "torch_npu_db/level1", "torch_npu_text/level1"}) {
    const auto read =
        ReadParts(ProfilesOf({testing::SharedPath(std::string("corpus/ascend/") + name)}));
    EXPECT_EQ(Shown(Sent(read)), Shown(read)) << name;
  }
}

TEST(PartJson, AnInfiniteNumberStaysSo) {
  RankPart part;
  part.use.flops = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Sent({{part}, {}, {}}).parts.at(0).use.flops, part.use.flops);
}

TEST(PartJson, WhatIsNoPartIsRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"parts":[{}],"unread":[],"damage":[]})",
        R"({"parts":{},"unread":[],"damage":[]})", R"({"parts":[],"unread":[1],"damage":[]})"}) {
    EXPECT_FALSE(PartsFromJson(text).has_value()) << text;
  }
}

TEST(PartJson, AFractionIsNoWholeNumber) {
  RankPart part;
  part.device = 4711;
  std::string text = PartsToJson({{part}, {}, {}});
  text.replace(text.find("4711"), 4, "1e99");
  EXPECT_FALSE(PartsFromJson(text).has_value());
}

}  // namespace
}  // namespace sightline::profiler

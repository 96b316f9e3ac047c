// The collectives of ranks by the kernels of their traces.
#include "sightline/profiler/cluster/trace_collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/profiler/cluster/cluster.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A collective on a stream, in microseconds.
std::string Collective(int stream, int start, int duration, const std::string& args = "") {
  return R"=({"ph":"X","name":"ncclDevKernel_AllReduce(args)","cat":"kernel","pid":0,"tid":)=" +
         std::to_string(stream) + R"(,"ts":)" + std::to_string(start) + R"(,"dur":)" +
         std::to_string(duration) + R"(,"args":{)" + args + "}}";
}

RankPart PartOf(int rank, const std::string& events) {
  const auto profile = testing::Import(
      "rank" + std::to_string(rank) + ".pt.trace.json",
      R"({"distributedInfo":{"backend":"nccl","rank":)" + std::to_string(rank) +
          R"(,"world_size":2},"traceEvents":[)" +
          R"({"ph":"X","name":"gemm","cat":"kernel","pid":0,"tid":7,"ts":0,"dur":10},)" + events +
          "]}");
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? MeasurePart(*profile) : RankPart();
}

TEST(TraceCollectives, OnOneStreamAreThoseOfAllRanksInTheirOrder) {
  const Cluster cluster =
      JoinParts({PartOf(0, Collective(20, 10, 50) + "," + Collective(20, 100, 9)),
                 PartOf(1, Collective(20, 40, 20) + "," + Collective(20, 90, 19))});
  EXPECT_EQ(cluster.collectives, 2);
  EXPECT_EQ(cluster.incomplete + cluster.unknown_members, 0);
  ASSERT_THAT(cluster.groups, SizeIs(1));
  EXPECT_THAT(cluster.groups[0].ranks, ElementsAre(0, 1));
  EXPECT_EQ(cluster.groups[0].transfer, 29'000);
  EXPECT_EQ(cluster.groups[0].wait, 40'000);
  ASSERT_THAT(cluster.longest, SizeIs(2));
  EXPECT_EQ(cluster.longest[0].name, "ncclDevKernel_AllReduce 1");
  EXPECT_EQ(cluster.longest[0].last, 1);
  EXPECT_EQ(cluster.longest[1].last, 0);
}

TEST(TraceCollectives, OnSeveralStreamsHaveTheGroupThatTheirArgumentsName) {
  const std::string pair =
      R"("Process Group Name":"3","Process Group Ranks":"[0, 1]","Collective name":"allreduce")";
  const std::string other = R"("Process Group Name":"4","Process Group Ranks":"[0, 9]")";
  const Cluster cluster =
      JoinParts({PartOf(0, Collective(20, 10, 50, pair) + "," + Collective(21, 10, 5, other)),
                 PartOf(1, Collective(20, 40, 20, pair))});
  EXPECT_EQ(cluster.collectives, 2);
  EXPECT_EQ(cluster.incomplete, 1) << "rank 9 is missing";
  EXPECT_THAT(cluster.missing_ranks, ElementsAre(9));
  ASSERT_THAT(cluster.longest, SizeIs(1));
  EXPECT_EQ(cluster.longest[0].last, 1);
}

TEST(TraceCollectives, OnSeveralStreamsWithoutGroupsBlameNobody) {
  const std::string both = Collective(20, 10, 50) + "," + Collective(21, 70, 5);
  const Cluster cluster = JoinParts({PartOf(0, both), PartOf(1, both)});
  EXPECT_EQ(cluster.unknown_members, 2);
  EXPECT_THAT(cluster.longest, IsEmpty());
}

TEST(TraceCollectives, SendsAndReceivesAreNone) {
  const Cluster cluster =
      JoinParts({PartOf(0, Collective(20, 10, 50,
                                      R"("Process Group Name":"3","Process Group Ranks":"[0, 1]",)"
                                      R"("Collective name":"send")"))});
  EXPECT_EQ(cluster.collectives, 0);
  EXPECT_EQ(cluster.groups.at(0).point_to_point, 1);
}

TEST(TraceCollectives, TellTheBandwidthOfEachKindAndSize) {
  const auto args = [](const std::string& what, int in, int out) {
    return R"("Collective name":")" + what + R"(","dtype":"BFloat16","In msg nelems":)" +
           std::to_string(in) + R"(,"Out msg nelems":)" + std::to_string(out);
  };
  const std::string reduce = args("allreduce", 5'000'000, 5'000'000);
  const std::string gather = args("_allgather_base", 1'000, 2'000);
  const auto part = [&](int rank, int first, int second, int third) {
    return PartOf(rank, Collective(20, 10, first, reduce) + "," +
                            Collective(20, 9'000, second, reduce) + "," +
                            Collective(20, 18'000, third, gather) + "," +
                            Collective(20, 27'000, 5, args("allreduce", 8 + rank, 0)));
  };
  const Cluster cluster = JoinParts({part(0, 3'000, 1'000, 20), part(1, 1'000, 4'000, 10)});
  EXPECT_EQ(cluster.collectives, 4);
  ASSERT_THAT(cluster.traffic, SizeIs(2)) << "the last one's members disagree";
  const CollectiveTraffic& all_reduce = cluster.traffic[0];
  EXPECT_EQ(all_reduce.kind, "all-reduce");
  EXPECT_EQ(all_reduce.bytes, 10'000'000);
  EXPECT_EQ(all_reduce.count, 2);
  EXPECT_EQ(all_reduce.transfer, 2'000'000);
  EXPECT_DOUBLE_EQ(all_reduce.algorithm_bandwidth(), 10e9);
  EXPECT_DOUBLE_EQ(all_reduce.bus_bandwidth(), 10e9) << "2(n-1)/n of 2 ranks";
  const CollectiveTraffic& all_gather = cluster.traffic[1];
  EXPECT_EQ(all_gather.kind, "all-gather");
  EXPECT_EQ(all_gather.bytes, 4'000) << "the output";
  EXPECT_DOUBLE_EQ(all_gather.algorithm_bandwidth(), 0.4e9);
  EXPECT_DOUBLE_EQ(all_gather.bus_bandwidth(), 0.2e9);
}

// nccl-tests, doc/PERFORMANCE.md.
TEST(TraceCollectives, LoadALinkByTheirKindAndTheNumberOfRanks) {
  const auto factor = [](const char* kind) {
    const CollectiveTraffic one = {
        .kind = kind, .bytes = 1'000, .count = 1, .transfer = 1'000, .members = 4};
    return one.bus_bandwidth() / one.algorithm_bandwidth();
  };
  EXPECT_DOUBLE_EQ(factor("all-reduce"), 1.5);
  for (const char* kind : {"all-gather", "reduce-scatter", "all-to-all"})
    EXPECT_DOUBLE_EQ(factor(kind), 0.75) << kind;
  EXPECT_DOUBLE_EQ(factor("broadcast"), 1);
}

TEST(TraceCollectives, OfOneRankAloneHaveNoBandwidth) {
  const std::string args = R"("Collective name":"allreduce","dtype":"Float","In msg nelems":1000)";
  EXPECT_THAT(JoinParts({PartOf(0, Collective(20, 10, 50, args))}).traffic, IsEmpty());
}

// Kineto shortens long lists.
TEST(TraceCollectives, OfAGroupWhoseListIsShortenedHaveUnknownMembers) {
  const std::string group = R"("Process Group Name":"3","Process Group Ranks":"[0, 1, ..., 7]")";
  const RankPart part = PartOf(0, Collective(20, 10, 50, group));
  ASSERT_THAT(part.communication, SizeIs(1));
  EXPECT_EQ(part.communication[0].group, "3");
  EXPECT_THAT(part.groups, IsEmpty());
}

TEST(TraceCollectives, OfMoreRanksThanThereCanBeHaveUnknownMembers) {
  const auto part_of = [](const std::string& world_size) {
    const auto profile = testing::Import(
        "rank0.pt.trace.json",
        R"({"distributedInfo":{"rank":0,"world_size":)" + world_size + R"(},"traceEvents":[)" +
            R"({"ph":"X","name":"gemm","cat":"kernel","pid":0,"tid":7,"ts":0,"dur":10},)" +
            Collective(20, 10, 50) + "]}");
    EXPECT_THAT(profile, testing::IsOk());
    return profile ? MeasurePart(*profile) : RankPart();
  };
  EXPECT_THAT(part_of("1000000").groups, SizeIs(1));
  const RankPart forged = part_of("1000001");
  EXPECT_THAT(forged.communication, SizeIs(1));
  EXPECT_THAT(forged.groups, IsEmpty());
}

TEST(TraceCollectives, BelongToTheStepThatLaunchedThem) {
  const RankPart part = PartOf(
      0,
      R"({"ph":"X","name":"ProfilerStep#1","cat":"user_annotation","pid":1,"tid":1,"ts":0,"dur":100},)"
      R"({"ph":"X","name":"ProfilerStep#2","cat":"user_annotation","pid":1,"tid":1,"ts":100,"dur":100},)"
      R"({"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":90,"dur":2,)"
      R"("args":{"correlation":5}},)" +
          Collective(20, 150, 20, R"("correlation":5)") + "," + Collective(20, 180, 5));
  ASSERT_THAT(part.communication, SizeIs(2));
  EXPECT_EQ(part.communication[0].step, 1);
  EXPECT_EQ(part.communication[1].step, 2) << "by its own time, if no launch is recorded";
}

// torch 2.0 on eight V100: the ends of the collectives agree within 7 us.
TEST(TraceCollectives, OfARealTrainingNameTheRankThatCameLast) {
  const std::string folder = testing::SharedPath("corpus/gpu_profiles/dlrm8_ranks");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is missing";
  const Cluster cluster = JoinParts(ReadParts(ProfilesOf({folder})).parts);
  EXPECT_EQ(cluster.collectives, 8);
  ASSERT_THAT(cluster.groups, SizeIs(1));
  EXPECT_EQ(cluster.groups[0].last, 7);
  EXPECT_EQ(cluster.groups[0].last_count, 5);
  EXPECT_EQ(cluster.ranks[5].votes.last, 2);
  EXPECT_EQ(cluster.ranks[4].votes.last, 1);
}

}  // namespace
}  // namespace sightline::profiler

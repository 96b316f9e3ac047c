#include "sightline/profiler/analysis/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/profiler/import/import_profile.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RankUse Rank(std::int64_t number, double own, double communication) {
  RankUse rank;
  rank.rank = number;
  rank.step = own + communication;
  rank.communication = communication;
  return rank;
}

RankUse WithLink(RankUse rank, const std::string& link, double gigabytes_a_second) {
  rank.links.push_back({link, "HCCS", gigabytes_a_second * 1e9, 1'000'000'000});
  return rank;
}

std::vector<std::string> RulesOf(const std::vector<RankUse>& ranks) {
  std::vector<std::string> rules;
  for (const Finding& finding : CompareRanks(ranks))
    rules.push_back(finding.rule + " " + finding.subject);
  return rules;
}

TEST(Ranks, AreAllRightWhereTheyAreAlike) {
  EXPECT_THAT(RulesOf({Rank(0, 100, 5), Rank(1, 101, 4), Rank(2, 99, 6)}), IsEmpty());
}

TEST(Ranks, ThatCommunicateMuchAreNamed) {
  EXPECT_THAT(RulesOf({Rank(0, 100, 20), Rank(1, 100, 30)}), ElementsAre("communication rank 1"));
}

std::vector<std::string> StragglerAmong(const std::vector<RankUse>& ranks) {
  const auto finding = FindStraggler(ranks);
  return finding ? std::vector<std::string>{finding->subject} : std::vector<std::string>{};
}

// The others wait for a straggler, so it communicates the shortest. One that communicates the
// longest waits itself.
TEST(Ranks, AreStragglersWhereTheOthersCommunicateLonger) {
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 60), Rank(1, 150, 10), Rank(2, 100, 60)}),
              ElementsAre("rank 1"));
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 10), Rank(1, 150, 60), Rank(2, 100, 10)}), IsEmpty());
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 60), Rank(1, 150, 60), Rank(2, 100, 60)}), IsEmpty());
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 0), Rank(1, 150, 60), Rank(2, 100, 0)}), IsEmpty());
}

TEST(Ranks, AreStragglersByTheirTimeAloneWhereNoneCommunicates) {
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 0), Rank(1, 121, 0), Rank(2, 100, 0)}),
              ElementsAre("rank 1"));
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 0), Rank(1, 120, 0), Rank(2, 100, 0)}), IsEmpty())
      << "1.2 times is the limit";
  const auto finding = FindStraggler({Rank(0, 100, 0), Rank(1, 125, 0), Rank(2, 100, 0)});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->share, 0.2) << "its excess by its step";
}

// Steps that are not marked, as MindSpore's step trace has them: the gap is what it waits for.
RankUse LateRank(std::int64_t number, std::int64_t gap, std::int64_t work) {
  Profile profile;
  profile.rank = number;
  for (std::int64_t step = 1; step <= 3; ++step) {
    StepRecord record;
    record.number = step;
    record.start = step * 10'000;
    record.end = record.start + gap + work;
    record.forward_start = record.start + gap;
    profile.steps.push_back(record);
  }
  return MeasureRank(profile);
}

TEST(Ranks, ThatStartTheirStepsLateWaitForTheirData) {
  EXPECT_EQ(LateRank(3, 600, 1000).data_wait, 600);
  const auto late =
      FindStraggler({LateRank(0, 50, 1000), LateRank(1, 600, 1000), LateRank(2, 50, 1000)});
  ASSERT_TRUE(late);
  EXPECT_EQ(late->subject, "rank 1");
  EXPECT_THAT(late->change, HasSubstr("it waits for its data"));
  const auto busy =
      FindStraggler({LateRank(0, 50, 1000), LateRank(1, 50, 1600), LateRank(2, 50, 1000)});
  ASSERT_TRUE(busy);
  EXPECT_THAT(busy->change, HasSubstr("look at its machine"));
}

TEST(Ranks, OfAStageWithMoreToDoAreNoStragglers) {
  std::vector<RankUse> ranks = {Rank(0, 14, 160), Rank(1, 14, 160), Rank(2, 123, 56),
                                Rank(3, 123, 56)};
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].stage = i < 2 ? 1 : 2;
  EXPECT_THAT(RulesOf(ranks), ElementsAre("slow-stage stage 2", "communication rank 0"));
}

TEST(Ranks, OfOneStageAreComparedWithEachOther) {
  std::vector<RankUse> ranks = {Rank(0, 100, 5), Rank(1, 100, 5), Rank(2, 100, 4), Rank(3, 130, 0)};
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].stage = i < 2 ? 1 : 2;
  EXPECT_THAT(RulesOf(ranks), ElementsAre("straggler rank 3"));
}

TEST(Ranks, WithASlowLinkAreNamed) {
  const std::vector<RankUse> ranks = {WithLink(Rank(0, 100, 0), "0-1", 20),
                                      WithLink(Rank(1, 100, 0), "1-0", 20),
                                      WithLink(Rank(2, 100, 0), "1-2", 5)};
  const std::vector<Finding> findings = CompareRanks(ranks);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].subject, "rank 2, link 1-2");
  EXPECT_THAT(findings[0].evidence, HasSubstr("5.00 GB/s by HCCS, the mean is 15.00 GB/s"));
}

TEST(Ranks, OfWhichALinkCarriedLittleSayNothingAboutIt) {
  RankUse little = WithLink(Rank(1, 100, 0), "1-0", 5);
  little.links[0].bytes = 120;
  EXPECT_THAT(RulesOf({WithLink(Rank(0, 100, 0), "0-1", 20), little}), IsEmpty());
}

TEST(Ranks, WithoutStepsHaveNoDataAndNobodyIsJudgedByThem) {
  EXPECT_FALSE(Rank(1, 0, 0).has_data());
  EXPECT_THAT(RulesOf({Rank(0, 100, 0), Rank(1, 0, 0), Rank(2, 0, 0)}), IsEmpty());
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 0), Rank(1, 0, 0), Rank(2, 0, 0)}), IsEmpty());
}

TEST(Ranks, OfWhichTheDeviceStartsLateKeepTheOthersWaiting) {
  RankUse late = Rank(1, 100, 10);
  late.preparing = 50;
  EXPECT_THAT(StragglerAmong({Rank(0, 100, 60), late, Rank(2, 100, 60)}), ElementsAre("rank 1"));
}

TEST(Ranks, OfWhichCopiesWithinADeviceAreNoLinks) {
  EXPECT_THAT(RulesOf({WithLink(Rank(0, 100, 0), "0-1", 20), WithLink(Rank(1, 100, 0), "1-1", 1)}),
              IsEmpty());
}

TEST(Ranks, ThatComputeLessASecondAreNamed) {
  std::vector<RankUse> ranks = {Rank(0, 100, 0), Rank(1, 100, 0)};
  ranks[0].flops = 100;
  ranks[1].flops = 60;
  EXPECT_THAT(RulesOf(ranks), ElementsAre("slow-device rank 1"));
}

// The files that MindSpore writes of a pipeline-parallel training, cut down to two ranks.
TEST(Ranks, OfMindSporesClusterFilesHaveStageLinksAndWhatIsLeftWithoutCommunication) {
  testing::MemoryFileSystem files;
  const std::string steps =
      "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n"
      "1,0,100,100,10,90,10,80,10\n2,100,200,100,110,190,10,80,10\n-,0,100,100,10,90,10,80,10\n";
  const std::string uses =
      "computation_time,communication_alone_time,stage_time,receive_alone_time,"
      "collective_communication_alone_time\n0.0003,0.0007,1,1,1\n0.0002,0.0008,1,1,1\n"
      "0.00025,0.00075,1,1,1\n";
  const std::string hccl =
      "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\n"
      "1,2.5,270.25,\"{\"\"0-1\"\": {\"\"SDMA\"\": [2.0, 4000, 1]}}\",{}\n"
      "-,2.5,270.25,\"{\"\"0-1\"\": {\"\"SDMA\"\": [2.0, 4000, 1]}}\",{}\n";
  for (const std::string rank : {"0", "1"}) {
    files.Put("c/step_trace_raw_" + rank + "_detail_time.csv", steps);
    files.Put("c/ascend_cluster_analyse_pipeline-parallel_2_2_" + rank + ".csv", uses);
    files.Put("c/hccl_raw_" + rank + ".csv", hccl);
    files.Put("c/flops_summary_" + rank + ".json", R"({"FLOPS": 5385.5})");
  }
  const auto profile = ImportProfile("c", {.rank = 1, .file_system = &files});
  ASSERT_THAT(profile, testing::IsOk());
  EXPECT_THAT(profile->ranks, ElementsAre(0, 1));
  const RankUse use = MeasureRank(*profile);
  EXPECT_EQ(use.rank, 1);
  EXPECT_EQ(use.stage, 1) << "the second, from 0";
  EXPECT_EQ(use.step, 1000);
  EXPECT_EQ(use.own(), 200) << "the second step's";
  EXPECT_EQ(use.flops, 5385.5);
  ASSERT_EQ(use.links.size(), 1) << "and not that of the mean";
  EXPECT_EQ(use.links[0].bytes, 4e6);
  EXPECT_EQ(use.links[0].time, 2'000'000);
}

RankUse OfPath(const std::string& path) {
  Profile profile;
  profile.path = path;
  return MeasureRank(profile);
}

std::vector<std::string> NamesOf(std::vector<RankUse> ranks) {
  SortRanks(ranks);
  std::vector<std::string> names;
  for (const RankUse& one : ranks) names.push_back(NameOf(one));
  return names;
}

// The alphabet has 10 before 9, so a place in it is not a rank.
TEST(Ranks, WithoutANumberOfTheirOwnHaveThatOfTheirFolder) {
  EXPECT_THAT(NamesOf({OfPath("p/rank_0/a"), OfPath("p/rank_1/a"), OfPath("p/rank_10/a"),
                       OfPath("p/rank_11/a"), OfPath("p/rank_2/a")}),
              ElementsAre("rank 0", "rank 1", "rank 2", "rank 10", "rank 11"));
}

TEST(Ranks, AreNamedByTheirPathIfNothingTellsTheirNumber) {
  EXPECT_THAT(NamesOf({OfPath("b/trace"), OfPath("a/trace"), OfPath("rank_3/trace")}),
              ElementsAre("rank 3", "the profile a/trace", "the profile b/trace"));
}

TEST(Ranks, OfAFolderThatIsNamedAfterARankAreNotAllThatRank) {
  EXPECT_THAT(NamesOf({OfPath("rank_3/a"), OfPath("rank_3/b")}),
              ElementsAre("the profile rank_3/a", "the profile rank_3/b"));
}

TEST(Ranks, ThatKeepTheOthersWaitingAreNamedByTheirPathInAFinding) {
  std::vector<RankUse> ranks = {Rank(0, 100, 60), Rank(1, 150, 10), Rank(2, 100, 60)};
  ranks[1].rank.reset();
  ranks[1].path = "p/x";
  const auto finding = FindStraggler(ranks);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->what, "The profile p/x keeps the others waiting.");
}

TEST(Ranks, ThatDoNotCommunicateHaveNoTimesOfCommunicationInTheEvidence) {
  const auto finding = FindStraggler({Rank(0, 1e6, 0), Rank(1, 2e6, 0)});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->evidence, "its own part of a step takes 2.00 ms, that of the others 1.00 ms");
}

std::optional<std::int64_t> RankOfTorchTrace(const std::string& distributed_info) {
  testing::MemoryFileSystem files;
  files.Put("t.json", R"({"distributedInfo": )" + distributed_info +
                          R"(, "traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1}]})");
  const auto profile = ImportProfile("t.json", {.file_system = &files});
  EXPECT_THAT(profile, testing::IsOk());
  return profile->rank;
}

TEST(Ranks, OfTorchProfilerAreInItsDistributedInfo) {
  EXPECT_EQ(RankOfTorchTrace(R"({"backend": "nccl", "rank": 11, "world_size": 16})"), 11);
  EXPECT_EQ(RankOfTorchTrace(R"({"backend": "gloo", "rank": 0, "world_size": 1})"), std::nullopt);
}

}  // namespace
}  // namespace sightline::profiler

// The folder cluster_analysis_output of msprof-analyze: the sums of all ranks of a training.
#include "sightline/profiler/import/ascend/cluster_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::MemoryFileSystem;
using ::testing::SizeIs;

constexpr char kSteps[] =
    "Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,"
    "Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\n"
    "7,rank,0,100.5,20,5,25,10,130.5,0,20,3\n"
    "7,rank,1,80,40.5,5,45.5,10,130.5,0,30.5,3\n"
    "8,rank,0,101,20,5,25,10,131,0,20,3\n"
    "8,rank,1,81,40,5,45,10,131,0,30,3\n"
    "7,stage,\"(0,)\",100.5,20,5,25,10,130.5,0,20,3\n"
    "7,stage,\"(1,)\",80,40.5,5,45.5,10,130.5,0,30.5,3\n";

constexpr char kCommunication[] = R"json({"(0, 1)": {"step7": {
  "hcom_allReduce__1_0_1@42": {
    "0": {"Communication Time Info": {"Elapse Time(ms)": 2.5, "Transit Time(ms)": 1.5,
                                      "Wait Time(ms)": 0.5},
          "Communication Bandwidth Info": {}},
    "1": {"Communication Time Info": {"Elapse Time(ms)": 3.5, "Transit Time(ms)": 1.5,
                                      "Wait Time(ms)": 1.5},
          "Communication Bandwidth Info": {}}},
  "hcom_receive__1_0_1@42": {
    "1": {"Communication Time Info": {"Elapse Time(ms)": 1, "Transit Time(ms)": 1,
                                      "Wait Time(ms)": 0}}}}}})json";

constexpr char kMatrix[] = R"json({"(0, 1)": {"step7": {
  "allreduce-total@42": {
    "0-1": {"Transport Type": "HCCS", "Transit Time(ms)": 1, "Transit Size(MB)": 8},
    "1-0": {"Transport Type": "HCCS", "Transit Time(ms)": 2, "Transit Size(MB)": 8}},
  "allreduce-top1@42": {
    "0-1": {"Transport Type": "HCCS", "Transit Time(ms)": 1, "Transit Size(MB)": 8}}}}})json";

constexpr char kGroups[] = R"json({"collective": [[0, 1]], "p2p": [], "comm_group_parallel_info": [
  {"type": "collective", "rank_set": [0, 1], "group_name": "42", "group_id": "group_name_3",
   "pg_name": "dp"}]})json";

using Texts = std::map<std::string, std::string>;

Texts AllTexts() {
  return {{"cluster_step_trace_time.csv", kSteps},
          {"cluster_communication.json", kCommunication},
          {"cluster_communication_matrix.json", kMatrix},
          {"communication_group.json", kGroups}};
}

Result<Profile> ImportRank(const Texts& texts, std::optional<std::int64_t> rank = std::nullopt) {
  MemoryFileSystem files;
  for (const auto& [name, text] : texts) files.Put("out/" + name, text);
  return ImportProfile("out", {.rank = rank, .file_system = &files});
}

TEST(ClusterOutput, IsAProfileOfTheLowestRankAndListsTheOthers) {
  const auto profile = ImportRank(AllTexts());
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->format, SourceFormat::kClusterOutput);
  EXPECT_EQ(profile->rank, 0);
  EXPECT_THAT(profile->ranks, ElementsAre(0, 1));
  ASSERT_THAT(profile->device_steps, SizeIs(2));
  EXPECT_EQ(profile->device_steps[0].number, 7);
  EXPECT_EQ(profile->device_steps[0].computing, 100'500);
  EXPECT_EQ(profile->device_steps[1].computing, 101'000);
  EXPECT_EQ(profile->model.events_in, profile->model.events_modelled);
}

TEST(ClusterOutput, HasOfEachRankItsStepsCollectivesAndLinks) {
  const auto profile = ImportRank(AllTexts(), 1);
  ASSERT_THAT(profile, IsOk());
  ASSERT_THAT(profile->device_steps, SizeIs(2));
  EXPECT_EQ(profile->device_steps[0].communication_alone, 40'500);
  EXPECT_EQ(profile->device_steps[0].receive_alone, 10'000);
  ASSERT_THAT(profile->communication, SizeIs(2));
  const auto& receive = profile->communication[0];
  const auto& reduce = profile->communication[1];
  EXPECT_EQ(receive.name, "hcom_receive__1_0_1@42");
  EXPECT_TRUE(receive.point_to_point);
  EXPECT_EQ(reduce.elapsed, 3'500'000);
  EXPECT_EQ(reduce.step, 7);
  EXPECT_EQ(reduce.group, "dp");
  EXPECT_FALSE(reduce.point_to_point);
  ASSERT_THAT(profile->links, SizeIs(1)) << "the links that begin at the rank";
  EXPECT_EQ(profile->links[0].link, "1-0");
  EXPECT_EQ(profile->links[0].time, 2'000'000);
}

TEST(ClusterOutput, RefusesARankThatItDoesNotHave) {
  const auto profile = ImportRank(AllTexts(), 2);
  ASSERT_FALSE(profile);
  EXPECT_THAT(std::string(profile.error().message()), HasSubstr("nothing of rank 2"));
}

TEST(ClusterOutput, StagesAreTheRowsOfStagesThatShareNoRank) {
  EXPECT_EQ(ImportRank(AllTexts(), 0)->stage, 0);
  EXPECT_EQ(ImportRank(AllTexts(), 1)->stage, 1);
  ClusterSteps steps;
  steps.AddStage("(0, 1, 2, 3)");
  EXPECT_EQ(steps.StageOf(1), std::nullopt) << "one stage is no pipeline";
  steps.AddStage("(3,4)");
  EXPECT_EQ(steps.StageOf(1), std::nullopt) << "rank 3 would be in two";
}

TEST(ClusterOutput, APipelineIndexOfTheFileIsTheStage) {
  const auto profile =
      ImportRank({{"cluster_step_trace_time.csv",
                   "Step,Type,Index,Computing,Communication,DP Index,PP Index,TP Index\n"
                   "1,rank,4,10,5,0,3,0\n1,stage,\"(4,)\",10,5,NA,NA,NA\n"}});
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->rank, 4);
  EXPECT_EQ(profile->stage, 3);
}

TEST(ClusterOutput, TheStepMayBeEmpty) {
  const auto profile = ImportRank(
      {{"cluster_step_trace_time.csv",
        "Step,Type,Index,Computing,Communication\n,rank,0,10,5\n,stage,\"(0,)\",10,5\n"}});
  ASSERT_THAT(profile, IsOk());
  ASSERT_THAT(profile->device_steps, SizeIs(1));
  EXPECT_EQ(profile->device_steps[0].number, std::nullopt);
  EXPECT_EQ(MeasureRank(*profile).computing, 10'000) << "the whole profile is one step";
}

TEST(ClusterOutput, WithoutStepsHasTheRanksOfItsCollectives) {
  const auto profile = ImportRank({{"cluster_communication.json", kCommunication}}, 1);
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->ranks, ElementsAre(0, 1));
  EXPECT_THAT(profile->communication, SizeIs(2));
}

TEST(ClusterOutput, DamagedFilesAreNamedAndTheOthersRead) {
  Texts texts = AllTexts();
  std::string& cut = texts["cluster_communication.json"];
  cut.resize(cut.size() / 2);
  const auto profile = ImportRank(texts);
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->device_steps, SizeIs(2));
  EXPECT_THAT(profile->communication, IsEmpty());
  for (const SourceFile& file : profile->files)
    EXPECT_EQ(file.status.ok(), !file.path.ends_with("cluster_communication.json")) << file.path;
}

TEST(ClusterOutput, WhatAllRanksShareIsDamagedOnce) {
  MemoryFileSystem files;
  for (const auto& [name, text] : AllTexts()) files.Put("out/" + name, text);
  files.Put("out/cluster_communication.json", R"json({"(0, 1)": {)json");
  const ClusterParts read = ReadPart("out", files);
  EXPECT_THAT(read.parts, SizeIs(2));
  ASSERT_THAT(read.damage, SizeIs(1));
  EXPECT_EQ(read.damage[0].path, "out/cluster_communication.json");
}

TEST(ClusterOutput, OfAnOperatorThatIsListedTwiceTheFirstCounts) {
  Texts texts = AllTexts();
  texts["cluster_communication.json"] = R"json({"all": {"step7": {"hcom_allReduce__1_0_1@42": {
    "0": {"Communication Time Info": {"Elapse Time(ms)": 2, "Transit Time(ms)": 1,
                                      "Wait Time(ms)": 1}},
    "0": {"Communication Time Info": {"Elapse Time(ms)": 9, "Transit Time(ms)": 1,
                                      "Wait Time(ms)": 1}}}}}})json";
  const auto profile = ImportRank(texts);
  ASSERT_THAT(profile, IsOk());
  ASSERT_THAT(profile->communication, SizeIs(1));
  EXPECT_EQ(profile->communication[0].elapsed, 2'000'000);
  for (const SourceFile& file : profile->files) EXPECT_THAT(file.status, IsOk()) << file.path;
}

// Each member of a group gets the list of all: a short file could take the square of its size.
TEST(ClusterOutput, GroupsOfMoreMembersThanMemoryAllowsAreLeftOut) {
  const auto groups_with = [](int members) {
    std::string ranks = "0";
    for (int rank = 1; rank < members; ++rank) ranks += "," + std::to_string(rank);
    Texts texts = AllTexts();
    texts["communication_group.json"] = R"({"comm_group_parallel_info":[{"rank_set":[)" + ranks +
                                        R"(],"group_name":"42","pg_name":"dp"}]})";
    const auto profile = ImportRank(texts);
    EXPECT_THAT(profile, IsOk());
    return profile ? profile->groups.size() : 0;
  };
  EXPECT_EQ(groups_with(5'792), 1) << "5,792 squared is the most";
  EXPECT_EQ(groups_with(5'793), 0);
}

TEST(ClusterOutput, EveryPrefixOfItsTextsIsReadOrRefused) {
  for (const auto& [name, text] : AllTexts()) {
    for (std::size_t length = 0; length < text.size(); length += 3) {
      const auto profile = ImportRank({{name, text.substr(0, length)}});
      EXPECT_TRUE(!profile || !profile->ranks.empty()) << name << " " << length;
    }
  }
}

TEST(ClusterOutput, RowsWithoutTimesOrWithImpossibleOnesAreCounted) {
  const auto profile =
      ImportRank({{"cluster_step_trace_time.csv",
                   "Step,Type,Index,Computing,Communication,Free\n1,rank,0,10,5,1\n"
                   "1,rank,1,-4,5,1\n1,rank,2,1e300,5,1\n1,rank,-3,10,5,1\n1,rank\n"
                   "1,rank,99999999999999999999,10,5,1\n"}});
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->ranks, ElementsAre(0));
  EXPECT_EQ(profile->model.events_in, 6) << "of which five are not understood";
  EXPECT_EQ(profile->model.events_modelled, 1);
}

TEST(ClusterOutput, WithoutTheColumnsIsRefused) {
  const auto profile = ImportRank({{"cluster_step_trace_time.csv", "a,b\n1,2\n3,4\n"}});
  ASSERT_FALSE(profile);
  EXPECT_THAT(std::string(profile.error().message()), HasSubstr("number of a rank"));
}

TEST(ClusterOutput, BesideTheProfilesOfItsRanksIsLeftOut) {
  MemoryFileSystem files;
  files.Put("all/rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv", "x");
  files.Put("all/rank_1_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv", "x");
  files.Put("all/cluster_analysis_output/cluster_step_trace_time.csv", kSteps);
  for (const FoundProfile& found : FindProfiles("all", &files))
    EXPECT_EQ(found.format, SourceFormat::kTorchNpu) << found.path;
  EXPECT_THAT(FindProfiles("all/cluster_analysis_output", &files), SizeIs(1));
}

TEST(ClusterOutput, AFileOfItStandsForItsFolder) {
  MemoryFileSystem files;
  for (const auto& [name, text] : AllTexts()) files.Put("out/" + name, text);
  const auto profile =
      ImportProfile("out/cluster_step_trace_time.csv", {.rank = 1, .file_system = &files});
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->communication, SizeIs(2));
}

class RealClusterOutput : public ::testing::Test {
 protected:
  void SetUp() override { testing::NeedShared("corpus/ascend"); }
};

TEST_F(RealClusterOutput, OfTwoRanksSaysWhatTheRanksThemselvesSay) {
  const std::string folder = testing::SharedPath(
      "corpus/ascend/faults/05_cluster_analysis_output/cluster_analysis_output");
  for (const std::int64_t rank : {0, 1}) {
    const auto cluster = ImportProfile(folder, {.rank = rank});
    const auto own = ImportProfile(testing::SharedPath("corpus/ascend/torch_npu_text/level1/rank") +
                                       std::to_string(rank) + "_ascend_pt",
                                   {.for_ranks = true});
    ASSERT_THAT(cluster, IsOk());
    ASSERT_THAT(own, IsOk());
    const RankUse a = MeasureRank(*cluster);
    const RankUse b = MeasureRank(*own);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.computing, b.computing);
    EXPECT_EQ(a.communication, b.communication);
    EXPECT_EQ(a.preparing, b.preparing);
    ASSERT_EQ(cluster->communication.size(), own->communication.size());
    for (std::size_t i = 0; i < own->communication.size(); ++i) {
      EXPECT_EQ(cluster->communication[i].name, own->communication[i].name);
      EXPECT_EQ(cluster->communication[i].elapsed, own->communication[i].elapsed);
      EXPECT_EQ(cluster->communication[i].links.size(), own->communication[i].links.size());
    }
    EXPECT_EQ(cluster->model.events_in, cluster->model.events_modelled);
  }
}

TEST_F(RealClusterOutput, OfEightRanksWithoutStepNumbersIsCompared) {
  const std::string folder = testing::SharedPath("corpus/ascend/cluster_analysis_output");
  std::vector<RankUse> ranks;
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    const auto profile = ImportProfile(folder, {.rank = rank});
    ASSERT_THAT(profile, IsOk());
    EXPECT_THAT(profile->ranks, SizeIs(8));
    EXPECT_EQ(profile->stage, std::nullopt) << "all are in one";
    ranks.push_back(MeasureRank(*profile));
    EXPECT_TRUE(ranks.back().has_data());
  }
  EXPECT_NEAR(ranks[5].communication / 1e6, 756.374, 0.001);
  EXPECT_NEAR(ranks[1].communication / 1e6, 133.386, 0.001);
}

}  // namespace
}  // namespace sightline::profiler

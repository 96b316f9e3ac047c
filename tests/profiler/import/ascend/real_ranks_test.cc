// Ranks of real trainings on NPUs beside each other (../shared/corpus/ascend, see
// real_ascend_test.cc).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class RealRanks : public ::testing::Test {
 protected:
  void SetUp() override { testing::NeedShared("corpus/ascend"); }

  // Those below this folder; profiles that cannot be read are left out.
  static std::vector<RankUse> In(const std::string& name) {
    std::vector<RankUse> ranks;
    for (const FoundProfile& found : FindProfiles(testing::SharedPath("corpus/ascend/" + name))) {
      const auto profile = ImportProfile(found.path, {.for_ranks = true});
      if (profile) ranks.push_back(MeasureRank(*profile));
    }
    SortRanks(ranks);
    return ranks;
  }

  static std::vector<std::string> RulesIn(const std::string& name) {
    std::vector<std::string> rules;
    for (const Finding& one : CompareRanks(In(name)))
      rules.push_back((one.rule + " " + one.subject).substr(0, one.rule.size() + 8));
    return rules;
  }
};

TEST_F(RealRanks, OfAPipelineNameTheStageThatComputesMore) {
  const std::vector<RankUse> ranks = In("four_npus_pp2_dp2");
  ASSERT_THAT(ranks, SizeIs(4));
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(ranks[i].rank, i);
    EXPECT_EQ(ranks[i].stage, i / 2);
    EXPECT_EQ(ranks[i].steps, 1);
    EXPECT_NEAR(ranks[i].step / 1e6, 810, 1);
  }
  const std::vector<Finding> findings = CompareRanks(ranks);
  ASSERT_THAT(findings, SizeIs(2)) << "no straggler, no slow link";
  EXPECT_EQ(findings[0].rule, "slow-stage");
  EXPECT_EQ(findings[0].subject, "stage 1");
  EXPECT_THAT(findings[0].evidence,
              HasSubstr("compute for 400.79 ms, those of the others for 231.10"));
  EXPECT_EQ(findings[1].rule, "communication");
}

TEST_F(RealRanks, AreReadFromTheSmallFilesWhereTheyListTheSteps) {
  for (const char* folder :
       {"torch_npu_text/level1/rank0_ascend_pt", "four_npus_pp2_dp2/rank_2_ascend_pt"}) {
    const auto profile =
        ImportProfile(testing::SharedPath("corpus/ascend/") + folder, {.for_ranks = true});
    ASSERT_THAT(profile, testing::IsOk());
    std::uint64_t bytes = 0;
    for (const SourceFile& file : profile->files) bytes += file.bytes;
    EXPECT_LT(bytes, 64 * 1024) << folder;
    const auto whole = ImportProfile(testing::SharedPath("corpus/ascend/") + folder);
    ASSERT_THAT(whole, testing::IsOk());
    EXPECT_EQ(MeasureRank(*profile).step, MeasureRank(*whole).step);
    EXPECT_EQ(MeasureRank(*profile).communication, MeasureRank(*whole).communication);
  }
}

TEST_F(RealRanks, OfWhichOnlyOneHasKernelsAreNotBlamedForIt) {
  EXPECT_THAT(RulesIn("faults/12_false_straggler"), ElementsAre("communication rank 1"));
}

TEST_F(RealRanks, KnowTheirStagesByTheMetadata) {
  EXPECT_THAT(RulesIn("faults/08_stage_from_metadata"), Contains("slow-stage stage 1"));
}

TEST_F(RealRanks, WithALinkOfAnEighthOfTheBandwidthNameIt) {
  const std::vector<Finding> findings = CompareRanks(In("faults/02_matrix_keys"));
  ASSERT_THAT(findings, Not(IsEmpty()));
  EXPECT_EQ(findings[0].rule, "slow-link");
  EXPECT_EQ(findings[0].subject, "rank 1, link 1-0");
}

TEST_F(RealRanks, ThatCannotBeReadAreFoundAndDoNotHinderTheOthers) {
  EXPECT_THAT(FindProfiles(testing::SharedPath("corpus/ascend/faults/10_one_bad_rank")), SizeIs(3));
  EXPECT_THAT(In("faults/10_one_bad_rank"), SizeIs(2));
}

}  // namespace
}  // namespace sightline::profiler

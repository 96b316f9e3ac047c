// Which ranks do the same work.
#include "sightline/runs/ranks/rank_stages.h"

#include <gmock/gmock.h>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/ranks/rank_steps.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::TempDir;

class RankStagesTest : public ::testing::Test {
 protected:
  // Eight ranks of one training, each with a loss.
  void SetUp() override {
    for (int rank = 0; rank < 8; ++rank) {
      RecorderOptions options;
      options.writing.rank = rank;
      options.writing.world_size = 8;
      auto recorder = Recorder::Open(dir_.path(), options);
      ASSERT_THAT(recorder, IsOk());
      (*recorder)->AddScalar("loss", 1, rank);
      ASSERT_THAT((*recorder)->Close(), IsOk());
    }
    auto run = sightline::Run::Open(dir_.path());
    ASSERT_THAT(run, IsOk());
    run_ = *run;
  }

  // The number of ranks in each stage, with this lineage.
  std::vector<std::size_t> Stages(const RunLineage& lineage) const {
    const auto run = run_->WithLineage(lineage);
    std::vector<std::size_t> sizes;
    for (const auto& stage : ByStage(*run, RanksOf(*run, "loss"))) sizes.push_back(stage.size());
    return sizes;
  }

  TempDir dir_;
  std::shared_ptr<const sightline::Run> run_;
};

TEST_F(RankStagesTest, WithoutStagesAllRanksDoTheSame) {
  EXPECT_THAT(Stages({}), ElementsAre(8));
  EXPECT_THAT(Stages({{"pipeline_stage", std::int64_t{1}}}), ElementsAre(8));
}

TEST_F(RankStagesTest, ConsecutiveRanksAreAStage) {
  EXPECT_THAT(Stages({{"pipeline_stage", std::int64_t{2}}}), ElementsAre(4, 4));
  EXPECT_THAT(Stages({{"parallel.pipeline_stage", std::int64_t{4}}}), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(Stages({{"pipeline_model_parallel_size", std::string("2")}}), ElementsAre(4, 4));
  EXPECT_THAT(Stages({{"pp", 2.0}}), ElementsAre(4, 4));
}

TEST_F(RankStagesTest, ANumberThatCannotBeIsNoNumberOfStages) {
  EXPECT_THAT(Stages({{"pipeline_stage", std::int64_t{3}}}), ElementsAre(8));
  EXPECT_THAT(Stages({{"pipeline_stage", std::int64_t{16}}}), ElementsAre(8));
  EXPECT_THAT(Stages({{"pipeline_stage", std::int64_t{-2}}}), ElementsAre(8));
  EXPECT_THAT(Stages({{"pipeline_stage", 2.5}}), ElementsAre(8));
  EXPECT_THAT(Stages({{"pipeline_stage", std::string("two")}}), ElementsAre(8));
}

TEST_F(RankStagesTest, WithoutSessionsTheRanksAreCounted) {
  testing::MemoryFileSystem files;
  for (const std::string rank : {"0", "1", "2", "3"}) {
    files.Put("run/events.out.events.summary.1." + rank + ".vm_MS",
              testing::MindSporeScalar("loss", 1, 1));
  }
  const auto run = sightline::Run::Open("run", {.file_system = &files});
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ(PipelineStagesOf(*(*run)->WithLineage({{"pp", std::int64_t{2}}})), 2);
  files.Put("run/events.out.events.summary.1.7.vm_MS", testing::MindSporeScalar("loss", 1, 1));
  const auto gap = sightline::Run::Open("run", {.file_system = &files});
  ASSERT_THAT(gap, IsOk());
  EXPECT_EQ(PipelineStagesOf(*(*gap)->WithLineage({{"pp", std::int64_t{2}}})), 1);
}

TEST_F(RankStagesTest, MindFormersLossIsValidOnOneRank) {
  const RunLineage staged = {{"parallel_config.pipeline_stage", std::int64_t{4}}};
  EXPECT_EQ(OnlyValidRank(*run_->WithLineage(staged), "loss"), 7);
  EXPECT_EQ(OnlyValidRank(*run_->WithLineage(staged), "loss vs samples"), 7);
  EXPECT_EQ(OnlyValidRank(*run_->WithLineage(staged), "iteration-time"), std::nullopt);
  RunLineage bubble = staged;
  bubble["parallel.pipeline_config.pipeline_scheduler"] = std::string("zero_bubble_v");
  EXPECT_EQ(OnlyValidRank(*run_->WithLineage(bubble), "loss"), 0);
}

TEST_F(RankStagesTest, WithoutStagesOrOfOtherProgramsEveryLossIsValid) {
  const RunLineage whole = {{"parallel_config.pipeline_stage", std::int64_t{1}}};
  EXPECT_EQ(OnlyValidRank(*run_->WithLineage(whole), "loss"), std::nullopt);
  const RunLineage other = {{"pipeline_model_parallel_size", std::int64_t{4}}};
  EXPECT_EQ(OnlyValidRank(*run_->WithLineage(other), "loss"), std::nullopt);
}

TEST_F(RankStagesTest, RanksOfAnotherTagAreNotThere) {
  EXPECT_TRUE(ByStage(*run_, RanksOf(*run_, "accuracy")).empty());
}

}  // namespace
}  // namespace sightline

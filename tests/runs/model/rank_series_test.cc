#include "sightline/runs/model/rank_series.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// Ranks 3 and 11 have a loss, rank 3 also tensors and what is called nearly the same.
class RankSeriesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto put = [this](const std::string& name, std::int32_t rank, const std::string& more) {
      fs_.Put("run/" + name, testing::SessionRecord<mindspore::Event>(name, rank) +
                                 testing::MindSporeScalar("loss", 1, 2) + more);
    };
    put("events.out.events.summary.1.0.vm_MS", 11, "");
    put("events.out.events.summary.2.0.vm_MS", 3,
        testing::MindSporeScalar("los", 1, 2) + testing::MindSporeScalar("loss2", 1, 2) +
            testing::Tensor("loss", 1));
    fs_.Put(std::string("run/") + testing::kLineageName, testing::Lineage("LeNet", 0));
    auto run = Run::Open("run", {.file_system = &fs_});
    ASSERT_THAT(run, testing::IsOk());
    run_ = *std::move(run);
  }

  testing::MemoryFileSystem fs_;
  std::shared_ptr<const sightline::Run> run_;
};

TEST_F(RankSeriesTest, FindsTheScalarsOfATagByRank) {
  const auto loss = run_->OfTag(ContentKind::kScalar, "loss");
  ASSERT_EQ(loss.size(), 2U);
  EXPECT_EQ(loss[0]->key().rank, 3);
  EXPECT_EQ(loss[1]->key().rank, 11);
  EXPECT_EQ(run_->OfTag(ContentKind::kScalar, "loss2").size(), 1U);
  for (const char* const none : {"", "lo", "loss0", "losz", "zzz"})
    EXPECT_TRUE(run_->OfTag(ContentKind::kScalar, none).empty()) << none;
}

TEST_F(RankSeriesTest, DividesARunByItsRanks) {
  const auto ranks = ByRank(*run_);
  ASSERT_EQ(ranks.size(), 2U);  // The lineage's file is of no rank that has a series.
  EXPECT_EQ(ranks[0].rank, 3);
  EXPECT_EQ(ranks[0].series.size(), 5U);
  EXPECT_EQ(ranks[1].rank, 11);
  ASSERT_EQ(ranks[1].files.size(), 1U);
  EXPECT_EQ(ranks[1].first_wall_time(), 1);
  EXPECT_EQ(ranks[1].last_wall_time(), testing::TimeOf(1));
  EXPECT_FALSE(ranks[1].damaged());
  EXPECT_EQ(ranks[1].files[0]->session->session_id, "events.out.events.summary.1.0.vm_MS");
}

}  // namespace
}  // namespace sightline

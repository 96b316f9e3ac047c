// Queries about the ranks of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sightline/runs/query/query.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;

// Ranks 0 to 3 record step 0 to 2. The time of rank 2 is longer, the loss of rank 1 is NaN at step
// 2, and only rank 3 has "tail", up to step 9.
class RankQueryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::int32_t rank = 0; rank < 4; ++rank) {
      const auto id = std::to_string(rank);
      std::string records = testing::SessionRecord<mindspore::Event>("session-" + id, rank);
      for (int step = 0; step < 3; ++step) {
        const bool diverged = rank == 1 && step == 2;
        records += testing::MindSporeScalar(
            "loss", step, diverged ? std::numeric_limits<float>::quiet_NaN() : 0.5F);
        const auto offset = static_cast<float>(rank + step);
        records += testing::MindSporeScalar("iteration-time", step,
                                            (rank == 2 ? 200.0F : 100.0F) + offset);
      }
      if (rank == 3) records += testing::MindSporeScalar("tail", 9, 7);
      fs_.Put("run/events.out.events.summary." + id + ".0.vm_MS", records);
    }
    auto run = Run::Open("run", {.file_system = &fs_});
    ASSERT_THAT(run, IsOk());
    run_ = *std::move(run);
    ranks_ = ByRank(*run_);
    ASSERT_EQ(ranks_.size(), 4U);
  }
  std::string Value(std::string_view text, const RankSeries* rank = nullptr) {
    const auto query = Query::Parse(text);
    EXPECT_THAT(query, IsOk()) << text;
    return query ? QueryValueText(query->Evaluate(*run_, clock_, rank)) : "error";
  }
  static std::string ErrorOf(std::string_view text) {
    const auto parsed = Query::Parse(text);
    return parsed ? "no error" : std::string(parsed.error().message());
  }

  testing::MemoryFileSystem fs_;
  testing::ManualClock clock_{1e9};
  std::shared_ptr<const sightline::Run> run_;
  std::vector<RankSeries> ranks_;
};

TEST_F(RankQueryTest, AFunctionIsOfTheLowestRankThatHasTheTag) {
  EXPECT_EQ(Value("mean(\"iteration-time\")"), "101");
  EXPECT_EQ(Value("mean(\"iteration-time\", 1)"), "102");
  EXPECT_EQ(Value("last(tail)"), "7");
}

TEST_F(RankQueryTest, TheFirstNanIsThatOfAnyRank) {
  EXPECT_EQ(Value("first_nan(loss)"), "2");
  EXPECT_EQ(Value("first_nan(\"iteration-time\")"), "");
  EXPECT_EQ(Value("first_nan(nothing)"), "");
  EXPECT_EQ(Value("rank(0, first_nan(loss))"), "");
  EXPECT_EQ(Value("rank(1, first_nan(loss))"), "2");
}

TEST_F(RankQueryTest, AsksOneRank) {
  EXPECT_EQ(Value("rank(2, last(\"iteration-time\"))"), "204");
  EXPECT_EQ(Value("rank(2, median(\"iteration-time\", 2)) > 203"), "true");
  EXPECT_EQ(Value("isnan(rank(1, last(loss)))"), "true");
  EXPECT_EQ(Value("rank(0, last(tail))"), "");
  EXPECT_EQ(Value("rank(4, last(loss))"), "");
}

TEST_F(RankQueryTest, ComparesRanks) {
  EXPECT_EQ(Value("worst(mean(\"iteration-time\"))"), "2");
  EXPECT_EQ(Value("worst(last(loss))"), "1");
  EXPECT_EQ(Value("worst(first(loss))"), "");
  // 100, 101, 202 and 103: the median is 102.
  EXPECT_EQ(Value("spread(first(\"iteration-time\")) == 1"), "true");
  EXPECT_EQ(Value("spread(last(loss))"), "0");
  EXPECT_EQ(Value("spread(last(tail))"), "");
  EXPECT_EQ(Value("worst(last(tail))"), "");
}

// The loss of all other ranks is not valid (rank_stages.h): neither a value nor a difference.
TEST_F(RankQueryTest, WithPipelineStagesTheLossOfMindFormersIsThatOfTheLastRank) {
  const Query last = *Query::Parse("last(loss)");
  EXPECT_EQ(last.InRanks(*run_).nonfinite, std::vector<std::int32_t>{1});
  run_ = run_->WithLineage({{"parallel_config.pipeline_stage", std::int64_t{2}}});
  EXPECT_EQ(Value("last(loss)"), "0.5");
  EXPECT_EQ(Value("first_nan(loss)"), "") << "that was rank 1";
  EXPECT_EQ(Value("rank(1, first_nan(loss))"), "2");
  EXPECT_EQ(Value("worst(last(loss))"), "");
  EXPECT_EQ(Value("mean(\"iteration-time\")"), "101") << "of rank 0";
  const RankValues ranks = last.InRanks(*run_);
  EXPECT_EQ(ranks.values, (std::vector<std::pair<std::int32_t, double>>{{3, 0.5}}));
  EXPECT_EQ(ranks.ranks, 4U);
}

TEST_F(RankQueryTest, ErrorsNameWhatIsAllowed) {
  EXPECT_EQ(ErrorOf("spread(loss)"),
            "query, column 8: spread takes one function of a tag here, as in "
            "spread(last(\"loss\")); the functions are first, last, min, max, count, step, mean, "
            "median, p95, std, first_nan");
  EXPECT_THAT(ErrorOf("worst(iteration-time)"),
              HasSubstr("column 7: worst takes one function of a tag here, as in worst(last("));
  EXPECT_THAT(ErrorOf("rank(5, (last(loss)))"),
              HasSubstr("column 9: rank takes one function of a tag here, as in rank(5, last("));
  EXPECT_THAT(ErrorOf("spread(rank(1, last(loss)))"), HasSubstr("column 8: spread takes one"));
  EXPECT_EQ(ErrorOf("worst(last(loss) == 1)"), "query, column 18: \")\" is expected, not '=='");
  EXPECT_EQ(ErrorOf("rank(x, last(loss))"),
            "query, column 6: the number of a rank is expected, not 'x'");
  EXPECT_EQ(ErrorOf("rank(1.5, last(loss))"),
            "query, column 6: the number of a rank is expected, not '1.5'");
  EXPECT_EQ(ErrorOf("rank(1)"), "query, column 7: \",\" and a function is expected, not ')'");
  EXPECT_EQ(ErrorOf("worst(lst(loss))"),
            "query, column 7: 'lst' is not a function; did you mean last?");
  EXPECT_EQ(ErrorOf("worst(last(iteration-time))"),
            "query, column 12: put the tag in quotes: last(\"iteration-time\")");
  EXPECT_EQ(ErrorOf("worst(last(loss)"), "query, column 17: \")\" is missing");
}

TEST_F(RankQueryTest, NamesTheTagsInside) {
  const auto query = Query::Parse("rank(1, last(loss)) < 1 and worst(mean(time)) == 3");
  ASSERT_THAT(query, IsOk());
  std::string names;
  for (const Query::Asked& asked : query->Names()) names += asked.text + (asked.is_tag ? "+" : "-");
  EXPECT_EQ(names, "loss+time+");
}

TEST_F(RankQueryTest, AnswersForOneOfTheRanks) {
  EXPECT_EQ(Value("rank", ranks_.data()), "0");
  EXPECT_EQ(Value("rank", &ranks_[3]), "3");
  EXPECT_EQ(Value("last(\"iteration-time\")", &ranks_[2]), "204");
  EXPECT_EQ(Value("last(tail)", &ranks_[2]), "");
  EXPECT_EQ(Value("first_nan(loss)", &ranks_[2]), "");
  EXPECT_EQ(Value("last_step", &ranks_[2]), "2");
  EXPECT_EQ(Value("last_step", &ranks_[3]), "9");
  EXPECT_EQ(Value("duration", &ranks_[2]), "1001");  // The session's record is from second 1.
  EXPECT_EQ(Value("duration", &ranks_[3]), "1008");
  EXPECT_EQ(Value("damaged", &ranks_[3]), "false");
  EXPECT_EQ(Value("worst(mean(\"iteration-time\"))", &ranks_[1]), "2");
  EXPECT_EQ(Value("rank(2, last(\"iteration-time\"))", &ranks_[1]), "204");
  EXPECT_EQ(Value("state", &ranks_[1]), Value("state"));
  EXPECT_EQ(Value("rank"), "");  // Of the lineage.
}

TEST_F(RankQueryTest, GivesTheValuesOfAllRanksToTables) {
  const RankValues times = Query::Parse("last(\"iteration-time\")")->InRanks(*run_);
  EXPECT_EQ(times.ranks, 4U);
  EXPECT_EQ(times.finite, 4U);
  EXPECT_EQ(times.min, 102);
  EXPECT_EQ(times.max, 204);
  EXPECT_EQ(times.worst, 2);
  const RankValues loss = Query::Parse("last(loss)")->InRanks(*run_);
  EXPECT_EQ(loss.nonfinite, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(Query::Parse("last(loss) < 1")->InRanks(*run_).ranks, 0U);
  EXPECT_EQ(Query::Parse("state")->InRanks(*run_).ranks, 0U);
}

TEST_F(RankQueryTest, TellsWhatIsComputed) {
  const auto is_statistic = [](const char* text) { return Query::Parse(text)->IsStatistic(); };
  EXPECT_TRUE(is_statistic("mean(loss)") && is_statistic("rank(1, p95(loss))"));
  EXPECT_TRUE(is_statistic("spread(last(loss))"));
  EXPECT_FALSE(is_statistic("last(loss)") || is_statistic("worst(mean(loss))"));
  EXPECT_FALSE(is_statistic("first_nan(loss)") || is_statistic("lr"));
}

}  // namespace
}  // namespace sightline

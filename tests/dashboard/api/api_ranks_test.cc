// What the ranks of a run have in common, against docs/http_api.md.
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "sightline/dashboard/api/api.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/dashboard/api/packed_columns.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::TempDir;

const sightline::testing::ManualClock kClock(1e10);

struct Answer : sightline::testing::PackedColumns {
  const json& tag(std::size_t i = 0) const { return header.at("tags").at(i); }
  // The array `k` of the tag.
  std::span<const double> array(std::size_t k) const {
    const std::size_t length = tag()["length"];
    const std::size_t offset = tag()["offset"];
    return std::span(numbers).subspan(offset + k * length, length);
  }
};

// Eight ranks that need 100 ms for each of 100 steps. Rank 5 needs 125 from step 31 on, rank 2 has
// NaN from step 42 on, rank 7 ends at step 60.
class ApiRanksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int rank = 0; rank < 8; ++rank) {
      RecorderOptions options;
      options.writing.rank = rank;
      options.writing.world_size = 8;
      auto recorder = Recorder::Open(dir_.path(), options);
      ASSERT_THAT(recorder, IsOk());
      for (std::int64_t step = 1; step <= (rank == 7 ? 60 : 100); ++step) {
        const double slow = rank == 5 && step > 30 ? 125 : 100;
        (*recorder)->AddScalar("time", step, rank == 2 && step >= 42 ? std::nan("") : slow);
      }
      ASSERT_THAT((*recorder)->Close(), IsOk());
    }
  }

  Result<Response> Respond(const std::string& query) const { return Respond(query, dir_.path()); }
  static Result<Response> Respond(const std::string& query, const std::string& root) {
    Catalog catalog({root}, {.clock = &kClock});
    catalog.Poll({});
    Request request;
    request.target = *ParseTarget("/?run=.&" + query);
    return RanksResponse(*catalog.snapshot(), request);
  }

  Answer Ask(const std::string& query) const {
    const auto response = Respond(query);
    EXPECT_THAT(response, IsOk());
    return {sightline::testing::Unpacked(*response)};
  }

  TempDir dir_;
};

TEST_F(ApiRanksTest, SaysWhoLeavesTheOthers) {
  const json tag = Ask("tag=time").tag();
  EXPECT_EQ(tag["ranks"], 8);
  EXPECT_EQ(tag["stages"], 1);
  const json leaving = {{"rank", 5}, {"above", true}, {"excess", 0.25}, {"since", 31}};
  EXPECT_EQ(tag["leaving"], (json{{"total", 1}, {"named", {leaving}}}));
  const json nonfinite = {{"rank", 2}, {"since", 42}};
  EXPECT_EQ(tag["nonfinite"], (json{{"total", 1}, {"named", {nonfinite}}}));
  EXPECT_EQ(tag["missing"]["named"][0]["rank"], 7);
  EXPECT_EQ(tag["missing"]["named"][0]["last"], 60);
  EXPECT_EQ(tag["missing"]["named"][0]["early"], true);
}

TEST_F(ApiRanksTest, GivesTheMedianAndTheBandOfEachStep) {
  const Answer answer = Ask("tag=time&from=40&to=44");
  EXPECT_EQ(answer.tag()["form"], "points");
  ASSERT_EQ(answer.tag()["length"], 5);
  EXPECT_EQ(answer.array(0)[1], 41) << "step";
  EXPECT_EQ(answer.array(1)[1], 100) << "low";
  EXPECT_EQ(answer.array(2)[1], 125) << "high";
  EXPECT_EQ(answer.array(3)[1], 100) << "median";
  EXPECT_EQ(answer.array(4)[1], 0) << "NaN";
  EXPECT_EQ(answer.array(4)[2], 1) << "NaN";
}

TEST_F(ApiRanksTest, GivesTheBandInColumns) {
  const Answer answer = Ask("tag=time&columns=10");
  EXPECT_EQ(answer.tag()["form"], "columns");
  ASSERT_EQ(answer.tag()["length"], 10);
  EXPECT_EQ(answer.array(0)[3], 31) << "first step";
  EXPECT_EQ(answer.array(1)[3], 40) << "last step";
  EXPECT_EQ(answer.array(3)[3], 125) << "high";
  EXPECT_EQ(answer.array(8)[4], 9) << "NaN of steps 42 to 50";
}

TEST_F(ApiRanksTest, GivesAHeatMap) {
  const Answer answer = Ask("tag=time&show=heat&columns=2");
  EXPECT_EQ(answer.tag()["form"], "heat");
  EXPECT_EQ(answer.tag()["columns"], 2);
  EXPECT_EQ(answer.tag()["rows"][5], (json{5, 5}));
  ASSERT_EQ(answer.tag()["length"], 16);
  EXPECT_EQ(answer.array(0)[11], 125) << "rank 5, steps 51 to 100";
  EXPECT_EQ(answer.array(1)[11], 100);
  EXPECT_TRUE(std::isnan(answer.array(0)[4])) << "rank 2, steps 1 to 50";
  EXPECT_EQ(answer.array(2)[15], 1) << "rank 7 ends within this cell";
}

TEST_F(ApiRanksTest, GivesATable) {
  const Answer answer = Ask("tag=time&show=table&from=31");
  EXPECT_EQ(answer.tag()["form"], "table");
  ASSERT_EQ(answer.tag()["length"], 8);
  EXPECT_EQ(answer.array(0)[5], 5) << "rank";
  EXPECT_EQ(answer.array(3)[5], 125) << "mean";
  EXPECT_EQ(answer.array(1)[7], 60) << "last step";
  EXPECT_EQ(answer.array(7)[2], 59) << "steps that are not finite";
}

TEST_F(ApiRanksTest, AResponseAboutOneTagTakesAtMost200kB) {
  const TempDir run;
  // 64 rows are as many as a heat map has, 3,000 steps as many as a band has one by one.
  for (std::int64_t rank = 0; rank < 64; ++rank) {
    std::string events;
    for (std::int64_t step = 1; step <= 3000; ++step) {
      if (rank < 4 || step % 15 == rank % 15)
        events += sightline::testing::MindSporeScalar("time", step, 1);
    }
    const std::string name = "events.out.events.summary.1." + std::to_string(rank) + ".vm_MS";
    sightline::testing::WriteFileOrDie(run.File(name), events);
  }
  for (const char* show : {"band", "heat", "table"}) {
    const auto response = Respond(std::string("tag=time&columns=1500&show=") + show, run.path());
    ASSERT_THAT(response, IsOk());
    EXPECT_LE(response->body.size(), 200'000U) << show;
  }
}

TEST_F(ApiRanksTest, ATagThatIsNotThereHasAnError) {
  const Answer answer = Ask("tag=time&tag=tiem");
  EXPECT_EQ(answer.tag(1)["error"], "there is no scalar 'tiem'");
}

TEST_F(ApiRanksTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(Respond("tag=time&show=pie").error(),
              IsStatus(StatusCode::kInvalidArgument, "show must be band, heat or table"));
  EXPECT_THAT(Respond("columns=10").error(),
              IsStatus(StatusCode::kInvalidArgument, "name 1 to 100 tags"));
  EXPECT_THAT(Respond("tag=time&columns=0").error(),
              IsStatus(StatusCode::kInvalidArgument, "columns"));
}

TEST_F(ApiRanksTest, AnEmptyRangeHasNoNumbers) {
  EXPECT_EQ(Ask("tag=time&from=60&to=40").tag()["length"], 0);
  EXPECT_EQ(Ask("tag=time&from=1e300").tag()["length"], 0);
  EXPECT_EQ(Ask("tag=time&show=table&from=1000").tag()["length"], 0);
  EXPECT_EQ(Ask("tag=time&show=heat&from=1000").tag()["columns"], 1);
}

}  // namespace
}  // namespace sightline::dashboard

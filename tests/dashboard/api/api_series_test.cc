// Scalars of a training that went back to an earlier step, against docs/http_api.md.
#include <nlohmann/json.hpp>

#include "sightline/dashboard/api/api.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/dashboard/api/packed_columns.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::TempDir;

const sightline::testing::ManualClock kClock(1e10);

// What the header of the response says of the only series.
json Ask(const std::string& root, const json& body) {
  Catalog catalog({root}, {.clock = &kClock});
  catalog.Poll({});
  Request request;
  request.target = *ParseTarget("/");
  request.method = Method::kPost;
  request.body = body.dump();
  const auto response = SeriesResponse(*catalog.snapshot(), request);
  if (!response) return response.error().ToString();
  return sightline::testing::Unpacked(*response).header["series"][0];
}

json Loss(bool newest) {
  return {{"series", {{{"run", "."}, {"tag", "loss"}}}}, {"newest", newest}};
}

TEST(ApiSeriesTest, SaysWhereATrainingRestarted) {
  const json all = Ask(CorpusPath("wild/resume_no_purge"), Loss(false));
  EXPECT_EQ(all["length"], 25) << all;
  EXPECT_EQ(all["resumed"], json::array({100})) << all;
  EXPECT_EQ(all["superseded"], 5) << all;
}

TEST(ApiSeriesTest, LeavesOutWhatWasRecordedAgain) {
  const json newest = Ask(CorpusPath("wild/resume_no_purge"), Loss(true));
  EXPECT_EQ(newest["length"], 20) << newest;
  EXPECT_EQ(newest["total"], 20) << newest;
  EXPECT_EQ(newest["resumed"], json::array({100})) << newest;
  EXPECT_EQ(newest["superseded"], 5) << newest;
}

TEST(ApiSeriesTest, SaysWhereASessionResumed) {
  const TempDir dir;
  const auto record = [&](std::int64_t first, std::optional<std::int64_t> resume) {
    RecorderOptions options;
    options.resume_from_step = resume;
    auto recorder = Recorder::Open(dir.path(), options);
    ASSERT_THAT(recorder, IsOk());
    for (std::int64_t step = first; step < first + 10; ++step)
      (*recorder)->AddScalar("loss", step, 1);
    ASSERT_THAT((*recorder)->Close(), IsOk());
  };
  record(1, std::nullopt);
  EXPECT_FALSE(Ask(dir.path(), Loss(false)).contains("resumed"));
  record(6, 6);
  const json resumed = Ask(dir.path(), Loss(false));
  EXPECT_EQ(resumed["resumed"], json::array({6})) << resumed;
  EXPECT_FALSE(resumed.contains("superseded")) << resumed;
}

}  // namespace
}  // namespace sightline::dashboard

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

Result<Response> Respond(const std::string& root, const json& body) {
  Catalog catalog({root}, {.clock = &kClock});
  catalog.Poll({});
  Request request;
  request.target = *ParseTarget("/");
  request.method = Method::kPost;
  request.body = body.dump();
  return SeriesResponse(*catalog.snapshot(), request);
}

// What the header of the response says of the only series.
json Ask(const std::string& root, const json& body) {
  const auto response = Respond(root, body);
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

TEST(ApiSeriesTest, DividesASeriesByAnotherOne) {
  const TempDir dir;
  auto recorder = Recorder::Open(dir.path(), {});
  ASSERT_THAT(recorder, IsOk());
  for (std::int64_t step = 1; step <= 4; ++step) {
    (*recorder)->AddScalar("loss", step, 3 * static_cast<double>(step));
    if (step != 2) (*recorder)->AddScalar("reference", step, 2);
  }
  ASSERT_THAT((*recorder)->Close(), IsOk());
  const auto asked = [](const char* tag, json over) {
    return json{{"series", {{{"run", "."}, {"tag", tag}, {"over", std::move(over)}}}}};
  };
  const json reference = {{"run", "."}, {"tag", "reference"}};
  const auto response = Respond(dir.path(), asked("loss", reference));
  ASSERT_THAT(response, IsOk());
  const auto [header, numbers] = sightline::testing::Unpacked(*response);
  EXPECT_EQ(header["series"][0]["total"], 3) << header;
  EXPECT_EQ(std::vector(numbers.begin(), numbers.begin() + 3), (std::vector<double>{1, 3, 4}));
  EXPECT_EQ(std::vector(numbers.end() - 3, numbers.end()), (std::vector<double>{1.5, 4.5, 6}));
  const json other = {{"run", "x"}, {"tag", "reference"}};
  EXPECT_EQ(Ask(dir.path(), asked("loss", other))["error"], "there is no run 'x'");
  json by_time = asked("loss", reference);
  by_time["axis"] = "time";
  EXPECT_THAT(Ask(dir.path(), by_time).get<std::string>(),
              ::testing::HasSubstr("a series over another one needs the axis step"));
  EXPECT_THAT(Ask(dir.path(), asked("loss", "reference")).get<std::string>(),
              ::testing::HasSubstr("over must be {\"run\", \"tag\"}"));
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

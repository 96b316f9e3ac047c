// What the interface says of a run that was joined of several directories (docs/ranks.md).
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/http/service.h"
#include "sightline/dashboard/http/static_files.h"
#include "sightline/dashboard/store/background_imports.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::IsOk;
using ::testing::ElementsAre;

const sightline::testing::ManualClock kClock(1e10);

class ApiJoinedTest : public ::testing::Test {
 protected:
  void Put(const std::string& directory, const std::string& tag, float value = 1) {
    std::string bytes;
    for (std::int64_t step = 0; step < 3; ++step)
      bytes += sightline::testing::TensorBoardScalar(tag, step, value);
    files_.Put("root/" + directory + "/" + sightline::testing::kTensorBoardName, bytes);
  }

  std::shared_ptr<const CatalogSnapshot> Open() {
    Catalog catalog({"root"}, {.file_system = &files_, .clock = &kClock});
    catalog.Poll({});
    return catalog.snapshot();
  }

  static Request Get(const std::string& target) {
    Request request;
    request.target = *ParseTarget(target);
    request.host = "localhost";
    return request;
  }
  static json Json(const Result<Response>& response) {
    EXPECT_THAT(response, IsOk());
    return response ? json::parse(response->body) : json();
  }

  sightline::testing::MemoryFileSystem files_;
};

TEST_F(ApiJoinedTest, RanksAreRangesAndFilesPathsBelowTheRun) {
  for (const int rank : {8, 9, 10}) Put(fmt::format("out/rank_{}", rank), "loss");
  Put("out/rank_9/layer/a", "layer");
  const auto snapshot = Open();
  EXPECT_EQ(Json(RunsResponse(*snapshot, Get("/")))["runs"][0]["ranks"], json({{8, 10}}));
  EXPECT_EQ(Json(TagsResponse(*snapshot, Get("/")))["tags"][0]["ranks"], json({{9, 9}}));
  const json run = Json(RunResponse(*snapshot, Get("/?run=out")));
  ASSERT_EQ(run["files"].size(), 4U);
  EXPECT_EQ(run["files"][2]["file"],
            fmt::format("rank_9/layer/a/{}", sightline::testing::kTensorBoardName));
}

TEST_F(ApiJoinedTest, ListsEachDirectoryByItselfIfAsked) {
  for (const int rank : {0, 1}) Put(fmt::format("out/rank_{}", rank), "loss");
  Put("other", "loss");
  Catalog catalog({"root"}, {.file_system = &files_, .clock = &kClock});
  catalog.Poll({});
  BackgroundImports imports(files_);
  IrStore dumps(files_, {}, imports);
  Service service({}, StaticFiles(std::span<const StaticFile>()));
  AddApi(service, catalog, {dumps, imports}, {});
  const auto ids = [&](const std::string& path) {
    std::vector<std::string> found;
    const json list = json::parse(service.Handle(Get(path)).body);
    for (const json& run : list["runs"])
      found.push_back(run["id"].get<std::string>() + " " + run["parts"].dump());
    return found;
  };
  EXPECT_THAT(ids("/api/v1/runs"), ElementsAre("other 0", "out 2"));
  EXPECT_THAT(ids("/api/v1/runs?join=false"),
              ElementsAre("other 0", "out/rank_0 0", "out/rank_1 0"));
  EXPECT_THAT(ids("/api/v1/runs?join=false&query=name==%22out/rank_1%22"),
              ElementsAre("out/rank_1 0"));
  EXPECT_EQ(service.Handle(Get("/api/v1/runs?join=no")).status, 400U);
}

TEST_F(ApiJoinedTest, NamesTheRanksAndTagsThatAreNotFinite) {
  for (int rank = 0; rank < 6; ++rank)
    Put(fmt::format("out/rank_{}", rank), "loss", rank == 4 ? NAN : 1.0F);
  const json run = Json(RunResponse(*Open(), Get("/?run=out")));
  EXPECT_EQ(run["nonfinite"]["ranks"], json({{4, 4}}));
  EXPECT_EQ(run["nonfinite"]["tags"], 1);
  EXPECT_EQ(run["nonfinite"]["named"][0]["tag"], "loss");
}

TEST_F(ApiJoinedTest, AResponseAboutManyFilesTakesAtMost200kB) {
  for (int rank = 0; rank < 300; ++rank) {
    Put(fmt::format("out/rank_{}", rank), "loss");
    Put(fmt::format("out/rank_{}/layer-norm/layer0", rank), "layer-norm");
  }
  const auto snapshot = Open();
  const auto run = RunResponse(*snapshot, Get("/?run=out"));
  ASSERT_THAT(run, IsOk());
  EXPECT_LT(run->body.size(), 200'000U);
  const json all = json::parse(run->body);
  EXPECT_EQ(all["files"].size(), 200U);
  EXPECT_EQ(all["totals"]["files"], 600);
  EXPECT_EQ(all["totals"]["tags"], 600);
  EXPECT_EQ(Json(RunResponse(*snapshot, Get("/?run=out&rows=500")))["files"].size(), 500U);
  const auto tags = TagsResponse(*snapshot, Get("/"));
  ASSERT_THAT(tags, IsOk());
  EXPECT_LT(tags->body.size(), 1000U);
}

TEST_F(ApiJoinedTest, CurvesHaveTheirMainTag) {
  Put("run", "loss");
  Put("run/eval/loss/train/a", "eval/loss");
  const json tags = Json(TagsResponse(*Open(), Get("/")))["tags"];
  ASSERT_EQ(tags.size(), 2U);
  EXPECT_EQ(tags[0]["tag"], "eval/loss/train/a");
  EXPECT_EQ(tags[0]["main"], "eval/loss");
  EXPECT_FALSE(tags[1].contains("main"));
}

}  // namespace
}  // namespace sightline::dashboard

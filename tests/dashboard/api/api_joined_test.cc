// What the interface says of a run that was joined of several directories (docs/ranks.md).
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sightline/dashboard/api/api.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::IsOk;

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
    return request;
  }
  static json Json(const Result<Response>& response) {
    EXPECT_THAT(response, IsOk());
    return response ? json::parse(response->body) : json();
  }

  sightline::testing::MemoryFileSystem files_;
};

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

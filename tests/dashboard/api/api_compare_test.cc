// Whether one run follows another one, against docs/http_api.md.
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "sightline/dashboard/api/api.h"
#include "sightline/runs/compare/comparison_json.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::ordered_json;
using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::TempDir;

const sightline::testing::ManualClock kClock(1e10);

class ApiCompareTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Record("a", {"loss", "lr"}, [](int) { return 1.0F; });
    Record("b", {"loss"}, [](int step) { return step < 8 ? 1.0F : 1.5F; });
  }

  void Record(const std::string& name, const std::vector<std::string>& tags,
              const std::function<float(int)>& value_at) {
    std::string records;
    for (int step = 1; step <= 20; ++step) {
      for (const std::string& tag : tags)
        records += sightline::testing::TensorBoardScalar(tag, step, value_at(step));
    }
    std::filesystem::create_directories(dir_.File(name));
    sightline::testing::WriteFileOrDie(dir_.File(name) + "/" + sightline::testing::kTensorBoardName,
                                       records);
  }

  // With an index, so that series have no points until they are opened.
  Result<Response> Respond(const std::string& query, const ApiLimits& limits = {}) const {
    CatalogOptions options;
    options.clock = &kClock;
    options.index_folder = index_.path();
    Catalog catalog({dir_.path()}, options);
    catalog.Poll({});
    Request request;
    request.target = *ParseTarget("/?" + query);
    return CompareResponse(*catalog.snapshot(), request, limits);
  }

  ordered_json Ask(const std::string& query) const {
    const auto response = Respond(query);
    EXPECT_THAT(response, IsOk());
    return response ? ordered_json::parse(response->body) : ordered_json();
  }

  // As the verb has it.
  Comparand Side(const std::string& name) const {
    const auto group = RunGroup::Open({dir_.File(name)});
    return ComparandOf(group->runs().front(), name);
  }

  TempDir dir_;
  TempDir index_;
};

TEST_F(ApiCompareTest, AnswersWhatTheVerbPrints) {
  const Comparand a = Side("a");
  const Comparand b = Side("b");
  const auto expected = ComparisonJson({"a", "b", 0.02, 0, CompareRuns(a, b, {})});
  EXPECT_EQ(Ask("a=a&b=b"), expected);
  EXPECT_EQ(expected["tags"][0]["ranks"][0]["leaves"]["step"], 8);
  EXPECT_EQ(expected["only_in_a"], ordered_json::array({"lr"}));
  EXPECT_EQ(Ask("a=a&b=b"), expected) << "with the points from the index";
}

TEST_F(ApiCompareTest, ChoosesTagsAndTheTolerance) {
  EXPECT_EQ(Ask("a=b&b=a&tag=%5Eloss$&tolerance=50%25")["verdict"], "alike");
  EXPECT_EQ(Ask("a=a&b=b&tag=%5Eloss$&tolerance=0.49")["verdict"], "not alike");
  EXPECT_EQ(Ask("a=a&b=b&tag=nothing")["verdict"], "nothing to compare");
}

TEST_F(ApiCompareTest, AsksRunsOfTheKindOfTheReference) {
  for (const int seed : {1, 2, 3}) {
    Record("seed" + std::to_string(seed), {"loss"},
           [=](int step) { return 1.0F + 0.2F * static_cast<float>((step * 7 + seed) % 5); });
  }
  const ordered_json found = Ask("a=a&b=b&tag=loss&like=seed1&like=seed2&like=seed3");
  EXPECT_EQ(found["like"], 3);
  EXPECT_EQ(found["tags"][0]["verdict"], "within noise");
}

TEST_F(ApiCompareTest, NamesTheParameterThatIsWrong) {
  const auto error = [&](const char* query) { return Respond(query).error(); };
  EXPECT_THAT(error("b=b"),
              IsStatus(StatusCode::kInvalidArgument, "name a run with the parameter a"));
  EXPECT_THAT(error("a=a&b=c"), IsStatus(StatusCode::kNotFound, "b: there is no run 'c'"));
  EXPECT_THAT(error("a=a&b=b&like=a&like=b&like=c"),
              IsStatus(StatusCode::kNotFound, "like: there is no run 'c'"));
  EXPECT_THAT(error("a=a&b=b&like=a"),
              IsStatus(StatusCode::kInvalidArgument, "like: 3 or more runs are needed"));
  EXPECT_THAT(error("a=a&b=b&tolerance=-1"),
              IsStatus(StatusCode::kInvalidArgument, "tolerance -1: give a share"));
  EXPECT_THAT(error("a=a&b=b&tag=("), IsStatus(StatusCode::kInvalidArgument, "tag"));
}

TEST_F(ApiCompareTest, RefusesMoreThanItComparesAtOnce) {
  EXPECT_THAT(
      Respond("a=a&b=b", {.compared_points = 59}).error(),
      IsStatus(StatusCode::kInvalidArgument, "the runs have 3 series with 60 points to compare"));
  EXPECT_THAT(Respond("a=a&b=b", {.compared_series = 2}).error(),
              IsStatus(StatusCode::kInvalidArgument, "choose fewer with the parameter tag"));
  EXPECT_THAT(Respond("a=a&b=b&tag=loss", {.compared_series = 2, .compared_points = 40}), IsOk());
}

}  // namespace
}  // namespace sightline::dashboard

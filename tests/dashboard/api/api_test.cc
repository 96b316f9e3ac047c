// The responses of docs/http_api.md, against what was recorded.
#include "sightline/dashboard/api/api.h"

#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "sightline/base/file_system.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/tests/dashboard/api/packed_columns.h"
#include "sightline/tests/dashboard/recorded_directory.h"
#include "sightline/tests/support/manual_clock.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
const sightline::testing::ManualClock kClock(1e10);

struct Columns : sightline::testing::PackedColumns {
  // The array that follows `array` others from where the header's `at` says.
  std::vector<double> Array(std::size_t series, std::size_t array,
                            const char* at = "offset") const {
    const json& about = header["series"][series];
    const auto length = about["length"].get<std::size_t>();
    const auto begin = about[at].get<std::size_t>() + array * length;
    return {numbers.begin() + static_cast<std::ptrdiff_t>(begin),
            numbers.begin() + static_cast<std::ptrdiff_t>(begin + length)};
  }
};

Columns Unpack(const Response& response) { return {sightline::testing::Unpacked(response)}; }

// Asks for a graph until it is read.
using GraphRespond = Result<Response> (*)(const CatalogSnapshot&, const Request&,
                                          const GraphSources&);
Result<Response> AskGraph(GraphRespond respond, const CatalogSnapshot& snapshot,
                          const Request& request) {
  BackgroundImports imports(FileSystem::Local());
  IrStore dumps(FileSystem::Local(), {}, imports);
  auto response = respond(snapshot, request, {dumps, imports});
  for (; response && response->status == 202;
       response = respond(snapshot, request, {dumps, imports}))
    std::this_thread::yield();
  return response;
}

// One directory with the runs "scalars" and "deep/heavy", read once for all tests.
class ApiTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = new TempDir();
    testing::RecordScalars(dir_->File("scalars"), 100);
    testing::RecordHeavy(dir_->File("deep/heavy"));
    catalog_ = new Catalog({dir_->path()}, {.clock = &kClock});
    catalog_->Poll({});
  }
  static void TearDownTestSuite() {
    delete catalog_;
    delete dir_;
  }

  static Request Get(std::string_view target) {
    Request request;
    request.target = *ParseTarget(target);
    return request;
  }
  static Request Post(std::string_view target, const json& body) {
    Request request = Get(target);
    request.method = Method::kPost;
    request.body = body.dump();
    return request;
  }
  static const CatalogSnapshot& snapshot() {
    static std::shared_ptr<const CatalogSnapshot> held;
    held = catalog_->snapshot();
    return *held;
  }
  static json Json(const Result<Response>& response) {
    if (!response) return response.error().ToString();
    return json::parse(response->body);
  }
  static StatusCode CodeOf(const Result<Response>& response) {
    return response ? StatusCode::kOk : response.error().code();
  }

  static TempDir* dir_;
  static Catalog* catalog_;
};
TempDir* ApiTest::dir_ = nullptr;
Catalog* ApiTest::catalog_ = nullptr;

TEST_F(ApiTest, ListsRuns) {
  const json list = Json(RunsResponse(snapshot(), Get("/")));
  EXPECT_EQ(list["total"], 2);
  ASSERT_EQ(list["runs"].size(), 2U);
  EXPECT_EQ(list["runs"][0]["id"], "deep/heavy");
  const json& run = list["runs"][1];
  EXPECT_EQ(run["id"], "scalars");
  EXPECT_EQ(run["state"], "finished");
  EXPECT_EQ(run["recovered"], false);
  EXPECT_EQ(run["live"], false);
  EXPECT_EQ(run["points"], 200);
  EXPECT_EQ(run["first_step"], 1);
  EXPECT_EQ(run["last_step"], 100);
  EXPECT_EQ(run["nan"], 1);
  EXPECT_EQ(run["objective"], "loss");
  EXPECT_EQ(run["series"]["scalar"], 2);
  EXPECT_EQ(run["values"]["loss"]["rank"], 0);
  EXPECT_EQ(run["values"]["loss"]["step"], 100);
  EXPECT_NEAR(run["values"]["loss"]["value"].get<double>(), 0.01, 1e-8);
  EXPECT_EQ(run["values"]["loss"]["max"], 1.0);
  EXPECT_EQ(list["runs"][0]["lineage"]["network"], "SmallNet");
}

TEST_F(ApiTest, ChoosesSortsAndPagesRuns) {
  const auto ids = [](const json& list) {
    std::vector<std::string> names;
    for (const json& run : list["runs"]) names.push_back(run["id"]);
    return names;
  };
  EXPECT_THAT(ids(Json(RunsResponse(snapshot(), Get("/?query=network%20==%20%27SmallNet%27")))),
              ElementsAre("deep/heavy"));
  EXPECT_THAT(ids(Json(RunsResponse(snapshot(), Get("/?sort=-last_step")))),
              ElementsAre("scalars", "deep/heavy"));
  EXPECT_THAT(ids(Json(RunsResponse(snapshot(), Get("/?sort=last('loss')")))),
              ElementsAre("scalars", "deep/heavy"));
  EXPECT_THAT(ids(Json(RunsResponse(snapshot(), Get("/?sort=-last('loss')")))),
              ElementsAre("deep/heavy", "scalars"));
  EXPECT_THAT(ids(Json(RunsResponse(snapshot(), Get("/?offset=1&limit=1")))),
              ElementsAre("scalars"));
  EXPECT_EQ(CodeOf(RunsResponse(snapshot(), Get("/?query=((("))), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(RunsResponse(snapshot(), Get("/?limit=5001"))), StatusCode::kInvalidArgument);
}

TEST_F(ApiTest, ShowsOneRun) {
  const json run = Json(RunResponse(snapshot(), Get("/?run=deep/heavy")));
  std::map<std::string, std::string> kinds;
  for (const json& tag : run["tags"]) kinds[tag["kind"]] = tag["tag"];
  EXPECT_THAT(kinds["image"], HasSubstr("input"));
  EXPECT_EQ(kinds.size(), 5U);
  EXPECT_EQ(run["graphs"][0]["graph"], "g0");
  EXPECT_EQ(run["files"].size(), 2U);
  EXPECT_TRUE(run["damage_regions"].empty());
  EXPECT_EQ(run["sessions"].size(), 1U);
  EXPECT_EQ(CodeOf(RunResponse(snapshot(), Get("/?run=none"))), StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(RunResponse(snapshot(), Get("/"))), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(RunResponse(snapshot(), Get("/?run=../scalars"))), StatusCode::kNotFound);
}

TEST_F(ApiTest, GivesManyTagsInPages) {
  const TempDir dir;
  auto recorder = Recorder::Open(dir.File("many"), {});
  ASSERT_TRUE(recorder);
  constexpr int kTags = 50'010;
  for (int i = 0; i < kTags; ++i)
    (*recorder)->AddScalar(std::to_string(100'000 + i).substr(1), 1, 1);
  ASSERT_TRUE((*recorder)->Close().ok());
  Catalog catalog({dir.path()}, {.clock = &kClock});
  catalog.Poll({});
  const auto page = [&](const std::string& rest) {
    return Json(RunResponse(*catalog.snapshot(), Get("/?run=many" + rest)));
  };
  const json first = page("");
  EXPECT_EQ(first["series"]["scalar"], kTags);
  EXPECT_EQ(first["totals"]["tags"], kTags);
  ASSERT_EQ(first["tags"].size(), 500U);
  EXPECT_EQ(first["tags"][499]["tag"], "00499");
  EXPECT_EQ(page("&limit=10000")["tags"].size(), 10'000U);
  EXPECT_EQ(page("&offset=10000")["tags"][0]["tag"], "10000");
  EXPECT_EQ(page("&offset=50000")["tags"].size(), 10U);
  EXPECT_EQ(page("&offset=1&limit=2")["tags"][1]["tag"], "00002");
  EXPECT_TRUE(page("&offset=60000")["tags"].empty());
  const json all = Json(TagsResponse(*catalog.snapshot(), Get("/")));
  EXPECT_EQ(all["tags"].size(), 50'000U);
  EXPECT_EQ(all["left_out"], 10);
}

TEST_F(ApiTest, ListsAGraphThatWasRecordedInBothDialectsOnce) {
  const TempDir dir;
  testing::RecordHeavy(dir.File("both"), {.formats = {Format::kMindSpore, Format::kTensorBoard}});
  Catalog catalog({dir.path()}, {.clock = &kClock});
  catalog.Poll({});
  const json run = Json(RunResponse(*catalog.snapshot(), Get("/?run=both")));
  ASSERT_EQ(run["graphs"].size(), 2U) << run["graphs"];
  EXPECT_EQ(run["graphs"][0]["kind"], "computational");
  EXPECT_EQ(run["graphs"][1]["kind"], "dataset");
}

TEST_F(ApiTest, JoinsTheTagsOfRuns) {
  const json tags = Json(TagsResponse(
      snapshot(), Post("/", {{"runs", {"deep/heavy", "scalars"}}, {"kind", "scalar"}})));
  ASSERT_EQ(tags["tags"].size(), 2U);
  EXPECT_EQ(tags["tags"][0]["tag"], "accuracy");
  EXPECT_EQ(tags["tags"][0]["runs"], json::array({1}));
  EXPECT_EQ(tags["tags"][1]["tag"], "loss");
  EXPECT_EQ(tags["tags"][1]["runs"], "all");
}

TEST_F(ApiTest, GivesExactPointsWhereTheyFit) {
  const auto response = SeriesResponse(snapshot(), Get("/?run=scalars&tag=loss&from=5&to=8"));
  ASSERT_THAT(response, sightline::testing::IsOk());
  const Columns columns = Unpack(*response);
  EXPECT_EQ(columns.header["series"][0]["form"], "points");
  EXPECT_EQ(columns.header["series"][0]["total"], 100);
  EXPECT_EQ(columns.header["series"][0]["in_range"], 4);
  EXPECT_THAT(columns.Array(0, 0, "steps"), ElementsAre(5, 6, 7, 8));
  EXPECT_GT(columns.Array(0, 0)[0], 0);  // The time.
  const auto values = columns.Array(0, 1);
  EXPECT_FLOAT_EQ(static_cast<float>(values[0]), 0.2F);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST_F(ApiTest, SendsStepsThatSeriesShareOnce) {
  const auto response = SeriesResponse(
      snapshot(), Post("/", {{"runs", {"scalars"}}, {"tags", {"loss", "accuracy"}}}));
  ASSERT_THAT(response, sightline::testing::IsOk());
  const Columns columns = Unpack(*response);
  EXPECT_EQ(columns.header["series"][0]["steps"], columns.header["series"][1]["steps"]);
  EXPECT_EQ(columns.numbers.size(), 100U + 2 * 200);
  EXPECT_THAT(columns.Array(1, 0, "steps"), ::testing::SizeIs(100));
  EXPECT_EQ(columns.Array(1, 1).back(), 100);
}

TEST_F(ApiTest, StepsThatDifferAreBothSent) {
  const auto response = SeriesResponse(
      snapshot(), Post("/", {{"runs", {"scalars", "deep/heavy"}}, {"tags", {"loss"}}}));
  ASSERT_THAT(response, sightline::testing::IsOk());
  const Columns columns = Unpack(*response);
  EXPECT_NE(columns.header["series"][0]["steps"], columns.header["series"][1]["steps"]);
}

TEST_F(ApiTest, LeavesOutTimesThatNobodyAskedFor) {
  const auto ask = [](std::size_t columns) {
    return Post(
        "/",
        {{"runs", {"scalars"}}, {"tags", {"accuracy"}}, {"columns", columns}, {"times", false}});
  };
  const auto exact = SeriesResponse(snapshot(), ask(1000));
  const auto reduced = SeriesResponse(snapshot(), ask(10));
  ASSERT_THAT(exact, sightline::testing::IsOk());
  ASSERT_THAT(reduced, sightline::testing::IsOk());
  EXPECT_EQ(Unpack(*exact).numbers.size(), 200U);
  EXPECT_EQ(Unpack(*exact).Array(0, 0).back(), 100);
  EXPECT_EQ(Unpack(*reduced).numbers.size(), 100U);
  EXPECT_EQ(Unpack(*reduced).Array(0, 2).front(), 1);   // min
  EXPECT_EQ(Unpack(*reduced).Array(0, 6).front(), 10);  // count
}

TEST_F(ApiTest, GivesColumnsWithExactExtremes) {
  const auto response = SeriesResponse(
      snapshot(),
      Post("/",
           {{"series", {{{"run", "scalars"}, {"tag", "loss"}}, {{"run", "x"}, {"tag", "loss"}}}},
            {"columns", 10}}));
  ASSERT_THAT(response, sightline::testing::IsOk());
  const Columns columns = Unpack(*response);
  EXPECT_EQ(columns.header["series"][0]["form"], "columns");
  EXPECT_THAT(columns.header["series"][1]["error"].get<std::string>(), HasSubstr("run 'x'"));
  EXPECT_THAT(columns.Array(0, 0), ElementsAre(1, 11, 21, 31, 41, 51, 61, 71, 81, 91));
  EXPECT_THAT(columns.Array(0, 1), ElementsAre(10, 20, 30, 40, 50, 60, 70, 80, 90, 100));
  EXPECT_FLOAT_EQ(static_cast<float>(columns.Array(0, 4)[0]), 0.1F);   // min
  EXPECT_EQ(columns.Array(0, 5)[0], 1);                                // max
  EXPECT_EQ(columns.Array(0, 6)[0], 1);                                // first
  EXPECT_FLOAT_EQ(static_cast<float>(columns.Array(0, 7)[9]), 0.01F);  // last
  EXPECT_THAT(columns.Array(0, 8), ElementsAre(10, 10, 10, 10, 10, 10, 10, 10, 10, 10));
  EXPECT_THAT(columns.Array(0, 9), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(ApiTest, GivesTimesAsAnAxis) {
  for (const char* axis : {"time", "relative"}) {
    const auto response = SeriesResponse(
        snapshot(), Get(std::string("/?run=scalars&tag=accuracy&columns=5&axis=") + axis));
    ASSERT_THAT(response, sightline::testing::IsOk());
    const Columns columns = Unpack(*response);
    const std::size_t length = columns.header["series"][0]["length"];
    double count = 0;
    for (const double in_column : columns.Array(0, 8)) count += in_column;
    EXPECT_EQ(count, 100);
    EXPECT_LE(length, 5U);
    EXPECT_EQ(columns.Array(0, 4).front(), 1);
    EXPECT_EQ(columns.Array(0, 5).back(), 100);
  }
}

TEST_F(ApiTest, GivesEachPairOfRunsAndTagsThatExists) {
  const auto response = SeriesResponse(
      snapshot(), Post("/", {{"runs", {"deep/heavy", "scalars"}}, {"tags", {"loss", "accuracy"}}}));
  ASSERT_THAT(response, sightline::testing::IsOk());
  EXPECT_EQ(Unpack(*response).header["series"].size(), 3U);
}

TEST_F(ApiTest, RefusesBodiesThatAreNoRequest) {
  for (const char* body :
       {"", "[]", "{", R"({"series": 1})", R"({"series": [1]})", R"({"series": [{"run": "a"}]})",
        R"({"columns": 0})", R"({"columns": "a"})", R"({"columns": 10001})", R"({"axis": "x"})",
        R"({"from": "a"})", R"({"runs": [1], "tags": ["a"]})", R"({"times": 1})",
        R"({"newest": 1})"}) {
    Request request = Get("/");
    request.method = Method::kPost;
    request.body = body;
    EXPECT_EQ(CodeOf(SeriesResponse(snapshot(), request)), StatusCode::kInvalidArgument) << body;
  }
}

// Tags as the file has them: MindSpore's dialect adds the kind.
std::string TagOf(const CatalogSnapshot& catalog, ContentKind kind) {
  for (const auto& series : catalog.Find("deep/heavy")->run->series())
    if (series->key().kind == kind) return series->key().tag;
  return {};
}

TEST_F(ApiTest, FindsHeavyValues) {
  const json list =
      Json(ValuesResponse(snapshot(), Get("/?run=deep/heavy&kind=histogram&tag=" +
                                          TagOf(snapshot(), ContentKind::kHistogram))));
  EXPECT_EQ(list["steps"], json::array({5, 6}));
  EXPECT_EQ(list["at"].size(), 2U);
  EXPECT_EQ(CodeOf(ValuesResponse(snapshot(), Get("/?run=scalars&kind=scalar&tag=loss"))),
            StatusCode::kInvalidArgument);
}

TEST_F(ApiTest, GivesAnImageAsItWasRecorded) {
  const std::string tag = TagOf(snapshot(), ContentKind::kImage);
  const auto response = ValueResponse(snapshot(), Get("/?run=deep/heavy&kind=image&tag=" + tag));
  ASSERT_THAT(response, sightline::testing::IsOk());
  EXPECT_EQ(response->content_type, "image/png");
  EXPECT_EQ(response->body.substr(1, 3), "PNG");
  std::map<std::string, std::string> headers(response->headers.begin(), response->headers.end());
  EXPECT_EQ(headers["X-Sightline-Step"], "5");
  EXPECT_EQ(headers["X-Sightline-Width"], "2");
}

TEST_F(ApiTest, GivesAHistogramWithExactCounts) {
  const std::string where =
      "/?run=deep/heavy&kind=histogram&tag=" + TagOf(snapshot(), ContentKind::kHistogram);
  const json histogram = Json(ValueResponse(snapshot(), Get(where + "&step=6")));
  EXPECT_EQ(histogram["step"], 6);
  EXPECT_EQ(histogram["count"], 6);
  double sum = 0;
  for (const json& count : histogram["counts"]) sum += count.get<double>();
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(histogram["edges"].size(), histogram["counts"].size() + 1);
  EXPECT_EQ(histogram["edges"].front(), 0.0);
  EXPECT_EQ(histogram["edges"].back(), 5.0);
  EXPECT_EQ(CodeOf(ValueResponse(snapshot(), Get(where + "&step=7"))), StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(ValueResponse(snapshot(), Get(where + "&at=0.1.0"))), StatusCode::kNotFound);
  const json all = Json(HistogramsResponse(
      snapshot(), Get("/?run=deep/heavy&tag=" + TagOf(snapshot(), ContentKind::kHistogram))));
  EXPECT_EQ(all["total"], 2);
  EXPECT_EQ(all["values"][1]["counts"], histogram["counts"]);
}

TEST_F(ApiTest, GivesSlicesOfATensor) {
  const std::string where =
      "/?run=deep/heavy&kind=tensor&tag=" + TagOf(snapshot(), ContentKind::kTensor);
  const auto response = ValueResponse(snapshot(), Get(where + "&slice=[1,:]"));
  ASSERT_THAT(response, sightline::testing::IsOk());
  const Columns columns = Unpack(*response);
  EXPECT_EQ(columns.header["shape"], json::array({2, 3}));
  EXPECT_EQ(columns.header["sliced"], json::array({3}));
  EXPECT_THAT(columns.numbers, ElementsAre(3, 4, 5));
  const json stats = Json(ValueResponse(snapshot(), Get(where + "&detail=stats")));
  EXPECT_EQ(stats["mean"], 2.5);
  EXPECT_EQ(stats["dtype"], "float32");
  const auto npy = ValueResponse(snapshot(), Get(where + "&detail=npy&slice=[:,0]"));
  ASSERT_THAT(npy, sightline::testing::IsOk());
  EXPECT_THAT(ReadNpy(npy->body)->shape, ElementsAre(2));
  EXPECT_EQ(Json(ValueResponse(snapshot(), Get(where + "&detail=histogram")))["count"], 6);
  EXPECT_EQ(CodeOf(ValueResponse(snapshot(), Get(where + "&slice=[9]"))),
            StatusCode::kInvalidArgument);
}

TEST_F(ApiTest, GivesALandscape) {
  const json list = Json(LandscapesResponse(snapshot(), Get("/?run=deep/heavy")));
  ASSERT_EQ(list["landscapes"].size(), 1U);
  EXPECT_EQ(list["landscapes"][0]["nx"], 2);
  EXPECT_EQ(list["landscapes"][0]["ny"], 3);
  const json one = Json(ValueResponse(
      snapshot(),
      Get("/?run=deep/heavy&kind=landscape&tag=" + list["landscapes"][0]["tag"].get<std::string>() +
          "&at=" + list["landscapes"][0]["at"].get<std::string>())));
  EXPECT_EQ(one["z"], json::array({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
  EXPECT_TRUE(one["path"].is_null());
}

TEST_F(ApiTest, UnfoldsTheGraph) {
  const json top = Json(AskGraph(GraphResponse, snapshot(), Get("/?run=deep/heavy")));
  ASSERT_EQ(top["nodes"].size(), 1U) << top;
  EXPECT_EQ(top["nodes"][0]["id"], "Default");
  ASSERT_TRUE(top.contains("only"));
  EXPECT_EQ(top["only"],
            Json(AskGraph(GraphResponse, snapshot(), Get("/?run=deep/heavy&scope=Default"))))
      << "what is alone in a scope comes along";
  const json net =
      Json(AskGraph(GraphResponse, snapshot(), Get("/?run=deep/heavy&scope=Default/net")));
  ASSERT_EQ(net["nodes"].size(), 2U) << net;
  EXPECT_EQ(net["nodes"][0]["id"], "Default/net/fc");
  EXPECT_EQ(net["nodes"][0]["nodes"], 3);  // MatMul and its two parameters.
  EXPECT_EQ(net["nodes"][1]["type"], "ReLU");
  ASSERT_EQ(net["edges"].size(), 1U);
  EXPECT_EQ(net["edges"][0]["from"], "Default/net/fc");
  EXPECT_EQ(net["edges"][0]["to"], "Default/net/ReLU-op2");
  EXPECT_EQ(net["edges"][0]["shape"], "float32[1,2]");
  EXPECT_EQ(net["outside"][0]["to"], "Default/Sum-op3");
  EXPECT_EQ(CodeOf(AskGraph(GraphResponse, snapshot(), Get("/?run=deep/heavy&scope=None"))),
            StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(AskGraph(GraphResponse, snapshot(), Get("/?run=deep/heavy&graph=g7"))),
            StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(AskGraph(GraphResponse, snapshot(), Get("/?run=deep/heavy&graph="))),
            StatusCode::kNotFound);
}

TEST_F(ApiTest, FindsNodesOfTheGraph) {
  const json found =
      Json(AskGraph(GraphSearchResponse, snapshot(), Get("/?run=deep/heavy&text=matMUL")));
  ASSERT_EQ(found["total"], 1);
  const json node =
      Json(AskGraph(GraphNodeResponse, snapshot(),
                    Get("/?run=deep/heavy&node=" + found["matches"][0]["id"].get<std::string>())));
  EXPECT_EQ(node["type"], "MatMul");
  EXPECT_EQ(node["scope"], "Default/net/fc");
  EXPECT_EQ(node["attributes"]["transpose_b"], "true");
  EXPECT_EQ(node["inputs"].size(), 2U);
  EXPECT_EQ(node["inputs"][1]["node"], "weight");
  EXPECT_EQ(node["outputs"][0]["node"], "Default/net/ReLU-op2");
}

// PyTorch's SummaryWriter wrote it.
TEST(ApiGraphTest, ShowsAGraphThatOnlyATensorBoardFileHolds) {
  Catalog catalog({sightline::testing::CorpusPath("tensorboard")}, {.clock = &kClock});
  catalog.Poll({});
  Request request;
  request.target = *ParseTarget("/?run=torch");
  const auto snapshot = catalog.snapshot();
  const auto run = RunResponse(*snapshot, request);
  ASSERT_THAT(run, sightline::testing::IsOk());
  EXPECT_EQ(json::parse(run->body)["graphs"][0]["kind"], "computational");
  const auto response = AskGraph(GraphResponse, *snapshot, request);
  ASSERT_THAT(response, sightline::testing::IsOk());
  const json top = json::parse(response->body);
  EXPECT_GT(top["nodes_in_graph"], 2) << top;
  EXPECT_FALSE(top["edges"].empty()) << top;
}

TEST_F(ApiTest, ShowsLineageAndDataset) {
  const json lineage = Json(LineageResponse(snapshot(), Get("/")));
  ASSERT_EQ(lineage["rows"].size(), 2U);
  bool found = false;
  for (std::size_t i = 0; i < lineage["columns"].size(); ++i) {
    if (lineage["columns"][i]["key"] != "learning_rate") continue;
    found = true;
    EXPECT_EQ(lineage["columns"][i]["numeric"], true);
    EXPECT_EQ(lineage["rows"][0]["values"][i], 0.5);
    EXPECT_TRUE(lineage["rows"][1]["values"][i].is_null());
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(Json(DatasetResponse(snapshot(), Get("/?run=deep/heavy")))["dataset"]["op_type"],
            "Batch");
  EXPECT_EQ(CodeOf(DatasetResponse(snapshot(), Get("/?run=scalars"))), StatusCode::kNotFound);
}

}  // namespace
}  // namespace sightline::dashboard

// The responses of docs/http_api.md, "Profiles", against profiles of the corpus.
#include "sightline/dashboard/api/api_profile.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sightline/base/file_system.h"
#include "sightline/tests/dashboard/api/packed_columns.h"
#include "sightline/tests/dashboard/once_read.h"
#include "sightline/tests/dashboard/recorded_directory.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kTrace[] = R"([
  {"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"main"}},
  {"ph":"X","name":"Step 1","cat":"step","pid":1,"tid":7,"ts":1000,"dur":100},
  {"ph":"X","name":"MatMul","cat":"cpu_op","pid":1,"tid":7,"ts":1010,"dur":40,"args":{"shape":"[2, 3]"}},
  {"ph":"X","name":"Relu","cat":"cpu_op","pid":1,"tid":7,"ts":1060,"dur":20},
  {"ph":"X","name":"MatMul","cat":"cpu_op","pid":1,"tid":8,"ts":1100,"dur":100},
  {"ph":"C","name":"depth","pid":1,"ts":1000,"args":{"queue":3}},
  {"ph":"C","name":"depth","pid":1,"ts":1100,"args":{"queue":5}}
])";

Request Get(std::string_view target) {
  Request request;
  request.target = *ParseTarget(target);
  return request;
}
json Json(const Result<Response>& response) {
  if (!response) return response.error().ToString();
  return json::parse(response->body);
}
StatusCode CodeOf(const Result<Response>& response) {
  return response ? StatusCode::kOk : response.error().code();
}

class ApiProfileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::RecordScalars(dir_.File("run"), 3);
    std::filesystem::create_directories(dir_.File("run/profile"));
    Write(kTrace);
    store_ =
        std::make_unique<ProfileStore>(FileSystem::Local(), std::vector{dir_.path()}, imports_);
  }
  void Write(std::string_view text) {
    std::ofstream(dir_.File("run/profile/a.trace.json"), std::ios::binary) << text;
  }
  // REQUIRES: it can be read.
  const ReadProfile& Trace() {
    held_ = Read(*store_, "run/profile/a.trace.json");
    return *held_;
  }
  static std::shared_ptr<const ReadProfile> Read(ProfileStore& store, const std::string& id) {
    auto read = testing::OnceRead([&] { return store.Open(id, std::nullopt); });
    EXPECT_THAT(read, IsOk()) << id;
    return *std::move(read);
  }

  TempDir dir_;
  BackgroundImports imports_{FileSystem::Local()};
  std::unique_ptr<ProfileStore> store_;
  std::shared_ptr<const ReadProfile> held_;
};

TEST_F(ApiProfileTest, ListsProfilesWithTheirRuns) {
  std::filesystem::copy(CorpusPath("profiler/mindspore_2_0/ctor"), dir_.File("alone"),
                        std::filesystem::copy_options::recursive);
  Catalog catalog({dir_.path()});
  catalog.Poll({});
  const json list = Json(ProfilesResponse(*catalog.snapshot(), *store_));
  ASSERT_EQ(list["profiles"].size(), 2U) << list;
  EXPECT_THAT(list["profiles"][0]["profile"].get<std::string>(), HasSubstr("alone"));
  EXPECT_TRUE(list["profiles"][0]["run"].is_null());
  EXPECT_EQ(list["profiles"][1]["profile"], "run/profile/a.trace.json");
  EXPECT_EQ(list["profiles"][1]["run"], "run");
}

TEST_F(ApiProfileTest, OpensWhatIsListedAndNothingElse) {
  for (const char* id : {"", "none", "../run/profile/a.trace.json", "run/profile",
                         "run/profile/../profile/a.trace.json", "/etc/passwd"}) {
    const auto opened = store_->Open(id, std::nullopt);
    ASSERT_FALSE(opened.has_value()) << id;
    EXPECT_EQ(opened.error().code(), StatusCode::kNotFound) << id;
  }
}

TEST_F(ApiProfileTest, ReadsAProfileOnceAndAnewWhenItChanged) {
  const ReadProfile* first = &Trace();
  const auto kept = held_;
  EXPECT_EQ(&Trace(), first);
  Write(R"([{"ph":"X","name":"later","pid":1,"tid":7,"ts":0,"dur":1}])");
  EXPECT_EQ(Trace().profile.model.spans.size(), 1U);
  EXPECT_EQ(kept->profile.model.spans.size(), 4U) << "who still looks at it keeps the old one";
}

TEST_F(ApiProfileTest, SaysWhatAProfileHolds) {
  const json about = Json(ProfileResponse(Trace(), Get("/?profile=x")));
  EXPECT_EQ(about["origin"], "1000000") << "nanoseconds of the trace's clock";
  EXPECT_EQ(about["duration"], 200'000);
  EXPECT_EQ(about["spans"], 4);
  ASSERT_EQ(about["lanes"].size(), 2U);
  EXPECT_EQ(about["lanes"][0]["thread"], "main");
  EXPECT_EQ(about["lanes"][0]["rows"], 2);
  ASSERT_EQ(about["counters"].size(), 1U);
  EXPECT_EQ(about["counters"][0]["max"], 5);
  EXPECT_EQ(about["counters"][0]["max_at"], 100'000);
  EXPECT_EQ(about["files"][0]["error"], "");
}

TEST_F(ApiProfileTest, GivesTheTimelineAsRowsOfSpansAndColumns) {
  const auto response = TimelineResponse(Trace(), Get("/?columns=10"));
  ASSERT_THAT(response, IsOk());
  const auto [header, numbers] = sightline::testing::Unpacked(*response);
  ASSERT_EQ(header["rows"].size(), 3U) << header;
  EXPECT_EQ(header["rows"][1]["row"], 1);
  EXPECT_EQ(header["rows"][1]["wide"], 2);
  const auto at = header["rows"][1]["offset"].get<std::size_t>();
  EXPECT_THAT(std::vector(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                          numbers.begin() + static_cast<std::ptrdiff_t>(at + 4)),
              ElementsAre(10'000, 60'000, 40'000, 20'000));
  EXPECT_EQ(header["names"][static_cast<std::size_t>(numbers[at + 4])][0], "MatMul");
}

TEST_F(ApiProfileTest, GivesNarrowSpansAsCounts) {
  const auto response = TimelineResponse(Trace(), Get("/?columns=1&lane=0&from=0&to=200000"));
  ASSERT_THAT(response, IsOk());
  const json header = sightline::testing::Unpacked(*response).header;
  EXPECT_EQ(header["rows"][0]["wide"], 0);
  EXPECT_EQ(header["rows"][1]["narrow"], 1);
}

TEST_F(ApiProfileTest, RefusesRangesAndLanesThatAreNone) {
  for (const char* target : {"/?from=5&to=5", "/?from=9&to=3", "/?columns=0", "/?from=x",
                             "/?to=99999999999999999", "/?rows=0", "/?lane=-1"}) {
    EXPECT_EQ(CodeOf(TimelineResponse(Trace(), Get(target))), StatusCode::kInvalidArgument)
        << target;
  }
  EXPECT_EQ(CodeOf(TimelineResponse(Trace(), Get("/?lane=99"))), StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(SpanResponse(Trace(), Get("/?span=4"))), StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(CounterResponse(Trace(), Get("/?counter=7"))), StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(SpanSearchResponse(Trace(), Get("/"))), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(OperatorsResponse(Trace(), Get("/?by=x"))), StatusCode::kInvalidArgument);
}

TEST_F(ApiProfileTest, FindsSpansTheLongestFirstAndDescribesOne) {
  const json found = Json(SpanSearchResponse(Trace(), Get("/?text=matmul&limit=1")));
  EXPECT_EQ(found["total"], 2);
  EXPECT_EQ(found["total_time"], 140'000);
  ASSERT_EQ(found["matches"].size(), 1U);
  EXPECT_EQ(found["matches"][0]["duration"], 100'000);
  const json all = Json(SpanSearchResponse(Trace(), Get("/?text=matmul")));
  const json span = Json(
      SpanResponse(Trace(), Get("/?span=" + std::to_string(all["matches"][1]["span"].get<int>()))));
  EXPECT_EQ(span["name"], "MatMul");
  EXPECT_EQ(span["start"], 10'000);
  EXPECT_EQ(span["row"], 1);
  EXPECT_EQ(span["detail"]["shape"], "[2, 3]");
  EXPECT_EQ(span["thread"], "main");
}

TEST_F(ApiProfileTest, ShowsArgumentsThatNestDeeplyAsText) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  Write(R"([{"ph":"X","name":"a","pid":1,"tid":7,"ts":1,"dur":1,"args":{"a":)" + deep + "}}]");
  const json span = Json(SpanResponse(Trace(), Get("/?span=0")));
  EXPECT_EQ(span["detail"], R"({"a":)" + deep + "}");
}

TEST_F(ApiProfileTest, SumsUpASelection) {
  const json selected = Json(SelectionResponse(Trace(), Get("/?from=20000&to=120000")));
  EXPECT_EQ(selected["spans"], 4);
  ASSERT_EQ(selected["lanes"].size(), 2U);
  EXPECT_EQ(selected["lanes"][0]["busy"], 80'000) << "what runs within another counts once";
  EXPECT_EQ(selected["lanes"][1]["busy"], 20'000);
  EXPECT_EQ(selected["names"][0]["name"], "Step 1");
  EXPECT_EQ(selected["names"][1]["name"], "MatMul");
  EXPECT_EQ(selected["names"][1]["time"], 50'000) << "only what lies in it";
}

TEST_F(ApiProfileTest, GivesACounterWithItsExtremesAColumn) {
  const auto response = CounterResponse(Trace(), Get("/?counter=0&columns=1"));
  ASSERT_THAT(response, IsOk());
  const auto [header, numbers] = sightline::testing::Unpacked(*response);
  EXPECT_EQ(header["length"], 1);
  EXPECT_THAT(numbers, ElementsAre(0, 3, 5));
}

TEST_F(ApiProfileTest, GivesOperatorsByTypeAndByName) {
  const json types = Json(OperatorsResponse(Trace(), Get("/?by=type")));
  ASSERT_EQ(types["rows"].size(), 2U) << types;
  EXPECT_EQ(types["rows"][0]["type"], "MatMul");
  EXPECT_EQ(types["rows"][0]["count"], 2);
  EXPECT_EQ(types["rows"][0]["total"], 140'000);
  EXPECT_NEAR(types["rows"][0]["share"].get<double>(), 140.0 / 160, 1e-12);
  EXPECT_EQ(Json(OperatorsResponse(Trace(), Get("/?by=name&text=RELU")))["matched"], 1);
  EXPECT_EQ(Json(OperatorsResponse(Trace(), Get("/?by=name&type=Relu")))["rows"][0]["name"],
            "Relu");
  EXPECT_EQ(Json(OperatorsResponse(Trace(), Get("/?limit=1")))["rows"].size(), 1U);
}

TEST_F(ApiProfileTest, GivesStepsAndComparesThem) {
  const json steps = Json(StepsResponse(Trace(), Get("/")));
  EXPECT_EQ(steps["count"], 1) << steps;
  EXPECT_EQ(steps["total"][0], 100'000);
  EXPECT_EQ(steps["start"][0], 0);
  const json same = Json(ComparisonResponse(Trace(), Trace()));
  EXPECT_EQ(same["step_before"], same["step_after"]);
  EXPECT_EQ(same["operators"][0]["share"], 0);
}

// The second kernel is launched 90 us after the first ended: the host read a value of the device.
TEST_F(ApiProfileTest, SaysWhyADeviceWasIdle) {
  Write(R"([
    {"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":90,"dur":5,"args":{"correlation":1}},
    {"ph":"X","name":"gemm","cat":"kernel","pid":2,"tid":7,"ts":100,"dur":10,"args":{"correlation":1}},
    {"ph":"X","name":"aten::item","cat":"cpu_op","pid":1,"tid":1,"ts":100,"dur":100},
    {"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":200,"dur":5,"args":{"correlation":2}},
    {"ph":"X","name":"gemm","cat":"kernel","pid":2,"tid":7,"ts":205,"dur":10,"args":{"correlation":2}}
  ])");
  const json steps = Json(StepsResponse(Trace(), Get("/")));
  EXPECT_EQ(steps["use"]["total"], 115'000) << steps;
  EXPECT_EQ(steps["use"]["computing"], 20'000);
  EXPECT_EQ(steps["use"]["idle"], 95'000);
  EXPECT_EQ(steps["use"]["idle_causes"],
            json({{"for_host", 95'000}, {"between_kernels", 0}, {"other", 0}}));
  EXPECT_EQ(steps["host_while_idle"][0], json({{"doing", "reading_value"},
                                               {"time", 90'000},
                                               {"call", "aten::item"},
                                               {"call_time", 90'000}}));
}

TEST_F(ApiProfileTest, ShowsTheDataPipelineOfMindSpore) {
  ProfileStore corpus(FileSystem::Local(), {CorpusPath("profiler/mindspore_2_0")}, imports_);
  bool advised = false;
  for (const ListedProfile& listed : corpus.List()) {
    const auto read = Read(corpus, listed.id);
    const json data = Json(DataPipelineResponse(*read, Get("/")));
    advised = advised || !data["advice"].empty();
    if (data["advice"].empty()) continue;
    EXPECT_GT(data["operators"].size(), 1U);
    EXPECT_FALSE(data["advice"][0]["change"].get<std::string>().empty());
  }
  EXPECT_TRUE(advised) << "the slow generator of the corpus";
}

// Of the corpus only the slow generator has something wrong.
TEST_F(ApiProfileTest, SaysWhatCostsMostInWords) {
  ProfileStore corpus(FileSystem::Local(), {CorpusPath("profiler/mindspore_2_0")}, imports_);
  std::vector<std::string> said;
  for (const ListedProfile& listed : corpus.List()) {
    const auto read = Read(corpus, listed.id);
    const json summary = Json(ProfileSummaryResponse(*read, Get("/")));
    for (const json& finding : summary["findings"]) {
      EXPECT_GT(finding["share"], 0);
      EXPECT_FALSE(finding["what"].get<std::string>().empty());
      EXPECT_FALSE(finding["change"].get<std::string>().empty());
      said.push_back(listed.id + " " + finding["rule"].get<std::string>());
    }
  }
  EXPECT_THAT(said, ElementsAre(::testing::AllOf(HasSubstr("slow"), HasSubstr("data-wait"))));
}

// The table of steps and that of the kernels, which an NPU's profiler writes beside each other.
TEST_F(ApiProfileTest, SaysWhereTwoFilesOfAProfileDisagree) {
  const TempDir dir;
  const std::string folder = dir.File("a_ascend_pt/ASCEND_PROFILER_OUTPUT");
  std::filesystem::create_directories(folder);
  WriteFileOrDie(folder + "/step_trace_time.csv",
                 "Step,Computing,Communication(Not Overlapped),Communication,Free\n7,30,0,0,0\n");
  WriteFileOrDie(folder + "/kernel_details.csv",
                 "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"
                 "7,MatMul1,MatMul,AI_CORE,100,10\n");
  ProfileStore store(FileSystem::Local(), {dir.path()}, imports_);
  const auto read = Read(store, store.List().at(0).id);
  const json findings = Json(ProfileSummaryResponse(*read, Get("/")))["findings"];
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0]["rule"], "disagreement");
  EXPECT_THAT(findings[0]["evidence"].get<std::string>(),
              HasSubstr("computing of step 7: 0.03 ms in step_trace_time.csv, 0.01 ms in kernel_"));
}

// Every profile of the corpus, through every response.
TEST_F(ApiProfileTest, AnswersOfEveryProfileOfTheCorpus) {
  ProfileStore corpus(FileSystem::Local(), {CorpusPath("profiler")}, imports_);
  const auto listed = corpus.List();
  EXPECT_GE(listed.size(), 6U);
  for (const ListedProfile& one : listed) {
    const auto read = Read(corpus, one.id);
    for (const auto& response :
         {ProfileResponse(*read, Get("/")), OperatorsResponse(*read, Get("/")),
          StepsResponse(*read, Get("/")), DataPipelineResponse(*read, Get("/")),
          TimelineResponse(*read, Get("/")), SelectionResponse(*read, Get("/")),
          ProfileSummaryResponse(*read, Get("/"))})
      EXPECT_THAT(response, IsOk()) << one.id;
  }
}

}  // namespace
}  // namespace sightline::dashboard

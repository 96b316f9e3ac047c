// What the command of a run printed, over the interface.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/store/beneath_file_system.h"
#include "sightline/runs/console/console_times.h"
#include "sightline/tests/dashboard/recorded_directory.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::HasSubstr;

class ApiConsoleTest : public ::testing::Test {
 protected:
  ApiConsoleTest() {
    auto recorder = Recorder::Open(dir_.File("a"), {.formats = {Format::kTensorBoard}});
    const TaggedValue loss{(*recorder)->Intern("loss"), Value::Scalar(1)};
    (*recorder)->Record(10, 200, {&loss, 1});
    EXPECT_THAT((*recorder)->Close(), sightline::testing::IsOk());
    WriteFileOrDie(dir_.File("a/console.log"), "one\ntwo \xff\x1b[31m\nthree\n");
    WriteFileOrDie(dir_.File("a/.console.log.times"), ConsoleTime{0, 100}.Serialize() +
                                                          ConsoleTime{4, 150}.Serialize() +
                                                          ConsoleTime{15, 300}.Serialize());
    catalog_.Poll({});
    AddConsoleApi(service_, catalog_, FileSystem::Local());
  }
  Response Ask(const std::string& target) const {
    Request request;
    request.target = *ParseTarget("/api/v1/console" + target);
    request.host = "localhost";
    return service_.Handle(request);
  }
  json Console(const std::string& more = "") const {
    return json::parse(Ask("?run=a" + more).body);
  }

  TempDir dir_;
  Catalog catalog_{std::vector<std::string>{dir_.path()}};
  Service service_{ServiceOptions(), StaticFiles()};
};

TEST_F(ApiConsoleTest, LinesHaveTheirPlaceTimeAndText) {
  const json console = Console();
  EXPECT_EQ(console["size"], 21);
  EXPECT_EQ(console["running"], false);
  EXPECT_EQ(console["ranks"].dump(), "[null]");
  ASSERT_EQ(console["lines"].size(), 3U);
  EXPECT_EQ(console["lines"][0].dump(), R"({"cut":false,"offset":0,"text":"one","time":100.0})");
  EXPECT_EQ(console["lines"][1]["text"], "two \xef\xbf\xbd\x1b[31m");
  EXPECT_EQ(console["lines"][2]["time"], 300.0);
}

TEST_F(ApiConsoleTest, APlaceIsAByteATimeOrAStep) {
  EXPECT_EQ(Console()["at"], 21);
  EXPECT_EQ(Console("&around=5")["at"], 5);
  EXPECT_EQ(Console("&time=299")["at"], 4);
  EXPECT_EQ(Console("&step=3")["at"], 4);
  EXPECT_EQ(Ask("?run=a&step=11").status, 404U);
  EXPECT_EQ(Console("&from=5")["lines"][0]["offset"], 4);
  EXPECT_EQ(Console("&before=5")["lines"].size(), 1U);
}

TEST_F(ApiConsoleTest, ALineThatIsTooLongIsCut) {
  WriteFileOrDie(dir_.File("a/console.log"), std::string(100'000, 'x') + "\n");
  const json line = Console("&from=0&bytes=1000000")["lines"][0];
  EXPECT_EQ(line["cut"], true);
  EXPECT_EQ(line["text"].get<std::string>().size(), 65536U);
}

TEST_F(ApiConsoleTest, ATextIsFound) {
  EXPECT_EQ(json::parse(Ask("/find?run=a&text=TWO").body)["offset"], 4);
  EXPECT_EQ(json::parse(Ask("/find?run=a&text=three&before=21").body)["offset"], 15);
  EXPECT_TRUE(json::parse(Ask("/find?run=a&text=four").body)["offset"].is_null());
  EXPECT_EQ(Ask("/find?run=a").status, 400U);
  EXPECT_EQ(Ask("/find?run=a&text=o&from=1&before=2").status, 400U);
}

TEST_F(ApiConsoleTest, EachRankHasItsOwn) {
  WriteFileOrDie(dir_.File("a/console-rank3.log"), "of rank 3\n");
  EXPECT_EQ(Console()["ranks"].dump(), "[null,3]");
  EXPECT_EQ(Console("&rank=3")["lines"][0]["text"], "of rank 3");
  EXPECT_EQ(Ask("?run=a&rank=4").status, 404U);
}

TEST_F(ApiConsoleTest, NothingElseIsRead) {
  std::filesystem::remove(dir_.File("a/console.log"));
  const Response missing = Ask("?run=a");
  EXPECT_EQ(missing.status, 404U);
  EXPECT_THAT(missing.body, HasSubstr("there is no console"));
  EXPECT_EQ(Ask("?run=none").status, 404U);
}

}  // namespace
}  // namespace sightline::dashboard

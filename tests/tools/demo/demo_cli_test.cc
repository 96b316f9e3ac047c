// `sightline demo` as a user calls it.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline::demo {
namespace {

using ::sightline::testing::ReadFileOrDie;
using ::sightline::testing::ReadRun;
using ::sightline::testing::TempDir;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Calls the program in a directory of its own.
class DemoCommandTest : public ::testing::Test {
 protected:
  // The exit code.
  int Demo(const std::string& arguments) { return Run("demo " + arguments); }
  int Run(const std::string& arguments) {
    const std::string command =
        "cd " + dir.path() + " && " SIGHTLINE_PROGRAM " " + arguments + " >out 2>err";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  std::string Out() const { return ReadFileOrDie(dir.File("out")); }
  std::string Err() const { return ReadFileOrDie(dir.File("err")); }

  TempDir dir;
};

TEST_F(DemoCommandTest, RecordsIntoTheDirectoryNamed) {
  EXPECT_EQ(Demo("run --epochs 1 --overhead-pairs 0"), 0);
  EXPECT_THAT(Out(),
              AllOf(HasSubstr("recording every step to run;"), HasSubstr("epoch 1 of 1: loss ")));
  EXPECT_THAT(Err(), IsEmpty());
  EXPECT_THAT(ReadRun(dir.File("run")).mindspore, SizeIs(1));
  EXPECT_THAT(ReadRun(dir.File("run")).tensorboard, SizeIs(1));
}

TEST_F(DemoCommandTest, MakesADirectoryOfItsOwnWhenNoneIsNamed) {
  EXPECT_EQ(Demo("--epochs 1 --overhead-pairs 0"), 0);
  std::filesystem::directory_iterator runs(dir.File("sightline_demo"));
  ASSERT_NE(runs, std::filesystem::directory_iterator());
  EXPECT_THAT(ReadRun(runs->path().string()).mindspore, SizeIs(1));
}

TEST_F(DemoCommandTest, PrintsOneJsonObjectWhenAsked) {
  EXPECT_EQ(Demo("--dir run --epochs 1 --overhead-pairs 1 --formats mindspore --json"), 0);
  const auto json = nlohmann::json::parse(Out());
  EXPECT_EQ(json["directory"], "run");
  EXPECT_EQ(json["steps"], 44);
  EXPECT_EQ(json["dropped_values"], 0);
  EXPECT_GT(json["test_accuracy"], 0.5);
  EXPECT_TRUE(json["overhead"].contains("percent"));
  EXPECT_THAT(Err(), HasSubstr("recorded "));
  EXPECT_FALSE(std::filesystem::exists(dir.File("run.overhead")));
}

TEST_F(DemoCommandTest, TakesADirectoryBehindTheFormats) {
  EXPECT_EQ(Demo("--formats tensorboard run --epochs 1 --overhead-pairs 0"), 0);
  EXPECT_THAT(ReadRun(dir.File("run")).mindspore, IsEmpty());
}

TEST_F(DemoCommandTest, DumpsGraphsForSightlineIr) {
  EXPECT_EQ(Demo("run --epochs 1 --overhead-pairs 0 --save-graphs 1 --json"), 0);
  EXPECT_EQ(nlohmann::json::parse(Out())["graphs"],
            (nlohmann::json{{"path", "run/graphs"}, {"dumps", 5}}));
  EXPECT_EQ(Run("ir info run/graphs"), 0);
  EXPECT_THAT(Out(),
              AllOf(HasSubstr("00_parse_0000.ir"), HasSubstr("hwopt_final_graph_0_0004.ir")));
}

TEST_F(DemoCommandTest, EndsWithTwoWhenTheDirectoryIsNotEmpty) {
  std::filesystem::create_directories(dir.File("run/mine"));
  EXPECT_EQ(Demo("run"), 2);
  EXPECT_THAT(Err(), StartsWith("sightline demo: run is not empty"));
}

TEST_F(DemoCommandTest, EndsWithTwoForAWrongCommandLine) {
  EXPECT_EQ(Demo("--epochs 0"), 2);
  EXPECT_THAT(Err(), HasSubstr("--epochs"));
  EXPECT_EQ(Demo("--formats csv"), 2);
  EXPECT_THAT(Err(), HasSubstr("mindspore"));
}

TEST_F(DemoCommandTest, ExplainsItself) {
  EXPECT_EQ(Demo("--help"), 0);
  EXPECT_THAT(Out(), AllOf(HasSubstr("handwritten digits"), HasSubstr("Exit codes")));
}

}  // namespace
}  // namespace sightline::demo

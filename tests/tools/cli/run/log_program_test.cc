// sightline log, as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/console/console_times.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/cli/run/recorded_program.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Program;
using testing::Words;

class LogProgramTest : public testing::RecordedProgramTest {};

TEST_F(LogProgramTest, TheConsoleIsPrintedAsItIs) {
  const std::string colours = "\\033[31mred\\033[0m\\033[2J\\n";
  EXPECT_EQ(Start(On::kPipes, {"printf", colours}).Wait(), "exit 0");
  Program log(On::kPipes, {SIGHTLINE_PROGRAM, "log", "run"}, dir_.path());
  EXPECT_EQ(log.Read(), "\x1b[31mred\x1b[0m\x1b[2J\n");
  EXPECT_EQ(log.Wait(), "exit 0");
  Program shown(On::kTerminal, {SIGHTLINE_PROGRAM, "log", "run"}, dir_.path());
  EXPECT_EQ(shown.Read("\n"), "\x1b[31mred\x1b[0m\r\n");
  EXPECT_EQ(shown.Read(), "\x1b[0m");  // Of a command that was killed, a colour goes no further.
}

TEST_F(LogProgramTest, AConsoleIsFollowedUntilTheCommandHasEnded) {
  Program program = StartTalking(On::kPipes);
  program.Read("ready");
  Program log(On::kPipes, {SIGHTLINE_PROGRAM, "log", "-f", "run"}, dir_.path());
  log.Read("ready\n");
  program.Type("more\n");
  log.Read("heard more\n");
  program.Type("exit 0\n");
  EXPECT_EQ(program.Wait(), "exit 0");
  EXPECT_EQ(log.Wait(), "exit 0");
}

TEST_F(LogProgramTest, EachRankHasAConsole) {
  Words words = Recorded({"echo", "of rank 3"});
  words.insert(words.begin(), {"env", "RANK=3"});
  EXPECT_EQ(Program(On::kPipes, words, dir_.path()).Wait(), "exit 0");
  Program log(On::kPipes, {SIGHTLINE_PROGRAM, "log", "run", "--rank", "3"}, dir_.path());
  EXPECT_EQ(log.Read(), "of rank 3\n");
  Program only(On::kPipes, {SIGHTLINE_PROGRAM, "log", "run"}, dir_.path());
  EXPECT_EQ(only.Read(), "of rank 3\n");
  words[1] = "RANK=12";
  EXPECT_EQ(Program(On::kPipes, words, dir_.path()).Wait(), "exit 0");
  Program missing(On::kPipes, {SIGHTLINE_PROGRAM, "log", "run"}, dir_.path());
  EXPECT_THAT(missing.Errors(), HasSubstr("it has consoles of the ranks 3, 12; --rank takes one"));
  EXPECT_EQ(missing.Wait(), "exit 2");
}

TEST_F(LogProgramTest, TheLinesAroundAStepAreThoseOfItsTime) {
  const std::string folder = dir_.File("run");
  fs::create_directory(folder);
  std::ofstream(folder + "/console.log") << "one\ntwo\nthree\nfour\n";
  std::ofstream(folder + "/.console.log.times")
      << ConsoleTime{0, 100}.Serialize() << ConsoleTime{4, 200}.Serialize()
      << ConsoleTime{8, 300}.Serialize();
  auto recorder = Recorder::Open(folder, {.formats = {Format::kTensorBoard}});
  ASSERT_TRUE(recorder.has_value());
  const TaggedValue loss{(*recorder)->Intern("loss"), Value::Scalar(1)};
  (*recorder)->Record(10, 201, {&loss, 1});
  ASSERT_TRUE((*recorder)->Close().ok());
  const Words around = {SIGHTLINE_PROGRAM, "log", "run", "--lines", "1", "--around"};
  const auto log = [&](const std::string& step) {
    Words words = around;
    words.push_back(step);
    return Program(On::kPipes, words, dir_.path());
  };
  EXPECT_EQ(log("10").Read(), "one\ntwo\n");
  EXPECT_EQ(log("7").Read(), "one\ntwo\n");
  EXPECT_THAT(log("11").Errors(), HasSubstr("run recorded no scalar at step 11 or later"));
  fs::remove(folder + "/.console.log.times");
  EXPECT_THAT(log("10").Errors(), HasSubstr("when its lines were printed was not recorded"));
}

}  // namespace
}  // namespace sightline

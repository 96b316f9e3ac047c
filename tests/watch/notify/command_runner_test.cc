#include "sightline/watch/notify/command_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::watch {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::ReadFileOrDie;
using sightline::testing::TempDir;

constexpr std::chrono::seconds kPatience{60};

TEST(CommandRunnerTest, TheMessageIsOnStandardInput) {
  const TempDir dir;
  EXPECT_THAT(RunCommand({"tee", dir.File("got")}, "{\"id\": 1}\n", kPatience), IsOk());
  EXPECT_EQ(ReadFileOrDie(dir.File("got")), "{\"id\": 1}\n");
}

TEST(CommandRunnerTest, NoShellReadsTheWords) {
  const TempDir dir;
  EXPECT_THAT(RunCommand({"touch", dir.File("a; touch b $(id)")}, "", kPatience), IsOk());
  EXPECT_EQ(ReadFileOrDie(dir.File("a; touch b $(id)")), "");
}

TEST(CommandRunnerTest, ACommandThatDoesNotReadIsNotWaitedFor) {
  EXPECT_THAT(RunCommand({"true"}, std::string(1'000'000, 'x'), kPatience), IsOk());
}

TEST(CommandRunnerTest, FailuresAreNamed) {
  EXPECT_THAT(RunCommand({"false"}, "", kPatience),
              IsStatus(StatusCode::kUnavailable, "the command ended with 1"));
  EXPECT_THAT(RunCommand({"/no/such/program"}, "", kPatience),
              IsStatus(StatusCode::kNotFound, "cannot be started"));
  EXPECT_THAT(RunCommand({"sh", "-c", "kill -9 $$"}, "", kPatience),
              IsStatus(StatusCode::kUnavailable, "signal 9 ended the command"));
}

// What the command started ends, too: its output would stay open.
TEST(CommandRunnerTest, ACommandThatTakesTooLongIsKilledWithItsGroup) {
  EXPECT_THAT(RunCommand({"sh", "-c", "sleep 1000 & wait"}, "", std::chrono::milliseconds(50)),
              IsStatus(StatusCode::kUnavailable, "the command took more than"));
}

}  // namespace
}  // namespace sightline::watch

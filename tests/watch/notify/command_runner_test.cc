#include "sightline/watch/notify/command_runner.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>

#include "sightline/base/descriptor.h"
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

// What the command started ends, too: nobody has the other end of the pipe any more.
TEST(CommandRunnerTest, ACommandThatTakesTooLongIsKilledWithItsGroup) {
  const TempDir dir;
  const std::string pipe = dir.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  const Descriptor reader(open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_THAT(RunCommand({"sh", "-c", "sleep 1000 >" + pipe + " & wait"}, "",
                         std::chrono::milliseconds(300)),
              IsStatus(StatusCode::kUnavailable, "the command took more than"));
  pollfd ended = {reader.get(), POLLIN, 0};
  const auto patience = std::chrono::milliseconds(kPatience).count();
  char byte = 0;
  while (read(reader.get(), &byte, 1) < 0 && errno == EAGAIN)
    ASSERT_EQ(poll(&ended, 1, static_cast<int>(patience)), 1) << "it still runs";
}

}  // namespace
}  // namespace sightline::watch

#include "sightline/tools/cli/run/console_relay.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/descriptor.h"
#include "sightline/runs/console/console_times.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::ReadFileOrDie;
using testing::TempDir;
using Stage = ConsoleRelay::Stage;

// A pipe that a command has printed a text into and closed; it must fit into a pipe.
class Printed {
 public:
  explicit Printed(const std::string& text) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    EXPECT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(ends[1]);
    source_ = ends[0];
  }
  ~Printed() { close(source_); }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  int source() const { return source_; }

 private:
  int source_ = -1;
};

class ConsoleRelayTest : public ::testing::Test {
 protected:
  int Open(const std::string& name) const {
    return open(dir_.File(name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  }
  std::string Text(const std::string& name) const { return ReadFileOrDie(dir_.File(name)); }
  ConsoleRelay Make(std::vector<ConsoleRelay::Stream> streams, int console) {
    return {std::move(streams), {console}, [this](const std::string& line) { said_ += line; }};
  }

  const TempDir dir_;
  std::string said_;
};

// Lines of several pieces.
std::string Lines(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += "line " + std::to_string(i) + " \xff\n";
  return text;
}

TEST_F(ConsoleRelayTest, WhatIsPrintedIsRecordedAndPassedOn) {
  const std::string text = Lines(20'000);
  const Printed printed(text);
  const Descriptor target(Open("target"));
  const Descriptor console(Open("console"));
  ConsoleRelay relay = Make({{printed.source(), target.get()}}, console.get());
  relay.RelayToEnd();
  EXPECT_EQ(Text("target"), text);
  EXPECT_EQ(Text("console"), text);
}

// Each look takes so many seconds.
class StridingClock : public Clock {
 public:
  explicit StridingClock(double stride) : stride_(stride) {}
  double WallSeconds() const override { return now_ += stride_; }
  std::int64_t MonotonicNanos() const override { return 0; }

 private:
  const double stride_;
  mutable double now_ = 100;
};

TEST_F(ConsoleRelayTest, TimesAreRecordedOnceASecond) {
  for (const double stride : {0.5, 1.5}) {
    const StridingClock clock(stride);
    const std::string name = std::to_string(stride);
    const Printed out("first\n");
    const Printed err("second\n");
    const Descriptor target(Open("target"));
    const Descriptor console(Open("console" + name));
    const Descriptor times(Open("times" + name));
    ConsoleRelay(
        {{out.source(), target.get()}, {err.source(), target.get()}}, {console.get(), times.get()},
        [](const std::string&) {}, clock)
        .RelayToEnd();
    const std::string first = ConsoleTime{0, 100 + stride}.Serialize();
    const std::string second = ConsoleTime{6, 100 + 2 * stride}.Serialize();
    EXPECT_EQ(Text("times" + name), stride < 1 ? first : first + second);
  }
}

TEST_F(ConsoleRelayTest, TwoOutputsShareAConsoleAndKeepTheirTargets) {
  const Printed out("out\n");
  const Printed err("err\n");
  const Descriptor to_out(Open("out"));
  const Descriptor to_err(Open("err"));
  const Descriptor console(Open("console"));
  ConsoleRelay relay =
      Make({{out.source(), to_out.get()}, {err.source(), to_err.get()}}, console.get());
  relay.RelayToEnd();
  EXPECT_EQ(Text("out"), "out\n");
  EXPECT_EQ(Text("err"), "err\n");
  EXPECT_EQ(Text("console"), "out\nerr\n");
}

TEST_F(ConsoleRelayTest, AConsoleIsContinuedAtItsEnd) {
  testing::WriteFileOrDie(dir_.File("console"), "before\n");
  const Printed printed("after\n");
  const Descriptor target(Open("target"));
  const Descriptor console(Open("console"));
  Make({{printed.source(), target.get()}}, console.get()).RelayToEnd();
  EXPECT_EQ(Text("console"), "before\nafter\n");
}

TEST_F(ConsoleRelayTest, NothingIsLostOrRecordedTwiceWhereverAProcessIsKilled) {
  const std::string first = Lines(10'000);
  const std::string second = Lines(9'000);
  for (const Stage stage :
       {Stage::kRead, Stage::kNoted, Stage::kRecorded, Stage::kPassedOn, Stage::kDone}) {
    for (int passes = 0; passes < 3; ++passes) {
      SCOPED_TRACE(static_cast<int>(stage) * 10 + passes);
      const std::string name = std::to_string(static_cast<int>(stage)) + std::to_string(passes);
      const Printed out(first);
      const Printed err(second);
      const Descriptor target(Open("target" + name));
      const Descriptor error_target(Open("error" + name));
      const Descriptor console(Open("console" + name));
      ConsoleRelay relay =
          Make({{out.source(), target.get()}, {err.source(), error_target.get()}}, console.get());
      testing::InForkedChild([&] {
        relay.OnStage([&, left = passes](Stage reached) mutable {
          if (reached == stage && left-- == 0) kill(getpid(), SIGKILL);
        });
        relay.RelayToEnd();
      });
      relay.TakeOver();
      relay.RelayToEnd();
      EXPECT_EQ(Text("target" + name), first);
      EXPECT_EQ(Text("error" + name), second);
      EXPECT_EQ(Text("console" + name), first + second);
    }
  }
}

TEST_F(ConsoleRelayTest, AFullDiskEndsTheRecordingWithOneLine) {
  const std::string text = Lines(20'000);
  const Printed printed(text);
  const Printed more("more\n");
  const Descriptor target(Open("target"));
  const Descriptor full(open("/dev/full", O_RDWR | O_CLOEXEC));
  ConsoleRelay relay =
      Make({{printed.source(), target.get()}, {more.source(), target.get()}}, full.get());
  relay.RelayToEnd();
  EXPECT_EQ(Text("target"), text + "more\n");
  EXPECT_THAT(said_, ::testing::HasSubstr("No space left on device"));
  EXPECT_EQ(said_.find("recorded"), said_.rfind("recorded"));
}

TEST_F(ConsoleRelayTest, ATargetThatIsClosedDoesNotEndTheRecording) {
  signal(SIGPIPE, SIG_IGN);
  const std::string text = Lines(20'000);
  const Printed printed(text);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  const Descriptor closed(ends[1]);
  const Descriptor console(Open("console"));
  ConsoleRelay relay = Make({{printed.source(), closed.get()}}, console.get());
  relay.RelayToEnd();
  EXPECT_EQ(Text("console"), text);
}

TEST_F(ConsoleRelayTest, ATargetThatDoesNotBlockGetsEverything) {
  const std::string text = Lines(60'000);
  const Printed printed(text);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  ConsoleRelay relay = Make({{printed.source(), ends[1]}}, -1);
  const pid_t child = fork();
  if (child == 0) {
    relay.RelayToEnd();
    _exit(0);
  }
  close(ends[1]);
  std::string passed_on;
  char bytes[4096];
  for (ssize_t got = 0; (got = read(ends[0], bytes, sizeof(bytes))) > 0;)
    passed_on.append(bytes, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(passed_on, text);
}

// As of a process in the background that goes on printing.
TEST_F(ConsoleRelayTest, WhatIsThereIsRelayedWhileOthersMayStillPrint) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(write(ends[1], "there\n", 6), 6);
  const Descriptor target(Open("target"));
  ConsoleRelay relay = Make({{ends[0], target.get()}}, -1);
  relay.RelayWhatIsThere();
  EXPECT_EQ(Text("target"), "there\n");
  EXPECT_FALSE(relay.AtEnd());
  close(ends[1]);
  relay.RelayWhatIsThere();
  EXPECT_TRUE(relay.AtEnd());
  close(ends[0]);
}

}  // namespace
}  // namespace sightline

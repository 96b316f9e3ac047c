// sightline tail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::Lines;
using testing::Ran;
using testing::RunProgram;
using testing::TempDir;

// A recorder whose values stay in its journal until it is closed.
Result<std::unique_ptr<Recorder>> Record(const std::string& directory) {
  RecorderOptions options;
  options.writing.flush_interval = std::chrono::hours(1);
  return Recorder::Open(directory, options);
}

// `sightline tail -f --json RUN`, whose lines are read as they come.
class Follower {
 public:
  explicit Follower(const std::string& run) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      execl(SIGHTLINE_PROGRAM, "sightline", "tail", "-f", "--json", run.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    lines_ = fdopen(ends[0], "r");
  }
  ~Follower() {
    std::fclose(lines_);
    if (pid_ > 0) Wait();
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // "<tag> <step> <value>" of the next line; empty where the program ended.
  std::string Next() {
    char line[1000];
    if (std::fgets(line, sizeof(line), lines_) == nullptr) return "";
    const auto json = nlohmann::json::parse(line);
    return json["tag"].get<std::string>() + " " + json["step"].dump() + " " + json["value"].dump();
  }
  void Signal(int signal) const { kill(pid_, signal); }
  // As of waitpid.
  int Wait() {
    int status = -1;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
  std::FILE* lines_ = nullptr;
};

TEST(TailProgramTest, PrintsTheLastPoints) {
  const TempDir dir;
  {
    auto recorder = Record(dir.path());
    ASSERT_THAT(recorder, IsOk());
    for (std::int64_t step = 1; step <= 20; ++step) {
      (*recorder)->AddScalar("loss", step, 0.1);
      (*recorder)->AddScalar("acc", step, 1);
    }
    ASSERT_THAT((*recorder)->Close(), IsOk());
  }
  const Ran ran = RunProgram({"tail", "-n", "2", "--tags", "^lo", dir.path()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "        19  loss  0.1\n        20  loss  0.1\n");
  const auto lines = Lines(RunProgram({"tail", "--json", dir.path()}).out);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines.back()["step"], 20);
  EXPECT_TRUE(lines.back().contains("wall_time"));
  // A run that is over ends -f too.
  EXPECT_EQ(RunProgram({"tail", "-f", dir.path()}).exit_code, 0);
}

TEST(TailProgramTest, FollowsARecorderUntilItCloses) {
  const TempDir dir;
  auto recorder = Record(dir.path());
  ASSERT_THAT(recorder, IsOk());
  Follower follower(dir.path());
  for (std::int64_t step = 1; step <= 5; ++step) {
    (*recorder)->AddScalar("loss", step, 0.5);
    EXPECT_EQ(follower.Next(), "loss " + std::to_string(step) + " 0.5");
  }
  (*recorder)->AddScalar("acc", 5, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(follower.Next(), "acc 5 \"nan\"");
  ASSERT_THAT((*recorder)->Close(), IsOk());
  EXPECT_EQ(follower.Next(), "");
  const int status = follower.Wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(TailProgramTest, WaitsForTheFirstFileAndEndsAsItsSignalDoes) {
  const TempDir dir;
  Follower follower(dir.path());
  auto recorder = Record(dir.path());
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 0.5);
  EXPECT_EQ(follower.Next(), "loss 1 0.5");
  follower.Signal(SIGINT);
  const int status = follower.Wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

TEST(TailProgramTest, SaysWhatIsWrong) {
  const Ran missing = RunProgram({"tail", "-f", CorpusPath("mindspore/none")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("mindspore/none"));
  const TempDir empty;
  const Ran none = RunProgram({"tail", empty.path()});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no event files"));
  const Ran expression = RunProgram({"tail", "--tags", "(", empty.path()});
  EXPECT_EQ(expression.exit_code, 2);
  EXPECT_THAT(expression.err, HasSubstr("--tags (: not a regular expression of RE2"));
}

}  // namespace
}  // namespace sightline

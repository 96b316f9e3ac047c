// sightline watch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::Ran;
using testing::RunProgram;
using testing::TempDir;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A recorder whose values stay in its journal until it is closed.
std::unique_ptr<Recorder> Record(const std::string& directory) {
  RecorderOptions options;
  options.writing.flush_interval = std::chrono::hours(1);
  return *Recorder::Open(directory, options);
}

// `sightline watch --json` of a folder, whose lines are read as they come.
class Watcher {
 public:
  Watcher(const std::string& root, const std::string& state, std::vector<std::string> rules) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      std::vector<std::string> words = {"sightline", "watch", root,          "--json",
                                        "--state",   state,   "--index-dir", state + ".index"};
      for (const std::string& rule : rules) words.insert(words.end(), {"--on", rule});
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      execv(SIGHTLINE_PROGRAM, arguments.data());
      _exit(127);
    }
    close(ends[1]);
    lines_ = fdopen(ends[0], "r");
  }
  ~Watcher() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    std::fclose(lines_);
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  pid_t pid() const { return pid_; }
  nlohmann::json Next() {
    char line[4000];
    if (std::fgets(line, sizeof(line), lines_) == nullptr) return nullptr;
    return nlohmann::json::parse(line);
  }

 private:
  pid_t pid_ = -1;
  std::FILE* lines_ = nullptr;
};

class WatchProgramTest : public ::testing::Test {
 protected:
  WatchProgramTest() { std::filesystem::create_directory(root_); }

  Ran Watch(std::vector<std::string> words) const {
    words.insert(words.begin(), "watch");
    return RunProgram(words);
  }

  const TempDir dir_;
  const std::string root_ = dir_.File("runs");
  const std::string state_ = dir_.File("state.json");
};

TEST_F(WatchProgramTest, WhatBeginsIsALineOfJson) {
  const auto recorder = Record(root_ + "/lenet");
  recorder->AddScalar("loss", 7, kNan);
  Watcher watcher(root_, state_, {"nan"});
  const nlohmann::json event = watcher.Next();
  EXPECT_EQ(event["what"], "began");
  EXPECT_EQ(event["rule"], "nan");
  EXPECT_EQ(event["run"], "lenet");
  EXPECT_EQ(event["directory"], root_ + "/lenet");
  EXPECT_EQ(event["text"], "loss is nan at step 7");
  EXPECT_EQ(event["tag"], "loss");
  EXPECT_EQ(event["ranks"], nlohmann::json::array({0}));
  EXPECT_EQ(event["step"], 7);
}

TEST_F(WatchProgramTest, ARestartDoesNotRepeatWhatWasSaid) {
  auto recorder = Record(root_ + "/lenet");
  recorder->AddScalar("loss", 7, kNan);
  {
    Watcher watcher(root_, state_, {"nan", "finished"});
    EXPECT_EQ(watcher.Next()["rule"], "nan");
  }
  EXPECT_THAT(recorder->Close(), IsOk());  // While nobody watches.
  Watcher watcher(root_, state_, {"nan", "finished"});
  EXPECT_EQ(watcher.Next()["rule"], "finished");
}

TEST_F(WatchProgramTest, ARunWhoseProgramIsKilledIsTold) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t training = fork();
  if (training == 0) {
    const auto recorder = Record(root_ + "/lenet");
    recorder->AddScalar("loss", 7, 1);
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  close(ready[1]);
  Watcher watcher(root_, state_, {"killed", "last_step >= 7"});
  EXPECT_EQ(watcher.Next()["rule"], "last_step >= 7");  // It looks.
  kill(training, SIGKILL);
  waitpid(training, nullptr, 0);
  const nlohmann::json event = watcher.Next();
  EXPECT_EQ(event["rule"], "killed");
  EXPECT_EQ(event["step"], 7);
}

TEST_F(WatchProgramTest, ASecondWatchOfTheSameStateEndsAndNamesTheFirst) {
  const auto recorder = Record(root_ + "/lenet");
  recorder->AddScalar("loss", 7, kNan);
  Watcher watcher(root_, state_, {"nan"});
  watcher.Next();
  const Ran ran = Watch({root_, "--on", "nan", "--state", state_});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err,
              HasSubstr("process " + std::to_string(watcher.pid()) + " watches these already"));
}

TEST_F(WatchProgramTest, WhatCannotBeWatchedIsNamed) {
  const auto error = [this](const std::vector<std::string>& words) {
    const Ran ran = Watch(words);
    EXPECT_EQ(ran.exit_code, 2);
    return ran.err;
  };
  EXPECT_THAT(error({root_, "--on", "staled"}),
              HasSubstr("--on: there is no rule staled; did you mean stalled?"));
  EXPECT_THAT(error({root_, "--on", "nan", "--where", "lr >"}), HasSubstr("--where"));
  EXPECT_THAT(error({dir_.File("none"), "--on", "nan", "--state", state_}),
              HasSubstr(dir_.File("none")));
  EXPECT_THAT(error({root_}), HasSubstr("--on"));
  EXPECT_THAT(error({root_, "--on", "nan", "--notify", "team", "--targets", dir_.File("no.json")}),
              HasSubstr("--notify: " + dir_.File("no.json")));
}

}  // namespace
}  // namespace sightline

// The fixture of the tests of journal_replay.h: recorders are killed in a directory of their own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_replay.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {

// A directory in which recorders are killed, and the replay of what they leave.
class JournalReplayTest : public ::testing::Test {
 protected:
  template <typename Body>
  void KillAfter(Body&& body, const std::string& journal_dir = "", const Host* host = nullptr) {
    const int status = testing::InForkedChild([&] {
      RecorderOptions options;
      options.writing.host = host;
      options.writing.flush_interval = std::chrono::hours(1);
      options.writing.journal_dir = journal_dir;
      auto recorder = Recorder::Open(dir_.path(), options);
      if (!recorder) _exit(1);
      body(**recorder);
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
  }

  ReplaySummary Replay() {
    return ReplayJournals(dir_.path(), FileSystem::Local(), Clock::System(), faults_);
  }

  std::string OnlyJournal() {
    const auto journals = FindJournals(dir_.path(), FileSystem::Local());
    EXPECT_EQ(journals.size(), 1);
    return journals.empty() ? "" : journals.front();
  }

  std::vector<std::string> Summary() {
    return testing::RecordedRun::Values(testing::ReadRun(dir_.path()).mindspore);
  }

  testing::TempDir dir_;
  FaultLog faults_;
};

}  // namespace sightline

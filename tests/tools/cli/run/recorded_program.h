// Programs that `sightline run` records, for tests: on pipes and on terminals, with signals and
// keys.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline::testing {

inline constexpr int kPatienceMilliseconds = 60'000;  // For what a right program does at once.
inline constexpr char kTalking[] = SIGHTLINE_TALKING_COMMAND;
using Words = std::vector<std::string>;

[[noreturn]] inline void Become(Words words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  _exit(127);
}

// A program in a process group of its own, and what it prints.
class Program {
 public:
  enum class On : std::uint8_t { kPipes, kTerminal };

  Program(On where, const Words& words, const std::string& directory) {
    int in[2];
    int out[2];
    int err[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC) + pipe2(out, O_CLOEXEC) + pipe2(err, O_CLOEXEC), 0);
    winsize size = {.ws_row = 30, .ws_col = 90, .ws_xpixel = 0, .ws_ypixel = 0};
    process_ = where == On::kTerminal ? forkpty(&terminal_, nullptr, nullptr, &size) : fork();
    if (process_ == 0) {
      for (int number = 1; number < 32; ++number) signal(number, SIG_DFL);
      if (chdir(directory.c_str()) != 0) _exit(127);
      for (const char* name : {"SIGHTLINE_RUN", "SIGHTLINE_DISABLE", "SIGHTLINE_CAPTURE",
                               "SLURM_JOB_ID", "RANK", "PYTHONPATH"})
        unsetenv(name);
      if (where == On::kPipes) {
        setpgid(0, 0);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
      }
      Become(words);
    }
    for (const int end : {in[0], out[1], err[1]}) close(end);
    in_ = in[1];
    out_ = out[0];
    err_ = err[0];
    if (where == On::kTerminal) {
      close(in_);
      in_ = out_ = terminal_;
    } else {
      setpgid(process_, process_);
    }
  }
  ~Program() {
    if (process_ > 0) {
      kill(-process_, SIGKILL);
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(in_);
    if (out_ != in_) close(out_);
    close(err_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t process() const { return process_; }
  int terminal() const { return terminal_; }
  void Type(const std::string& text) const {
    EXPECT_EQ(write(in_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // On a terminal, the terminal goes away.
  void CloseInput() {
    if (in_ == out_) out_ = -1;
    close(std::exchange(in_, -1));
  }
  // Reads until `text` was printed since the last call, or to the end if it is empty. Returns what
  // was printed.
  std::string Read(const std::string& text = "") {
    while (text.empty() || unread_.find(text) == unread_.npos) {
      pollfd ready = {out_, POLLIN, 0};
      if (poll(&ready, 1, kPatienceMilliseconds) != 1) {
        ADD_FAILURE() << "still waiting for " << text << "; printed: " << unread_;
        break;
      }
      char bytes[4096];
      const ssize_t got = read(out_, bytes, sizeof(bytes));
      if (got <= 0) {
        if (!text.empty()) ADD_FAILURE() << "ended before " << text << "; printed: " << unread_;
        break;
      }
      unread_.append(bytes, static_cast<std::size_t>(got));
    }
    const std::size_t end = text.empty() ? unread_.size() : unread_.find(text) + text.size();
    std::string printed = unread_.substr(0, end);
    unread_.erase(0, end);
    return printed;
  }
  std::string Errors() const {
    std::string text;
    char bytes[4096];
    for (ssize_t got = 0; (got = read(err_, bytes, sizeof(bytes))) > 0;)
      text.append(bytes, static_cast<std::size_t>(got));
    return text;
  }
  // "exit 0", "signal 15" or "stopped", whichever comes next.
  std::string Wait() {
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, WUNTRACED), process_);
    if (WIFSTOPPED(status)) return "stopped";
    process_ = -1;
    return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                               : "exit " + std::to_string(WEXITSTATUS(status));
  }

 private:
  pid_t process_ = -1;
  int terminal_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string unread_;
};

class RecordedProgramTest : public ::testing::Test {
 protected:
  using On = Program::On;

  static Words Recorded(const Words& command) {
    Words words = {SIGHTLINE_PROGRAM, "run", "--dir", "run", "--"};
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }
  Program Start(On where, const Words& command) const {
    return {where, Recorded(command), dir_.path()};
  }
  // That command, which is ready.
  Program StartTalking(On where) const { return {where, Recorded({kTalking}), dir_.path()}; }
  std::string Console() const { return ReadFileOrDie(dir_.File("run/console.log")); }

  static pid_t FirstChildOf(pid_t process) {
    const std::string number = std::to_string(process);
    std::ifstream file("/proc/" + number + "/task/" + number + "/children");
    pid_t child = -1;
    EXPECT_TRUE(file >> child);
    return child;
  }
  // It is started before the command.
  static pid_t RecorderOf(const Program& program) { return FirstChildOf(program.process()); }

  const TempDir dir_;
};

}  // namespace sightline::testing

// CountersProcess: the child that records what a command runs on and what it uses. It is a Recorder
// in the run's folder: with its session come the facts of collectors/facts, and every few seconds
// the values of CommandCounters, whose step is the time since the command began, in seconds. At the
// end comes command/exit_code, as a shell has it: that of a signal is 128 more than its number.
//
// If the child is killed, its records stay, and nothing else happens. If this process is killed,
// the child goes on until the command ends. One thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "sightline/base/descriptor.h"

namespace sightline {

class CountersProcess {
 public:
  CountersProcess(std::string folder, std::vector<std::string> command)
      : folder_(std::move(folder)), command_(std::move(command)) {}

  // Starts the child, unless it cannot be. `command`: the process.
  void Start(pid_t command);
  // The command has ended; `status` is that of waitpid(2). Waits for the child, but not longer than
  // kMostMilliseconds: it may end after this process.
  void Finish(int status);
  static constexpr int kMostMilliseconds = 300;

 private:
  [[noreturn]] void RunChild(pid_t command, int parent) const;

  std::string folder_;
  std::vector<std::string> command_;
  std::optional<Descriptor> to_child_;
};

}  // namespace sightline

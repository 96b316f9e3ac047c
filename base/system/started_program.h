// Starts other programs, and waits for them. Any thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

struct ProgramStart {
  std::vector<std::string> variables = {};  // "NAME=value", added to the environment.
  int input = -1;                           // Descriptors; -1: /dev/null.
  int output = -1;
};

// Starts `arguments`, whose first one is looked up in PATH, in a process group of its own and with
// the signals of a fresh process. Its errors go nowhere. Somebody must wait for it.
Result<pid_t> StartProgram(std::vector<std::string> arguments, const ProgramStart& start);

// The status of waitpid(2) once it has ended. None if it did not end in time, for which it and its
// group are killed, or if SIGCHLD is ignored, so that nobody learns how it ended.
std::optional<int> WaitForProgram(pid_t program, std::chrono::milliseconds patience);

}  // namespace sightline

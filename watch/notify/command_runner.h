// Runs a command with data on its standard input. Any thread; the call waits for the command.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline::watch {

// Runs the program command[0] (looked up in PATH) with the arguments after it, without a shell.
// What it prints is dropped. OK if it ends with 0 within `patience`; else it and the processes of
// its group are killed, or its exit code is in the message.
Status RunCommand(const std::vector<std::string>& command, std::string_view input,
                  std::chrono::milliseconds patience);

}  // namespace sightline::watch

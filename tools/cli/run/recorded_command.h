// RunRecorded: runs a command as if there were nothing between it and whoever started it, and
// records what it prints.
//
// This process waits for the command; a child of it, the recorder, passes on what the command
// prints. If either is killed, the command goes on and so does its output: the recorder needs
// nobody, and this process does the recorder's work once that has ended. Both are outside the
// command's process group, so that signals to the group reach the command once, and nothing else.
// On a terminal, the command has one of its own, and this process stays where the keys are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sightline/tools/cli/run/console_relay.h"

namespace sightline {

// Returns the command's exit code once it has ended and what it printed until then was passed on;
// 127 or 126 if it cannot be started, as a shell does. If a signal ended the command, it ends this
// process. What processes in the background print afterwards is still recorded and passed on.
//
// `files`: closed on exec. What the command runs on is recorded in `folder` (CountersProcess).
// Without a console nothing is recorded, but all the rest is done.
// REQUIRES: this process has one thread, and handles no signals.
int RunRecorded(std::vector<std::string> command, std::string folder, ConsoleFiles files);

// Becomes the command. Returns 127 or 126 if it cannot be started.
int Exec(std::vector<std::string> command);

}  // namespace sightline

// The verbs that run a command and record it, and that print what it printed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sightline {

// Takes what follows "--" away from the program's arguments, if they are those of `run`: these are
// the command's words, in which nothing is an option of ours. Empty: there is none.
std::vector<std::string> TakeCommand(int& argc, char** argv);

void AddLogCommand(CLI::App& app, int& exit_code);
void AddRunCommand(CLI::App& app, int& exit_code, std::vector<std::string> command);

}  // namespace sightline

// The program's verbs, one file each: cmd_<verb>.cc. Each adds its sub-command to the command line;
// when it was called, `exit_code` is what the program ends with.
//
// To add a verb: a file with an Add...Command function, a line here, one in main.cc, one in
// docs/cli.md.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline {

// Exit codes of every verb; documented in docs/cli.md.
inline constexpr int kExitOk = 0;
// Done, but some bytes of the input were damaged and skipped.
inline constexpr int kExitDamage = 1;
// Not done: an input cannot be read, or the command line is wrong.
inline constexpr int kExitError = 2;

void AddCatCommand(CLI::App& app, int& exit_code);
void AddCompletionCommand(CLI::App& app, int& exit_code);
void AddDemoCommand(CLI::App& app, int& exit_code);
void AddExportCommand(CLI::App& app, int& exit_code);
void AddInfoCommand(CLI::App& app, int& exit_code);
void AddIrCommand(CLI::App& app, int& exit_code);
void AddLsCommand(CLI::App& app, int& exit_code);
void AddLandscapeCommand(CLI::App& app, int& exit_code);
void AddPlanCommand(CLI::App& app, int& exit_code);
void AddRecoverCommand(CLI::App& app, int& exit_code);
void AddServeCommand(CLI::App& app, int& exit_code);
void AddStartCommand(CLI::App& app, int& exit_code);
void AddStopCommand(CLI::App& app, int& exit_code);
void AddTailCommand(CLI::App& app, int& exit_code);
void AddUrlCommand(CLI::App& app, int& exit_code);
void AddProfileCommand(CLI::App& app, int& exit_code);
void AddVerifyCommand(CLI::App& app, int& exit_code);

}  // namespace sightline

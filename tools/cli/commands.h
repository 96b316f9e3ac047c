// The program's verbs that belong to no room. A verb is a file cmd_<verb>.cc, which adds its
// sub-command to the command line; after it was called, `exit_code` holds what the program ends
// with.
//
// To add a verb: write a file with an Add...Command function in the room that it belongs to,
// declare it in that room's header (run_commands.h, serve_commands.h, cmd_ir.h, ...), and add a
// line to main.cc and a section to docs/cli.md.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline {

void AddCompletionCommand(CLI::App& app, int& exit_code);
void AddDemoCommand(CLI::App& app, int& exit_code);
void AddPlanCommand(CLI::App& app, int& exit_code);

}  // namespace sightline

// The verbs that read recorded runs, and keep them in order. Each is a file cmd_<verb>.cc.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline {

void AddCatCommand(CLI::App& app, int& exit_code);
void AddCompareCommand(CLI::App& app, int& exit_code);
void AddExportCommand(CLI::App& app, int& exit_code);
void AddImportCommand(CLI::App& app, int& exit_code);
void AddInfoCommand(CLI::App& app, int& exit_code);
void AddLsCommand(CLI::App& app, int& exit_code);
void AddMvCommand(CLI::App& app, int& exit_code);
void AddRecoverCommand(CLI::App& app, int& exit_code);
void AddRmCommand(CLI::App& app, int& exit_code);
void AddTailCommand(CLI::App& app, int& exit_code);
void AddTrashCommand(CLI::App& app, int& exit_code);
void AddVerifyCommand(CLI::App& app, int& exit_code);
void AddWatchCommand(CLI::App& app, int& exit_code);

}  // namespace sightline

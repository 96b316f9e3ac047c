// The verbs that start, stop and find the dashboard. cmd_serve.cc has them.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline {

void AddServeCommand(CLI::App& app, int& exit_code);
void AddStartCommand(CLI::App& app, int& exit_code);
void AddStopCommand(CLI::App& app, int& exit_code);
void AddUrlCommand(CLI::App& app, int& exit_code);

}  // namespace sightline

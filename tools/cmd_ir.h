// What the verbs below `sightline ir` share. Each is a file cmd_ir_<verb>.cc.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sightline/ir/module.h"
#include "sightline/recorder/status.h"

namespace sightline {

void AddIrInfoCommand(CLI::App& ir, int& exit_code);
void AddIrShowCommand(CLI::App& ir, int& exit_code);
void AddIrStatsCommand(CLI::App& ir, int& exit_code);

// A file stands for itself, a folder for the dumps in it, in the order of their running numbers,
// which is that of writing.
Result<std::vector<std::string>> IrFiles(const std::string& path);

// A dump; an error where the file cannot be read, or nothing in it is of a dump.
Result<ir::Module> ReadDump(const std::string& path);

// "line 3, column 7: ..."
std::string ToText(const ir::Problem& problem);

}  // namespace sightline

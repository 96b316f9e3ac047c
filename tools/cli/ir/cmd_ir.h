// What the verbs below `sightline ir` share. Each is a file cmd_ir_<verb>.cc.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/node_filter.h"

namespace sightline {

void AddIrCommand(CLI::App& app, int& exit_code);
void AddIrAnonymizeCommand(CLI::App& ir, int& exit_code);
void AddIrBlameCommand(CLI::App& ir, int& exit_code);
void AddIrCallsCommand(CLI::App& ir, int& exit_code);
void AddIrCompareCommand(CLI::App& ir, int& exit_code);
void AddIrDiffCommand(CLI::App& ir, int& exit_code);
void AddIrDotCommand(CLI::App& ir, int& exit_code);
void AddIrFailCommand(CLI::App& ir, int& exit_code);
void AddIrGrepCommand(CLI::App& ir, int& exit_code);
void AddIrInfoCommand(CLI::App& ir, int& exit_code);
void AddIrShowCommand(CLI::App& ir, int& exit_code);
void AddIrStatsCommand(CLI::App& ir, int& exit_code);
void AddIrTimelineCommand(CLI::App& ir, int& exit_code);

// Where dumps are read from. Every verb opens paths through it.
FileSystem& DumpFiles();

// The file itself, or the dumps of a folder and of the folders that belong to it, in the order of
// writing. kNotFound for a folder without dumps.
Result<std::vector<std::string>> IrFiles(const std::string& path);

// A folder with the figures of its dumps. kInvalidArgument for a file, kNotFound for a folder
// without dumps.
Result<ir::Folder> ReadDumpFolder(const std::string& path);

// "73 actors" or "4 sections" for a dump of actors; empty for other dumps.
std::string ActorCount(const ir::DumpFigures& figures);

// Parses --attr KEY or KEY=VALUE, unless `option` is empty.
void SetAttribute(const std::string& option, ir::NodeFilter& filter);

}  // namespace sightline

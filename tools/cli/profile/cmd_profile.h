// Declarations that the verbs of `sightline profile` share. Each verb is a file
// cmd_profile_<verb>.cc.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/model/profile.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

void AddProfileCommand(CLI::App& app, int& exit_code);
void AddProfileClusterCommand(CLI::App& profile, int& exit_code);
void AddProfileCompareCommand(CLI::App& profile, int& exit_code);
void AddProfileDataCommand(CLI::App& profile, int& exit_code);
void AddProfileExportCommand(CLI::App& profile, int& exit_code);
void AddProfileFlameCommand(CLI::App& profile, int& exit_code);
void AddProfileInfoCommand(CLI::App& profile, int& exit_code);
void AddProfileMemoryCommand(CLI::App& profile, int& exit_code);
void AddProfileOpsCommand(CLI::App& profile, int& exit_code);
void AddProfileSqlCommand(CLI::App& profile, int& exit_code);
void AddProfileStepsCommand(CLI::App& profile, int& exit_code);
void AddProfileSummaryCommand(CLI::App& profile, int& exit_code);

// Options of every verb that reads one profile.
struct ProfileOptions {
  std::string path;
  std::optional<std::int64_t> rank;
  std::uint64_t memory_limit = 0;  // Bytes; 0: none.
  bool json = false;

  // PATH, --rank, --memory-limit and --json, the last with this help.
  void AddTo(CLI::App& command, const std::string& json_help);
};

// Keeps the memory of profiles below the limit, 0 for none. The first limit holds until the program
// ends.
Status KeepBelow(std::uint64_t memory_limit);

// Reads the profile. If parts cannot be read, names them on standard error and sets `exit_code` to
// kExitDamage. If nothing can be read, returns no value and sets kExitError. The memory limit of
// the first profile holds until the program ends.
std::optional<profiler::Profile> OpenProfile(const ProfileOptions& options, int& exit_code);

// "1.234 s", "12.3 ms", "4.5 us", "17 ns"
std::string FormatDuration(std::int64_t nanoseconds);
std::string FormatDuration(double nanoseconds);
// "12.3 %" of a share of 0..1.
std::string FormatShare(double share);
// Microseconds of nanoseconds, for JSON.
double Microseconds(std::int64_t nanoseconds);

// Numbered, three lines each; empty for none.
std::string FindingsText(const std::vector<profiler::Finding>& findings, const Style& style);

}  // namespace sightline

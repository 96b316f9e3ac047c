// The runs that `rm` and `mv` are given, and what they print of the plan. One thread.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/runs/keeping/move_plan.h"

namespace sightline {

struct MoveVerbOptions {
  std::vector<std::string> paths;
  std::string where;
  bool yes = false;
  bool whole = false;
  bool json = false;
};
// Adds RUN, of which `runs` says what it is, and the options. They live as long as the command.
void AddMoveOptions(CLI::App& command, const char* runs, MoveVerbOptions& options);

// Without a query, each path is one run; an error names what else it is. With one, each is a
// directory above runs, and the runs that fit are chosen; what was read is kept in the index.
Result<std::vector<LocatedRun>> LocateRuns(const std::vector<std::string>& paths,
                                           const std::string& where);

// A new name for what one call moves: the time, and a few random digits.
std::string NewMoveId(const Clock& clock);

// The sum of what the moves that are not refused take.
struct MoveTotal {
  std::uint64_t runs = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t refused = 0;
};
MoveTotal TotalOf(const std::vector<PlannedMove>& moves);
// "2 runs (15 files, 1.2 GB)"
std::string TotalText(const MoveTotal& total);

// A table of the moves, then what stays in the runs' directories and which runs are refused.
std::string MovesText(const std::vector<PlannedMove>& moves);
// {"directory", "files", "bytes", "notes", "paths", "left"}, and "within" or "refused".
nlohmann::ordered_json MoveJson(const PlannedMove& move);

}  // namespace sightline

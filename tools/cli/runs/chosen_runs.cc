#include "sightline/tools/cli/runs/chosen_runs.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <random>
#include <system_error>
#include <utility>

#include "sightline/base/byte_size.h"
#include "sightline/base/file_system.h"
#include "sightline/base/trimmed.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamed = 5;

Result<RunGroup> OpenGroup(const std::string& path) {
  RunGroupOptions options;
  options.leave_large_unchecked = true;
  options.index_folder = DefaultIndexFolder();
  return RunGroup::Open({path}, options);
}

// The run that a person named by its directory, and those below it.
Result<std::vector<LocatedRun>> LocateOne(const std::string& path) {
  std::error_code error;
  std::string plain = path;
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  if (fs::is_symlink(fs::symlink_status(plain, error))) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} is a link; name the directory that it leads to", path));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup group, OpenGroup(path));
  std::vector<LocatedRun> located;
  for (const auto& run : group.runs()) located.push_back({run, path, run->name() == "."});
  if (located.empty())
    return Error(StatusCode::kNotFound, std::string(Trimmed(NothingFound({path}))));
  const bool any =
      std::any_of(located.begin(), located.end(), [](const LocatedRun& one) { return one.chosen; });
  if (!any) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} is not a run, but holds {}; name the runs, or choose some of them "
                             "with --where (all: --where true)",
                             path, Count(located.size(), "run")));
  }
  return located;
}

Result<std::vector<LocatedRun>> LocateFitting(const std::string& path, const std::string& where) {
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, OpenGroup(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup fitting, group.Where(where));
  std::vector<LocatedRun> located;
  for (const auto& run : group.runs()) {
    const bool fits =
        std::find(fitting.runs().begin(), fitting.runs().end(), run) != fitting.runs().end();
    located.push_back({run, path, fits});
  }
  (void)group.WriteIndex();
  return located;
}

}  // namespace

void AddMoveOptions(CLI::App& command, const char* runs, MoveVerbOptions& options) {
  command.add_option("RUN", options.paths, runs)->required();
  command.add_option("--where", options.where, "The runs in and below RUN that this query fits");
  command.add_flag("--yes", options.yes, "Move them; without it, only say what would move");
  command.add_flag("--whole", options.whole,
                   "Also files and folders that no recorder wrote, such as scripts and settings");
  command.add_flag("--json", options.json, "One JSON object: each run with files, bytes, reason");
}

Result<std::vector<LocatedRun>> LocateRuns(const std::vector<std::string>& paths,
                                           const std::string& where) {
  std::vector<LocatedRun> all;
  std::map<std::string, std::size_t> known;  // By the real path; two paths may hold the same run.
  for (const std::string& path : paths) {
    SIGHTLINE_ASSIGN_OR_RETURN(auto located,
                               where.empty() ? LocateOne(path) : LocateFitting(path, where));
    for (LocatedRun& one : located) {
      std::error_code error;
      const auto real = fs::canonical(one.run->directory(), error).string();
      const auto [at, is_new] = known.emplace(real, all.size());
      if (is_new) {
        all.push_back(std::move(one));
      } else if (one.chosen && !all[at->second].chosen) {
        all[at->second] = std::move(one);
      }
    }
  }
  return all;
}

std::string NewMoveId(const Clock& clock) {
  const auto seconds = static_cast<std::time_t>(clock.WallSeconds());
  return fmt::format("{:%Y%m%dT%H%M%S}-{:04x}", fmt::gmtime(seconds),
                     std::random_device()() & 0xFFFFU);
}

MoveTotal TotalOf(const std::vector<PlannedMove>& moves) {
  MoveTotal total;
  for (const PlannedMove& move : moves) {
    if (!move.refused.ok()) {
      ++total.refused;
      continue;
    }
    ++total.runs;
    if (!move.within.empty()) continue;
    total.files += move.extent.files;
    total.bytes += move.extent.bytes;
  }
  return total;
}

std::string TotalText(const MoveTotal& total) {
  return fmt::format("{} ({}, {})", Count(total.runs, "run"), Count(total.files, "file"),
                     FormatByteSize(total.bytes));
}

std::string MovesText(const std::vector<PlannedMove>& moves) {
  Table table({{"run", Table::Align::kLeft},
               {"files", Table::Align::kRight},
               {"size", Table::Align::kRight},
               {"notes", Table::Align::kRight}},
              0);
  std::string rest;
  bool any = false;
  for (const PlannedMove& move : moves) {
    const std::string name = Printable(move.run->directory());
    if (!move.refused.ok()) {
      rest += fmt::format("refused: {}\n", Printable(move.refused.message()));
      continue;
    }
    any = true;
    if (!move.within.empty()) {
      table.AddRow({name, "", "", "goes with " + Printable(move.within)});
      continue;
    }
    table.AddRow({name, fmt::to_string(move.extent.files), FormatByteSize(move.extent.bytes),
                  move.notes.empty() ? "" : fmt::to_string(move.notes.size())});
    if (!move.extent.left.empty()) {
      rest += fmt::format("stays: {} (--whole takes what is not another run)\n",
                          Printable(Listed(move.extent.left, kNamed)));
    }
  }
  return (any ? table.ToString(Style(stdout)) : "") + rest;
}

nlohmann::ordered_json MoveJson(const PlannedMove& move) {
  nlohmann::ordered_json json = {{"directory", move.run->directory()}};
  if (!move.refused.ok()) {
    json["refused"] = move.refused.message();
  } else if (!move.within.empty()) {
    json["within"] = move.within;
  } else {
    json["files"] = move.extent.files;
    json["bytes"] = move.extent.bytes;
    json["notes"] = move.notes.size();
    json["paths"] = move.extent.paths;
    json["left"] = move.extent.left;
  }
  return json;
}

}  // namespace sightline

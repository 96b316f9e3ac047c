#include "sightline/runs/console/run_console.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "sightline/runs/console/console_files.h"
#include "sightline/runs/model/counters.h"

namespace sightline {
namespace {

std::string FolderOfCommand(const Run& run) {
  const auto found = run.lineage().find("run.folder");
  if (found == run.lineage().end()) return {};
  const auto* const text = std::get_if<std::string>(&found->second);
  return text == nullptr ? "" : *text;
}

bool IsOfWandb(const Run& run) {
  return std::any_of(run.files().begin(), run.files().end(),
                     [](const RunFile& file) { return file.kind == EventFileKind::kWandb; });
}

}  // namespace

std::string RunConsole::Path(std::optional<std::int64_t> rank) const {
  return JoinPath(folder, name.empty() ? ConsoleName(rank) : name);
}

Result<RunConsole> ConsoleIn(FileSystem& files, const std::string& folder) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto entries, files.List(folder));
  RunConsole console{folder, ConsoleRanks(entries)};
  if (!console.ranks.empty()) return console;
  return Error(StatusCode::kNotFound,
               folder + ": there is no console in it; `sightline run -- COMMAND` records one");
}

Result<RunConsole> ConsoleOf(FileSystem& files, const Run& run) {
  auto own = ConsoleIn(files, run.directory());
  const std::string folder = FolderOfCommand(run);
  if (own) return own;
  if (folder.empty() || folder == run.directory()) {
    RunConsole other{JoinPath(run.directory(), "files"), {std::nullopt}, "output.log"};
    if (IsOfWandb(run) && files.Stat(other.Path(std::nullopt))) return other;
    return own;
  }
  auto of_command = ConsoleIn(files, folder);
  if (of_command) return of_command;
  return Error(of_command.error().code(), "the console of this run is in " + folder + ", but " +
                                              std::string(of_command.error().message()));
}

std::optional<double> TimeOfStep(const Run& run, std::int64_t step) {
  std::optional<double> time;
  for (const auto& series : run.series()) {
    if (!series->is_scalar() || IsOfCommand(series->key().tag)) continue;
    if (series->last_step() < step) continue;  // Its points are not loaded for that.
    const auto unloaded = series->Unloaded();
    const Series& read = unloaded == nullptr ? *series : *unloaded;
    const std::size_t at = read.LowerBound(step);
    const double recorded = read.wall_times()[at];
    if (!std::isfinite(recorded)) continue;
    if (read.steps()[at] == step) return recorded;
    time = std::min(time.value_or(recorded), recorded);
  }
  return time;
}

}  // namespace sightline

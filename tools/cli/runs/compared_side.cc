#include "sightline/tools/cli/runs/compared_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/runs/compare/logged_scalars.h"
#include "sightline/runs/console/console_files.h"
#include "sightline/runs/console/run_console.h"
#include "sightline/runs/model/counters.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr std::size_t kShownRuns = 5;
constexpr std::size_t kPiece = std::size_t{1} << 20U;
// A trainer_state.json is read whole; that of 100,000 entries has some 20 MB.
constexpr std::uint64_t kMostJsonBytes = std::uint64_t{256} << 20U;

Result<std::string> ReadWhole(const ReadableFile& file, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file.Size());
  if (size > kMostJsonBytes) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{}: {} bytes are too many for a trainer_state.json", path, size));
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file.ReadAt(0, text));
  text.resize(got);
  return text;
}

Result<Comparand> ReadLog(const std::string& path, const std::string& name,
                          const std::string& pattern) {
  SIGHTLINE_ASSIGN_OR_RETURN(LoggedScalars scalars, LoggedScalars::Make(pattern));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, FileSystem::Local().OpenForRead(path));
  if (path.ends_with(".json")) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, ReadWhole(*file, path));
    return ReadTrainerState(text, name);
  }
  std::string piece(kPiece, '\0');
  for (std::uint64_t at = 0;;) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file->ReadAt(at, piece));
    if (got == 0) break;
    const std::string_view whole = piece;
    scalars.Read(whole.substr(0, got));
    at += got;
  }
  Comparand side = scalars.Finish(name);
  if (side.tags.empty()) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("{}: no line of MindFormers or Megatron is in it{}; --pattern finds other "
                    "lines, and of event files the directory is named",
                    path, pattern.empty() ? "" : ", and none that --pattern finds"));
  }
  return side;
}

// And not only of its command and the machine.
bool HasScalarsOfItsOwn(const Run& run) {
  return std::any_of(run.series().begin(), run.series().end(), [](const auto& series) {
    return series->is_scalar() && !IsOfCommand(series->key().tag);
  });
}

Result<Comparand> RunBelow(const std::string& path, const std::string& pattern) {
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup group,
                             RunGroup::Open({path}, {.leave_large_unchecked = true}));
  std::vector<std::shared_ptr<const Run>> runs;
  for (const auto& run : group.runs())
    if (HasScalarsOfItsOwn(*run)) runs.push_back(run);
  if (runs.empty()) {
    const auto console = ConsoleIn(FileSystem::Local(), path);
    if (console) {
      const std::string log = JoinPath(path, ConsoleName(console->ranks.front()));
      SIGHTLINE_ASSIGN_OR_RETURN(Comparand side, ReadLog(log, path, pattern));
      if (!group.runs().empty()) side.lineage = group.runs().front()->lineage();
      return side;
    }
    std::string nothing = NothingFound({path});
    while (nothing.ends_with('\n')) nothing.pop_back();
    return Error(StatusCode::kNotFound, nothing);
  }
  if (runs.size() > 1) {
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (const auto& run : runs) names.push_back(run->name());
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} holds {}: name one of them ({})", path, Count(names.size(), "run"),
                             Listed(names, kShownRuns)));
  }
  return ComparandOf(runs.front(), path);
}

}  // namespace

Result<Comparand> OpenComparand(const std::string& path, const std::string& pattern) {
  const auto info = FileSystem::Local().Stat(path);
  if (info && !info->is_directory) return ReadLog(path, path, pattern);
  return RunBelow(path, pattern);
}

}  // namespace sightline

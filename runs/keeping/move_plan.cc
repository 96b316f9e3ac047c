#include "sightline/runs/keeping/move_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/base/system/file_lock.h"
#include "sightline/landscape/journal/point_journal.h"
#include "sightline/recorder/writing/journal_owner.h"
#include "sightline/runs/keeping/folder_access.h"
#include "sightline/runs/keeping/moved_notes.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {
namespace {

std::string RealPath(const std::string& path) {
  std::error_code error;
  return std::filesystem::canonical(path, error).string();
}

// What the parts of a run are, or the run itself.
std::vector<const Run*> PartsOf(const Run& run) {
  std::vector<const Run*> parts;
  for (const RunPart& part : run.parts()) parts.push_back(part.run.get());
  if (parts.empty()) parts.push_back(&run);
  return parts;
}

Status Refuse(std::string message) { return {StatusCode::kFailedPrecondition, std::move(message)}; }

// A run whose directories are known, below the root's real path if no link leads to them.
struct Located {
  const LocatedRun* from;
  std::string root;           // Real.
  std::string directory;      // Real, of the run.
  std::set<std::string> own;  // Real, of its parts and itself.
  bool through_link = false;
};

Located Locate(const LocatedRun& from) {
  Located located{&from, RealPath(from.root), RealPath(from.run->directory()), {}, false};
  std::vector<std::string> given = {from.run->directory()};
  for (const Run* part : PartsOf(*from.run)) given.push_back(part->directory());
  for (const std::string& directory : given) {
    std::string real = RealPath(directory);
    std::string_view below = directory;
    below.remove_prefix(std::min(below.size(), from.root.size()));
    while (below.starts_with('/')) below.remove_prefix(1);
    if (real.empty() || real != PathBelow(located.root, below)) located.through_link = true;
    located.own.insert(std::move(real));
  }
  return located;
}

Status CheckPlace(const Located& located, const std::string& folder) {
  if (located.through_link) {
    return Refuse(fmt::format("{} is reached through a link; name the directory that it leads to",
                              located.from->run->directory()));
  }
  for (const auto& part : std::filesystem::path(located.directory)) {
    if (part == kTrashFolder)
      return Refuse(located.directory + " is in a trash; `sightline trash` restores and deletes");
  }
  if (!IsOnSameDisk(folder, located.directory)) {
    return Refuse(fmt::format("{} is on another file system than {}, where its trash would be",
                              located.directory, folder));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return ErrnoStatus("cannot write into " + folder, errno);
  return {};
}

// A folder that moves into another one must be writable itself.
Status CheckWritable(const std::string& folder, const RunExtent& extent) {
  for (const std::string& path : extent.paths) {
    const std::string full = PathBelow(folder, path);
    for (const std::string& one : {DirectoryOf(full), full}) {
      std::error_code error;
      const bool is_folder =
          std::filesystem::is_directory(std::filesystem::symlink_status(one, error));
      if (is_folder && access(one.c_str(), W_OK | X_OK) != 0)
        return ErrnoStatus("cannot write into " + one, errno);
    }
  }
  return {};
}

void AddTo(ExtentRequest& request, const Located& located) {
  for (const std::string& own : located.own) request.own.insert(PathFrom(request.folder, own));
  for (const Run* part : PartsOf(*located.from->run)) {
    const std::string directory = PathFrom(request.folder, RealPath(part->directory()));
    for (const RunFile& file : part->files()) {
      if (!file.foreign_type.empty()) continue;
      request.recorded.insert(PathBelow(directory, BaseName(file.path)));
      if (IsTranslated(file.kind)) request.made.insert(directory);
    }
  }
}

// What goes with the run at `index`. Runs that move as well and lie below it may go with it.
ExtentRequest RequestFor(const std::vector<Located>& all, const std::vector<bool>& moves,
                         std::size_t index, const std::string& folder, bool whole) {
  const Located& run = all[index];
  ExtentRequest request;
  request.folder = folder;
  request.run = PathFrom(folder, run.directory);
  request.whole = whole;
  AddTo(request, run);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == index) continue;
    if (moves[i] && IsAtOrBelow(all[i].directory, run.directory)) AddTo(request, all[i]);
    for (const std::string& own : all[i].own) {
      if (!moves[i] && IsAtOrBelow(own, run.directory) && !run.own.contains(own))
        request.others.insert(PathFrom(folder, own));
    }
  }
  return request;
}

bool Covers(const PlannedMove& move, const std::string& directory) {
  return std::any_of(move.extent.paths.begin(), move.extent.paths.end(), [&](const auto& path) {
    return IsAtOrBelow(directory, PathBelow(move.folder, path));
  });
}

}  // namespace

Status CheckNotRecording(const Run& run, const Clock& clock) {
  FileSystem& files = FileSystem::Local();
  for (const Run* part : PartsOf(run)) {
    const std::string& directory = part->directory();
    for (const LeftJournal& journal : ListJournals(files, directory)) {
      if (journal.owner == JournalOwner::kLives)
        return {StatusCode::kUnavailable, directory + " is being recorded"};
      if (journal.owner == JournalOwner::kElsewhere) {
        return {StatusCode::kUnavailable,
                fmt::format("{}: another machine wrote {}, and only that machine can tell whether "
                            "its recorder lives; if it has ended, `sightline recover "
                            "--other-machines` completes the run",
                            directory, BaseName(journal.path))};
      }
    }
    const RunState state = part->State(clock);
    if (state == RunState::kRunning || state == RunState::kStalled) {
      return {StatusCode::kUnavailable,
              fmt::format("{} is being recorded (it is {})", directory, RunStateName(state))};
    }
    const auto points = landscape::ListPointJournals(files, directory);
    for (const std::string& path : points ? *points : std::vector<std::string>()) {
      if (IsLocked(path))
        return {StatusCode::kUnavailable, directory + ": a landscape is being computed there"};
    }
  }
  return {};
}

std::vector<PlannedMove> PlanMoves(const std::vector<LocatedRun>& runs,
                                   const MoveOptions& options) {
  std::vector<Located> all;
  std::vector<bool> moves;
  std::vector<PlannedMove> planned(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Located& located = all.emplace_back(Locate(runs[i]));
    PlannedMove& move = planned[i];
    move.run = runs[i].run;
    move.folder = located.directory == located.root ? DirectoryOf(located.root) : located.root;
    if (move.folder.empty()) move.folder = "/";
    move.directory = PathFrom(move.folder, located.directory);
    if (runs[i].chosen) move.refused = CheckPlace(located, move.folder);
    if (runs[i].chosen && move.refused.ok())
      move.refused = CheckNotRecording(*runs[i].run, *options.clock);
    moves.push_back(runs[i].chosen && move.refused.ok());
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!moves[i]) continue;
    PlannedMove& move = planned[i];
    auto extent = FindExtent(RequestFor(all, moves, i, move.folder, options.whole));
    move.refused = extent ? CheckWritable(move.folder, *extent) : extent.error();
    if (extent) move.extent = *std::move(extent);
    if (!move.refused.ok()) continue;
    move.notes = NotesAbout(move.folder, move.directory, move.extent.paths);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = 0; j < runs.size() && moves[i]; ++j) {
      if (i == j || !moves[j] || !planned[j].refused.ok() || !planned[j].within.empty()) continue;
      if (all[i].directory != all[j].directory && IsAtOrBelow(all[i].directory, all[j].directory) &&
          Covers(planned[j], all[i].directory))
        planned[i].within = planned[j].run->directory();
    }
  }
  std::vector<PlannedMove> chosen;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].chosen) chosen.push_back(std::move(planned[i]));
  return chosen;
}

TrashRecord RecordOf(const PlannedMove& move, std::string id, const Clock& clock) {
  TrashRecord record;
  record.id = std::move(id);
  record.time = clock.WallSeconds();
  record.run = move.directory;
  record.paths = move.extent.paths;
  record.notes = move.notes;
  record.files = move.extent.files;
  record.bytes = move.extent.bytes;
  return record;
}

}  // namespace sightline

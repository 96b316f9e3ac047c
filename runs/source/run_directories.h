// Finds the runs below a directory once: every directory in and below it that holds event files of
// either dialect. A run's name is its path below the directory ("." for the directory itself), as
// in MindInsight and TensorBoard.
//
// Private to this repository. Plain functions, callable from any thread.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/source/stamped_source.h"

namespace sightline {

struct RunDirectory {
  std::string name;
  std::string path;
  std::vector<StampedSource> sources;             // In reading order.
  bool may_have_journals = true;                  // Whether it had some when it was listed.
  std::vector<std::string> killed_sessions = {};  // Those that are marked (killed_mark.h).
  std::vector<std::string> fact_sessions = {};    // Those that say what they ran on.
};

// The file that says what a session ran on (docs/runs.md) has this name; the session's id is
// between. It is written once.
inline constexpr char kRunFactsPrefix[] = ".sightline-run-";
inline constexpr char kRunFactsSuffix[] = ".json";

// The folder of runs that were moved to the trash (runs/keeping/trash.h) has this name. What is in
// it is not found below another directory.
inline constexpr char kTrashFolder[] = ".sightline-trash";

// What one directory holds now. An error if it cannot be listed.
Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path);
// The same for a directory whose entries were just listed.
Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path,
                                      const std::vector<std::string>& entries);

// The runs in and below `directory`, sorted by name. Directories are followed kMaxRunDepth deep,
// and one that is its own ancestor, through a link, is not entered. Those below `directory` that
// disappear, or may not be read, are left out, and so are files that are not event files, with a
// line for each in `notes`. kResourceExhausted for more than 1,000,000 directories.
Result<std::vector<RunDirectory>> FindRunDirectories(FileSystem& file_system,
                                                     const std::string& directory,
                                                     std::vector<std::string>* notes = nullptr);
inline constexpr int kMaxRunDepth = 100;

// The event files that `path` stands for: the file itself, or those in and below a directory.
// kNotFound if there are none. `notes` as above.
Result<std::vector<EventSource>> EventSourcesAt(FileSystem& file_system, const std::string& path,
                                                std::vector<std::string>* notes = nullptr);

}  // namespace sightline

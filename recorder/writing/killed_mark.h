// Marks of killed sessions. A journal shows that its recorder was killed; `sightline recover`
// completes the files and removes the journal, and leaves a mark instead, so that the run still
// counts as killed. A mark is a hidden file in the run's directory, named by the session.
//
// Plain functions, callable from any thread.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline {

inline constexpr char kKilledMarkPrefix[] = ".sightline-killed-";  // The session's id follows.

Status MarkKilled(FileSystem& file_system, const std::string& directory,
                  const std::string& session_id);
Status RemoveKilledMark(FileSystem& file_system, const std::string& directory,
                        const std::string& session_id);

// The ids of the marked sessions, from the names of a directory's entries.
std::vector<std::string> KilledSessions(const std::vector<std::string>& entries);

}  // namespace sightline

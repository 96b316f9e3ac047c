// The sessions of a run: each recorder that was opened in its directory is one session, over all
// its files. A session that resumes from a step supersedes the values that were recorded before for
// that step and later ones (docs/event_file.md, "Resumed runs").
//
// Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/recorder/reading/event_decode.h"

namespace sightline {

struct RunSession {
  Session session;  // From its first file.
  // Its values of this step and later ones do not count, since a later session recorded them again.
  std::optional<std::int64_t> superseded_from = std::nullopt;
};

struct RunSessions {
  std::vector<RunSession> sessions;  // In the order of their first files.
  // The same for each file, including files without a session.
  std::vector<std::optional<std::int64_t>> superseded_from;
};

// Finds out which sessions supersede others. `files` has the session of each file of a directory,
// in reading order; none for files of other programs.
RunSessions ResolveSessions(const std::vector<std::optional<Session>>& files);

}  // namespace sightline

// The sessions of a run: each recorder that was opened in its directory is one, over all its files.
// A session that resumed from a step supersedes what was recorded of that step and later ones
// before (docs/event_file.md, "Resumed runs").
//
// Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/recorder/reading/event_decode.h"

namespace sightline {

struct RunSession {
  Session session;  // As its first file says.
  // Its values of this step and later ones do not count, since a later session recorded them anew.
  std::optional<std::int64_t> superseded_from = std::nullopt;
};

struct RunSessions {
  std::vector<RunSession> sessions;  // In the order of their first files.
  // The same for each file, those without a session included.
  std::vector<std::optional<std::int64_t>> superseded_from;
};

// `files`: the session of each file of a directory, in reading order; none for those of other
// programs.
RunSessions ResolveSessions(const std::vector<std::optional<Session>>& files);

}  // namespace sightline

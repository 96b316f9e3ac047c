// Which sessions a run's directory holds: the first record of each of our event files says by whom
// it was written.
//
// Plain functions, callable from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_reader.h"

namespace sightline {

// The session of the file that `reader` stands at the beginning of. Nothing where the first event
// has none: a file of another program, a lineage file, one that cannot be read.
std::optional<Session> ReadSession(EventReader& reader);

// The id of the session of `rank` whose files are read last among those of `directory`, but for the
// sessions `live`; empty where there is none. Reads the first record of the files after it.
std::string FindNewestSession(FileSystem& file_system, const std::string& directory, int rank,
                              const std::vector<std::string>& live);

}  // namespace sightline

// Finds the sessions in a run's directory. The first record of each event file that a Recorder
// wrote names its session.
//
// Plain functions; may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_reader.h"

namespace sightline {

// Returns the session in the first event of a file. No value if that event has none: another
// program wrote the file, or it cannot be read. REQUIRES: `reader` is at the beginning of the file.
std::optional<Session> ReadSession(EventReader& reader);

// Returns the id of the newest session of `rank` in `directory`, without the sessions `live`. It is
// the session of the file that is read last (ReadsBefore); an id that no Recorder makes is passed
// over. Empty if there is none. Reads the first record of that file and of those that are read
// after it.
std::string FindNewestSession(FileSystem& file_system, const std::string& directory, int rank,
                              const std::vector<std::string>& live);

}  // namespace sightline

// Event sources with the stamps of their files. Private to runs/.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/file_stamp.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/source/event_source.h"

namespace sightline {

struct StampedSource : EventSource {
  FileStamp stamp;  // Taken when it was listed; empty if the file is in a journal only.
};

// ListEventSources for a directory whose entries were just listed as `names`.
Result<std::vector<StampedSource>> ListStampedSources(FileSystem& file_system,
                                                      const std::string& directory,
                                                      const std::vector<std::string>& names);

}  // namespace sightline

// Records a finished landscape in a run's files.
#pragma once

#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline::landscape {

// Records it at step 0 in new event files in `directory`. Returns when they survive a power loss.
// Any thread.
Status RecordLandscape(FileSystem& file_system, const std::string& directory,
                       const std::string& tag, const LossLandscape& landscape);

}  // namespace sightline::landscape

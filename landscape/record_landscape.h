// A finished landscape in a run's files.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline::landscape {

// Records it at step 0 in new event files in `directory`. Blocks until they are written; any
// thread.
Status RecordLandscape(const std::string& directory, const std::string& tag,
                       const LossLandscape& landscape);

}  // namespace sightline::landscape

// The file that a verb's option -o names.
#pragma once

#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// Writes `text` to `path`. A file there is replaced in one step, and is unchanged if that fails or
// a signal ends the program before. A link or a device, such as /dev/stdout, is not replaced: what
// it leads to is overwritten. Main thread.
Status WriteOutput(const std::string& path, std::string_view text);

}  // namespace sightline

// The machine's name. Any thread.
#pragma once

#include <string>

namespace sightline {

// Returns what gethostname(2) says, at most 255 bytes of it; empty if it fails.
std::string HostName();

}  // namespace sightline

// Locks of files, as flock(2) makes them. Any thread.
#pragma once

#include <string>

namespace sightline {

// Whether a process holds a lock of this file. It is looked up in /proc/locks; if it is not listed
// there (other containers), this tries a shared lock and gives it back at once. False if there is
// no such file.
bool IsLocked(const std::string& path);

}  // namespace sightline

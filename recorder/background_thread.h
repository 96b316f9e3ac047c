// Threads of the library: named for the tools that list them, and with every signal blocked, so
// that the program's own threads go on receiving its signals.
#pragma once

#include <functional>
#include <thread>

namespace sightline {

// `name`: at most 15 characters (the kernel's limit).
std::thread StartBackgroundThread(const char* name, std::function<void()> run);

}  // namespace sightline

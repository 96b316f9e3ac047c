// Threads of the library: named for the tools that list them, and with every signal blocked, so
// that the program's own threads go on receiving its signals; and of the policy SCHED_BATCH, so
// that one that wakes leaves the processor to whoever has it: a training step in the middle of
// recording was taken off its processor by the very thread that it woke. Unlike a nice value, that
// leaves the thread its whole share of the time.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace sightline {

// `name`: at most 15 characters (the kernel's limit).
std::thread StartBackgroundThread(std::string name, std::function<void()> run);

}  // namespace sightline

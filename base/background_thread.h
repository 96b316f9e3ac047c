// Threads of the library. They have names, for the tools that list threads, and block every signal,
// so that the program's own threads receive its signals. Their policy is SCHED_BATCH: a thread that
// wakes up does not take the processor from the training step that woke it. Unlike a nice value,
// this leaves the thread its whole share of the time.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "sightline/base/status.h"

namespace sightline {

// `name`: at most 15 characters (the kernel's limit). kResourceExhausted if the system has no
// thread to give, as under RLIMIT_NPROC; the caller's signal mask is then unchanged, too.
Result<std::thread> StartBackgroundThread(const std::string& name, std::function<void()> run);

}  // namespace sightline

// Runs independent pieces of work on several threads. Any thread.
//
//   ForEachInParallel(files.size(), 0, [&](std::size_t i) { contents[i] = Read(files[i]); });
#pragma once

#include <cstddef>
#include <functional>

namespace sightline {

// The number of the machine's cores, at least 1.
unsigned CoreCount();

// Calls work(i) once for each i < count, in any order, on `threads` threads (0: one for each core),
// the caller's included; returns when all calls have returned. If the system has no thread to give,
// the caller's thread does everything. If a call throws, no further calls begin, and the first
// exception is rethrown.
void ForEachInParallel(std::size_t count, unsigned threads,
                       const std::function<void(std::size_t)>& work);

}  // namespace sightline

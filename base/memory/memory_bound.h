// What of a MemoryLimit readers may fill with what no limit can move to a file: names and tables.
#pragma once

#include <cstdint>

namespace sightline {

// How many things of `bytes` each may be held: half of the limit that is set (MemoryLimit in
// column_memory.h). Without a limit, as many as there are. Callable from any thread.
std::uint64_t MostInMemory(std::uint64_t bytes);

}  // namespace sightline

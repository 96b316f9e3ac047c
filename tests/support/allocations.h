// Counts allocations, for claims that a call makes none, or takes no more memory than its input
// justifies. Linking allocations.cc replaces operator new of the whole program.
#pragma once

#include <cstdint>

namespace sightline::testing {

std::uint64_t AllocationsOfThisThread();
// What all threads asked for so far, also where it was given back: its growth is at least what was
// alive at once.
std::uint64_t AllocatedBytes();

}  // namespace sightline::testing

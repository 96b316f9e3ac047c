// Counts the allocations of a thread, for claims that a call makes none. Linking allocations.cc
// replaces operator new of the whole program.
#pragma once

#include <cstdint>

namespace sightline::testing {

std::uint64_t AllocationsOfThisThread();

}  // namespace sightline::testing

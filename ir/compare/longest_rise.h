// The longest rising part of a sequence: what can stay in place while the rest is moved.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::ir {

// Returns for each number whether it is in the longest rising part; if there are several, in one of
// them. REQUIRES: the numbers are all different. The time is that of sorting.
std::vector<bool> LongestRise(const std::vector<std::uint32_t>& numbers);

}  // namespace sightline::ir

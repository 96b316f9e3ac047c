// What can stay where it is when the rest is moved: the longest part of a sequence that rises.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::ir {

// REQUIRES: the numbers are all different. For each whether it is in the longest rising part; of
// several as long one is taken. Time is that of sorting.
std::vector<bool> LongestRise(const std::vector<std::uint32_t>& numbers);

}  // namespace sightline::ir

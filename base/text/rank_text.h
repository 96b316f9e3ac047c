// The numbers of ranks as people read them. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sightline {

// "rank 4", "ranks 4, 11, 96 to 103": ranks that follow each other are one range. After six numbers
// and ranges, the others are counted: "ranks 0, 2, 4, 6, 8, 10 and 506 more". REQUIRES: `ranks` are
// ascending, without repetitions, and not empty.
std::string RankText(std::span<const std::int32_t> ranks);

}  // namespace sightline

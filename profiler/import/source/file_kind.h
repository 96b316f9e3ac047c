// What a file is that somebody took for a profile.
#pragma once

#include <string_view>

namespace sightline::profiler {

// Says what a file that begins so is, and what to do with it: "it is empty", "it is a zip archive:
// unpack it". Empty for everything else, such as a profile. The longest beginning that is needed
// has 64 bytes.
std::string_view KindOfFile(std::string_view begin);

}  // namespace sightline::profiler

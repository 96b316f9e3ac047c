// The library's version, "major.minor.patch". It has one source: project() in the top
// CMakeLists.txt.
#pragma once

#include <string_view>

namespace sightline {

std::string_view Version();

}  // namespace sightline

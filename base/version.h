// The library's version, "major.minor.patch". It has one source: project() in the top
// CMakeLists.txt.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

std::string_view Version();

// The commit that a release was built from, else empty (tools/release.sh).
std::string_view Commit();

// The compiler and the C++ and C libraries whose headers it used: "Clang 14.0.6, libstdc++
// 20220513, glibc 2.36".
std::string ToolChain();

}  // namespace sightline

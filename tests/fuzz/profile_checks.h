// What must be true of whatever is imported as a profile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::fuzz {

// Imports a file of this name with these bytes, checks that no event is lost, and runs every
// analysis on it.
void CheckProfile(const std::string& path, std::string_view bytes);

}  // namespace sightline::fuzz

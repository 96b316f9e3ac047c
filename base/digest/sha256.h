// SHA-256. Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// The 32 bytes.
std::string Sha256(std::string_view bytes);
// 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace sightline

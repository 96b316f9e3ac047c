// SHA-256, as text. Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace sightline

// Base64 (RFC 4648, with padding). Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

std::string Base64(std::string_view bytes);

}  // namespace sightline

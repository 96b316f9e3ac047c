// The types of media by their first bytes, since files may name a wrong one.
#pragma once

#include <string_view>

namespace sightline::dashboard {

// "image/png", "image/jpeg", "image/gif", "image/webp" or "image/avif": what browsers show as a
// picture and nothing else. "application/octet-stream" for anything else, above all for SVG and
// HTML, which may hold scripts.
std::string_view ImageTypeOf(std::string_view bytes);

// "audio/wav", or "application/octet-stream".
std::string_view AudioTypeOf(std::string_view bytes);

}  // namespace sightline::dashboard

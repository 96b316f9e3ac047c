// UTF-8, checked strictly: protobuf strings must be valid, or readers refuse the message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline {

// True for well-formed UTF-8 as Unicode's table 3-7 defines it: no overlong forms, no surrogates,
// nothing above U+10FFFF, nothing cut off.
bool IsUtf8(std::string_view text);

// `text` as well-formed UTF-8 of at most `max_bytes` bytes. Each ill-formed sequence (the longest
// start of a character, or one byte) becomes U+FFFD, and the text is cut between two characters.
std::string ToUtf8(std::string_view text, std::size_t max_bytes = std::string_view::npos);

}  // namespace sightline

// The characters that change what a terminal or a page shows around them: Unicode's controls
// (category Cc) and those that turn the direction of text (Bidi_Control). Pure functions: any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline {

// The size in bytes of such a character at the start of `text`, which is not empty; 0 if there is
// none.
std::size_t ControlSize(std::string_view text);

// Appends one character, or one byte that is not UTF-8, as "\x1b", "\u009b" or "\u202e".
void AppendEscape(std::string_view character, std::string& out);

}  // namespace sightline

// A text as JSON spells it, for what writes JSON piece by piece.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// Appends `text` in quotes, with what JSON does not take as it is escaped. Bytes that are not UTF-8
// become U+FFFD (utf8.h). RFC 8259, section 7. Any thread.
void AppendJsonText(std::string_view text, std::string& out);

}  // namespace sightline

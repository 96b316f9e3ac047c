// JSON strings, for code that writes JSON piece by piece. base/json has whole values.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// Appends `text` in quotes, escaped as RFC 8259, section 7, requires, with U+007F to U+009F escaped
// as well. Bytes that are not UTF-8 become U+FFFD (utf8.h). Any thread.
void AppendJsonText(std::string_view text, std::string& out);

}  // namespace sightline

// Text that came out of a file, made safe to show on a terminal or in a message.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// `text` as well-formed UTF-8 on one line. Ill-formed bytes become U+FFFD. Control characters,
// which could change the state of a terminal or the order in which it shows text, are shown as
// "\x1b" or
// "\u202e". Pure function: any thread.
std::string Printable(std::string_view text);

}  // namespace sightline

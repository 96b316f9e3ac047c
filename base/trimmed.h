// A text without the blanks around it. Any thread.
#pragma once

#include <algorithm>
#include <string_view>

namespace sightline {

// Without those of `blanks` at both ends.
inline std::string_view Trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace sightline

// The name of an exported tensor's file. Pure; may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline {

// Returns "<tag>_<step>.npy". The tag is escaped like Python's urllib.parse.quote(tag, safe=""), as
// in MindSpore's exports: ASCII letters, digits and "_.-~" stay, and every other byte becomes %XX.
// urllib.parse.unquote gives the tag back. There are two additions:
// - If a tag would make the file look like an event file ("tfevents", "summary.<digit>"), one more
//   character is escaped, since readers of event files search folders for such names.
// - A name of more than 255 bytes, which file systems refuse, is cut between two characters, and
//   "~" and 16 hexadecimal digits of the whole tag's FNV-1a hash are added. So the same tag has the
//   same name, and another tag has another.
std::string NpyFileName(std::string_view tag, std::int64_t step);

}  // namespace sightline

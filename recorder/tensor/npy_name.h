// The name of an exported tensor's file. Pure; callable from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline {

// "<tag>_<step>.npy", the tag as Python's urllib.parse.quote(tag, safe="") writes it (MindSpore's
// exports do so too): ASCII letters, digits and "_.-~" stay, every other byte becomes %XX.
// urllib.parse.unquote gives the tag back. Two additions:
// - A tag that would make the file look like an event file ("tfevents", "summary.<digit>") has one
// more character
//   escaped, since readers of event files search folders for such names.
// - A name beyond 255 bytes, which file systems refuse, is cut between characters and ends in "~"
// and 16
//   hexadecimal digits of the whole tag's FNV-1a hash: the same tag has the same name, and others
//   another.
std::string NpyFileName(std::string_view tag, std::int64_t step);

}  // namespace sightline

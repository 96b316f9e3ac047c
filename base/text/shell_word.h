// ShellWord: a text as one word of a command that people paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// `text` itself if no shell reads anything into it, else in single quotes: "out; ls" is 'out; ls'.
// Any thread.
std::string ShellWord(std::string_view text);

}  // namespace sightline

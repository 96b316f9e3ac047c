// What the program prints on a terminal. Names and values come from files that anybody may have
// written, and a terminal obeys the control characters in them: it would rename its window, write
// into the clipboard, or overwrite lines. They are shown as "\x1b" there. In a pipe or a file,
// bytes stay as they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline {

// The styles of Style (text.h), as text that only CleanTerminals turns into the terminal's codes.
enum class StyleMark : std::uint8_t { kEnd, kBold, kDim, kRed, kGreen, kYellow };
// Three bytes: one of Unicode's noncharacters U+FDD0 to U+FDD5, which no text has.
std::string_view MarkText(StyleMark mark);

// From now on stdout and stderr, if they are terminals, show control characters as escapes, except
// line ends and tabs. They have no descriptor then: fileno is -1. Call this before anything is
// printed.
void CleanTerminals();

// Writes to the terminal of standard error, after what was printed there, as it is.
void WriteToTerminal(std::string_view bytes);

// Makes text fit for a terminal piece by piece; a character may be split between two pieces.
class TerminalText {
 public:
  std::string Clean(std::string_view bytes);

 private:
  std::string held_;  // The beginning of a character.
};

}  // namespace sightline

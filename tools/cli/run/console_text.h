// ConsoleText: what a command printed, piece by piece, made fit for a terminal: text and its
// colours. Whatever else moves the cursor, names the window or fills the clipboard is left out. A
// carriage return alone, by which a progress bar draws itself again, ends a line. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/tools/cli/terminal/terminal_output.h"

namespace sightline {

class ConsoleText {
 public:
  // Pieces may end anywhere, even within a character or a control sequence.
  std::string Clean(std::string_view bytes);

 private:
  // kString: one that goes to its end, BEL or ESC \.
  enum class State : std::uint8_t { kText, kEscape, kSequence, kString, kStringEscape };

  void Take(char byte, std::string& out);
  void TakeText(char byte);
  void EndSequence(char last, std::string& out);

  State state_ = State::kText;
  bool after_return_ = false;
  std::string sequence_;  // The parameters.
  std::string text_;
  TerminalText clean_;
};

}  // namespace sightline

// Reads lines and fields of plain text files.
#pragma once

#include <string_view>

#include "sightline/profiler/import/source/byte_window.h"

namespace sightline::profiler {

// Next reads the next line, without its line end; false at the end of the file. The last line may
// lack its line end. The text is valid until the next call.
class TextLines {
 public:
  explicit TextLines(ByteWindow& window) : window_(window) {}

  bool Next(std::string_view& line) {
    window_.Skip(taken_);
    taken_ = 0;
    for (;;) {
      const std::string_view rest = window_.rest();
      const std::size_t end = rest.find('\n');
      if (end != std::string_view::npos) {
        line = rest.substr(0, end);
        taken_ = end + 1;
        break;
      }
      if (window_.More()) continue;
      line = window_.rest();
      taken_ = line.size();
      if (line.empty()) return false;
      break;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

 private:
  ByteWindow& window_;
  std::size_t taken_ = 0;
};

// Returns the part of `text` before the separator, or all of it if there is none, and removes it
// from `text` with the separator.
inline std::string_view TakeField(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return field;
}

}  // namespace sightline::profiler

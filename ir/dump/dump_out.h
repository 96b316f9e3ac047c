// The text of a dump while it is written. It replaces characters, so that no name that a framework
// gives can break the grammar.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sightline::ir {

class DumpOut {
 public:
  DumpOut& operator<<(std::string_view text) {
    text_.append(text);
    return *this;
  }
  DumpOut& operator<<(std::uint64_t number) {
    char digits[20];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
    return *this;
  }
  // Newlines become blanks.
  void Line(std::string_view text) {
    const std::size_t begin = text_.size();
    text_.append(text);
    std::replace(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), '\n', ' ');
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

// Characters that would end a name - blanks, brackets, commas, colons, quotes - become '_'.
inline std::string CleanName(std::string_view text) {
  constexpr std::string_view kEndsName = "()[]{},:\" \t\n\r";
  std::string name(text);
  for (char& c : name)
    if (kEndsName.find(c) != std::string_view::npos) c = '_';
  return name;
}

}  // namespace sightline::ir

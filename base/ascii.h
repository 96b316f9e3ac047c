// Letters of ASCII. Other bytes, such as those of UTF-8, stay as they are. Any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sightline {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr char LowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerCase(c);
  return lower;
}

// Whether `text` contains `lower`, which is in lower case, in any case.
inline bool ContainsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char a, char b) { return LowerCase(a) == b; }) != text.end();
}

}  // namespace sightline

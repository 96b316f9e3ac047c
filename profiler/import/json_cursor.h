// Walks JSON text (RFC 8259) that may end before its value does. No recursion, no allocation.
//
// Each function reads at the cursor and leaves it behind what was read. Where it returns false,
// state() says why: kCut where the text ended first (read more and try again from the start of the
// value), kMalformed for what is no JSON. What is between the quotes of a string is given as it is
// written; Unescape reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline::profile {

class JsonCursor {
 public:
  enum class State { kSound, kCut, kMalformed };

  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  State state() const { return state_; }
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  // The character at the cursor behind white space; 0 at the end, which is kCut.
  char Peek();
  // Moves behind this character, and white space in front of it.
  bool Take(char character);
  // A string's text without its quotes.
  bool String(std::string_view& written);
  // Any value: a string without its quotes, the rest as it is written.
  bool Value(std::string_view& written);
  // The next key of an object whose '{' or last value lies behind the cursor, which then is at the
  // key's value. False, and kSound, at the object's end.
  bool NextKey(std::string_view& key);
  // The same for an array: at the next element.
  bool NextElement();

 private:
  bool Fail(State state) {
    state_ = state;
    return false;
  }
  void SkipSpace();
  // Behind what opens at the cursor: brackets are matched by depth, strings skipped.
  bool SkipNested();

  const char* begin_;
  const char* at_;
  const char* end_;
  State state_ = State::kSound;
};

// A string's text with its escapes read, as UTF-8; what is no escape stays as it is.
std::string Unescape(std::string_view written);

// The value of a key of the object `json`, as JsonCursor::Value gives it; empty where there is
// none.
std::string_view JsonField(std::string_view json, std::string_view key);

}  // namespace sightline::profile

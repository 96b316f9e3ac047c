// JsonCursor: reads JSON text (RFC 8259) that may end before its value does. It does not recurse or
// allocate.
//
// Each function reads at the cursor and moves it past what was read. If a function returns false,
// state() tells why: kCut if the text ended too early (read more, and start again at the start of
// the value), kMalformed if it is not JSON. A string is returned as it is written between its
// quotes; Unescape decodes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline::profiler {

class JsonCursor {
 public:
  enum class State { kSound, kCut, kMalformed };

  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  State state() const { return state_; }
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  // Skips white space and returns the next character, which it does not take; 0 at the end, where
  // the state becomes kCut.
  char Peek();
  // Takes this character, and the white space before it.
  bool Take(char character);
  // Reads a string, without its quotes.
  bool String(std::string_view& written);
  // Reads any value: a string without its quotes, everything else as it is written.
  bool Value(std::string_view& written);
  // Reads the next key of an object. Call it right after the object's '{' or after one of its
  // values; the cursor then is at the key's value. False, with kSound, at the object's end.
  bool NextKey(std::string_view& key);
  // The same for an array; the cursor then is at the next element.
  bool NextElement();

 private:
  bool Fail(State state) {
    state_ = state;
    return false;
  }
  void SkipSpace();
  // Skips the object or array at the cursor: brackets are counted, strings skipped.
  bool SkipNested();

  const char* begin_;
  const char* at_;
  const char* end_;
  State state_ = State::kSound;
};

// Decodes the escapes in a string's text, to UTF-8. Invalid escapes stay as they are.
std::string Unescape(std::string_view written);

// The value of a key in the object `json`, as JsonCursor::Value returns it; empty if there is none.
std::string_view JsonField(std::string_view json, std::string_view key);

}  // namespace sightline::profiler

#include "sightline/profiler/import/chrome/json_cursor.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

namespace sightline::profiler {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// The characters that end a number or a word.
bool EndsScalar(char c) { return IsSpace(c) || c == ',' || c == '}' || c == ']' || c == ':'; }

std::optional<char32_t> TakeHex(std::string_view& text) {
  if (text.size() < 4) return std::nullopt;
  char32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<char32_t>(digit);
  }
  text.remove_prefix(4);
  return value;
}

void AppendUtf8(std::string& out, char32_t c) {
  const auto byte = [&](char32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0U | c >> 6U);
    byte(0x80U | (c & 0x3fU));
  } else if (c < 0x10000) {
    byte(0xe0U | c >> 12U);
    byte(0x80U | (c >> 6U & 0x3fU));
    byte(0x80U | (c & 0x3fU));
  } else {
    byte(0xf0U | c >> 18U);
    byte(0x80U | (c >> 12U & 0x3fU));
    byte(0x80U | (c >> 6U & 0x3fU));
    byte(0x80U | (c & 0x3fU));
  }
}

// Reads one character after "\u"; a surrogate pair takes a second escape.
void AppendEscapedCharacter(std::string& out, std::string_view& text) {
  const auto first = TakeHex(text);
  if (!first) {
    out += "\\u";
    return;
  }
  char32_t character = *first;
  if (character >= 0xd800 && character < 0xdc00 && text.starts_with("\\u")) {
    std::string_view behind = text.substr(2);
    const auto second = TakeHex(behind);
    if (second && *second >= 0xdc00 && *second < 0xe000) {
      character = 0x10000 + ((character - 0xd800) << 10U) + (*second - 0xdc00);
      text = behind;
    }
  }
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  AppendUtf8(out, surrogate ? char32_t{0xfffd} : character);
}

}  // namespace

void JsonCursor::SkipSpace() {
  while (at_ != end_ && IsSpace(*at_)) ++at_;
}

char JsonCursor::Peek() {
  SkipSpace();
  if (at_ != end_) return *at_;
  state_ = State::kCut;
  return 0;
}

bool JsonCursor::Take(char character) {
  if (Peek() != character) return state_ == State::kCut ? false : Fail(State::kMalformed);
  ++at_;
  return true;
}

bool JsonCursor::String(std::string_view& written) {
  if (!Take('"')) return false;
  const char* from = at_;
  for (;;) {
    const auto* quote =
        static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
    if (quote == nullptr) return Fail(State::kCut);
    // A quote ends the string unless an odd number of backslashes is before it.
    const char* before = quote;
    while (before != from && before[-1] == '\\') --before;
    at_ = quote + 1;
    if ((quote - before) % 2 == 0) {
      written = {from, static_cast<std::size_t>(quote - from)};
      return true;
    }
  }
}

bool JsonCursor::SkipNested() {
  std::size_t depth = 0;
  while (at_ != end_) {
    const char c = *at_;
    if (c == '"') {
      std::string_view ignored;
      if (!String(ignored)) return false;
      continue;
    }
    ++at_;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return true;
  }
  return Fail(State::kCut);
}

bool JsonCursor::Value(std::string_view& written) {
  const char first = Peek();
  if (first == 0) return Fail(at_ == end_ ? State::kCut : State::kMalformed);
  if (first == '"') return String(written);
  const char* from = at_;
  if (first == '{' || first == '[') {
    if (!SkipNested()) return false;
  } else {
    while (at_ != end_ && !EndsScalar(*at_)) ++at_;
    if (at_ == end_) return Fail(State::kCut);
    if (at_ == from) return Fail(State::kMalformed);
  }
  written = {from, static_cast<std::size_t>(at_ - from)};
  return true;
}

bool JsonCursor::NextKey(std::string_view& key) {
  for (;;) {
    const char next = Peek();
    if (state_ != State::kSound) return false;
    if (next == '}') {
      ++at_;
      return false;
    }
    if (next != ',') break;  // A trailing comma is accepted.
    ++at_;
  }
  return String(key) && Take(':');
}

bool JsonCursor::NextElement() {
  for (;;) {
    const char next = Peek();
    if (state_ != State::kSound) return false;
    if (next == ']') {
      ++at_;
      return false;
    }
    if (next != ',') return true;
    ++at_;
  }
}

std::string Unescape(std::string_view written) {
  std::string text;
  text.reserve(written.size());
  while (!written.empty()) {
    const char c = written.front();
    written.remove_prefix(1);
    if (c != '\\' || written.empty()) {
      text += c;
      continue;
    }
    constexpr std::string_view kWritten = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const char escape = written.front();
    written.remove_prefix(1);
    if (const std::size_t at = kWritten.find(escape); at != std::string_view::npos) {
      text += kMeant[at];
    } else if (escape == 'u') {
      AppendEscapedCharacter(text, written);
    } else {
      text += c;
      text += escape;
    }
  }
  return text;
}

std::string_view JsonField(std::string_view json, std::string_view key) {
  JsonCursor cursor(json);
  if (!cursor.Take('{')) return {};
  for (std::string_view name, value; cursor.NextKey(name) && cursor.Value(value);) {
    if (name == key) return value;
  }
  return {};
}

}  // namespace sightline::profiler

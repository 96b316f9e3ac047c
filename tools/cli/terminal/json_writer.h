// JSON written piece by piece, indented by two, for what is too much to be built first:
//
//   JsonWriter json;
//   json.Open('{');
//   json.Member("name", "loss");
//   json.Member("steps", '[');
//   json.Element(1.5);
//   json.Close(']');
//   json.Close('}');
//   std::fputs(json.text().c_str(), stdout);
//
// It keeps no account of what was opened: whoever opens closes. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace sightline {

class JsonWriter {
 public:
  // `depth`: of what it is written into.
  explicit JsonWriter(std::size_t depth = 0) : depth_(depth) { text_.reserve(kUsual); }

  // '{' or '[', as a value or an element, and '}' or ']'.
  void Open(char bracket);
  void Close(char bracket);

  template <typename T>
  void Member(std::string_view name, const T& value) {
    Begin();
    Text(name);
    text_ += ": ";
    Value(value);
  }
  template <typename T>
  void Element(const T& value) {
    Begin();
    Value(value);
  }

  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t kUsual = 4096;

  void Begin();  // A line of its own, after a comma if one is due.
  void Text(std::string_view text);
  void Value(std::string_view text) { Text(text); }
  void Value(const std::string& text) { Text(text); }
  void Value(bool truth) { text_ += truth ? "true" : "false"; }
  void Value(double number);  // JSON has no NaN and no infinities: "nan", "inf", "-inf".
  void Value(std::int64_t number);
  void Value(std::uint64_t number);
  void Value(std::monostate /*nothing*/) { text_ += "null"; }
  void Value(char bracket) { Open(bracket); }

  std::string text_;
  std::size_t depth_;
  bool empty_ = true;  // What was opened last, so far.
};

}  // namespace sightline

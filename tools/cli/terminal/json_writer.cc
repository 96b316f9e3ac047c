#include "sightline/tools/cli/terminal/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "sightline/base/json/json_text.h"
#include "sightline/base/text/number_text.h"

namespace sightline {

void JsonWriter::Open(char bracket) {
  text_ += bracket;
  ++depth_;
  empty_ = true;
}

void JsonWriter::Close(char bracket) {
  --depth_;
  if (!empty_) {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  text_ += bracket;
  empty_ = false;
}

void JsonWriter::Begin() {
  text_ += empty_ ? "\n" : ",\n";
  text_.append(2 * depth_, ' ');
  empty_ = false;
}

void JsonWriter::Text(std::string_view text) { AppendJsonText(text, text_); }

void JsonWriter::Value(double number) {
  if (!std::isfinite(number)) return Text(NumberText(number));
  const std::size_t begin = text_.size();
  fmt::format_to(std::back_inserter(text_), "{}", number);
  // Readers tell numbers with a fraction from whole ones by their spelling.
  if (text_.find_first_of(".e", begin) == std::string::npos) text_ += ".0";
}

void JsonWriter::Value(std::int64_t number) {
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

void JsonWriter::Value(std::uint64_t number) {
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

}  // namespace sightline

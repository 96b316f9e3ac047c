#include "sightline/base/json/json_text.h"

#include <fmt/format.h>

#include <iterator>

#include "sightline/base/utf8.h"

namespace sightline {

void AppendJsonText(std::string_view text, std::string& out) {
  std::string clean;
  if (!IsUtf8(text)) {
    clean = ToUtf8(text);
    text = clean;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else if (static_cast<unsigned char>(c) < 0xa0 && out.back() == '\xc2' &&
               static_cast<unsigned char>(c) >= 0x80) {
      out.pop_back();  // U+0080 to U+009F, which terminals obey as well.
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace sightline

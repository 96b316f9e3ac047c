#include "sightline/ir/draw/dot_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/base/utf8.h"

namespace sightline::ir {
namespace {

// `escape` returns the replacement of a byte.
std::string Escaped(std::string_view text, const auto& escape) {
  std::string escaped;
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) escaped += escape(c);
  };
  const std::string utf8 = ToUtf8(text);
  const std::string_view sound = utf8;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const auto c = static_cast<unsigned char>(sound[i]);
    const std::string_view rest = sound.substr(i);
    // U+0080 to U+009F, U+FFFE and U+FFFF, which XML does not allow.
    const bool control = c == 0xc2 && static_cast<unsigned char>(rest[1]) < 0xa0;
    if (control || rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf")) {
      escaped += "\xef\xbf\xbd";
      i += control ? 1 : 2;
    } else if (c == '\n') {
      add("\\n");
    } else if (c < 0x20 || c == 0x7f) {
      add(fmt::format("\\x{:02x}", c));
    } else {
      add(rest.substr(0, 1));
    }
  }
  return escaped;
}

// Graphviz reads entities of HTML within quotes, and escapes of its own; a backslash that is none
// is written as `backslash`.
std::string WithinQuotes(std::string_view text, std::string_view backslash) {
  return Escaped(text, [&](char c) -> std::string {
    if (c == '&') return "&amp;";
    if (c == '"') return "\\\"";
    if (c == '\\') return std::string(backslash);
    return {c};
  });
}

}  // namespace

// A backslash begins an escape of graphviz' here too.
std::string DotHtml(std::string_view text) {
  return Escaped(text, [](char c) -> std::string {
    switch (c) {
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '&':
        return "&amp;";
      case '"':
        return "&quot;";
      case '\\':
        return "\\\\";
      default:
        return {c};
    }
  });
}

std::string DotQuoted(std::string_view text) { return "\"" + WithinQuotes(text, R"(\\)") + "\""; }

// Graphviz reads escapes in it twice.
std::string DotTooltip(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!lines.empty()) lines += "\\n";
    lines += WithinQuotes(text.substr(0, end), R"(\\\\)");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "\"" + lines + "\"";
}

}  // namespace sightline::ir

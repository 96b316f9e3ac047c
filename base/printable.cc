#include "sightline/base/printable.h"

#include <cstddef>

#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// The size in bytes of the control character at the start of well-formed UTF-8; 0 if there is none.
// Unicode's category Cc: U+0000 to U+001F and U+007F in one byte, U+0080 to U+009F in two.
std::size_t ControlSize(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x20 || first == 0x7f) return 1;
  return first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0 ? 2 : 0;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string printable;
  const std::string valid = ToUtf8(text);
  for (std::string_view rest = valid; !rest.empty();) {
    const std::size_t control = ControlSize(rest);
    if (control > 0) {
      printable += kReplacement;
    } else {
      printable += rest[0];
    }
    rest.remove_prefix(control > 0 ? control : 1);
  }
  return printable;
}

}  // namespace sightline

#include "sightline/base/text/control_character.h"

#include <fmt/format.h>

#include <iterator>

namespace sightline {
namespace {

unsigned Byte(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool TurnsDirection(unsigned character) {
  return character == 0x061c || character == 0x200e || character == 0x200f ||
         (character >= 0x202a && character <= 0x202e) ||
         (character >= 0x2066 && character <= 0x2069);
}

unsigned OfTwoBytes(std::string_view text) {
  return (Byte(text, 0) & 0x1fU) << 6U | (Byte(text, 1) & 0x3fU);
}

unsigned OfThreeBytes(std::string_view text) {
  return (Byte(text, 0) & 0x0fU) << 12U | (Byte(text, 1) & 0x3fU) << 6U | (Byte(text, 2) & 0x3fU);
}

}  // namespace

std::size_t ControlSize(std::string_view text) {
  const unsigned first = Byte(text, 0);
  if (first < 0x20 || first == 0x7f) return 1;
  if (first == 0xc2) return Byte(text, 1) >= 0x80 && Byte(text, 1) < 0xa0 ? 2 : 0;
  if (first == 0xd8) return TurnsDirection(OfTwoBytes(text)) ? 2 : 0;
  if (first == 0xe2) return TurnsDirection(OfThreeBytes(text)) ? 3 : 0;
  return 0;
}

void AppendEscape(std::string_view character, std::string& out) {
  if (character.size() == 1) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", Byte(character, 0));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                   character.size() == 2 ? OfTwoBytes(character) : OfThreeBytes(character));
  }
}

}  // namespace sightline

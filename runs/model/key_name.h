// The characters of which names in queries consist without backquotes (docs/query.md). Keys that
// are made, such as those of a configuration's settings, have no others.
//
// Private to runs/. Any thread.
#pragma once

#include "sightline/base/ascii.h"

namespace sightline {

// Bytes of UTF-8 count as letters.
constexpr bool BeginsName(char c) {
  return IsLetter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool IsInName(char c) { return BeginsName(c) || IsDigit(c) || c == '.' || c == '/'; }

}  // namespace sightline

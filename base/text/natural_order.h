// The order of names as people count: "run2" before "run10". Any thread.
#pragma once

#include <compare>
#include <string_view>

namespace sightline {

// Compares by bytes, but digits that follow each other as one number of any length. Of equal
// numbers the one with more leading zeros is first, so that no two names are equal, and names with
// the same beginning up to a "/" follow each other: nothing else is between "lr_0.1/a" and
// "lr_0.1/b".
std::strong_ordering CompareNaturally(std::string_view a, std::string_view b);

inline bool NaturallyLess(std::string_view a, std::string_view b) {
  return std::is_lt(CompareNaturally(a, b));
}

}  // namespace sightline

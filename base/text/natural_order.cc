#include "sightline/base/text/natural_order.h"

#include <algorithm>
#include <cstddef>

#include "sightline/base/ascii.h"

namespace sightline {
namespace {

// Takes the digits at the front of `text`.
std::string_view TakeDigits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

std::strong_ordering CompareNumbers(std::string_view a, std::string_view b) {
  const auto number = [](std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  };
  if (number(a).size() != number(b).size()) return number(a).size() <=> number(b).size();
  if (const int order = number(a).compare(number(b)); order != 0) return order <=> 0;
  return b.size() <=> a.size();
}

// How long the beginning is that the two share, without a number that may go on after it. Paths
// below one folder share most of theirs.
std::size_t SharedBeginning(std::string_view a, std::string_view b) {
  const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  auto shared = static_cast<std::size_t>(differs - a.begin());
  while (shared > 0 && IsDigit(a[shared - 1])) --shared;
  return shared;
}

}  // namespace

std::strong_ordering CompareNaturally(std::string_view a, std::string_view b) {
  const std::size_t shared = SharedBeginning(a, b);
  std::string_view rest_a = a.substr(shared);
  std::string_view rest_b = b.substr(shared);
  while (!rest_a.empty() && !rest_b.empty()) {
    if (IsDigit(rest_a.front()) && IsDigit(rest_b.front())) {
      const auto order = CompareNumbers(TakeDigits(rest_a), TakeDigits(rest_b));
      if (std::is_neq(order)) return order;
    } else {
      const auto byte_a = static_cast<unsigned char>(rest_a.front());
      const auto byte_b = static_cast<unsigned char>(rest_b.front());
      if (byte_a != byte_b) return byte_a <=> byte_b;
      rest_a.remove_prefix(1);
      rest_b.remove_prefix(1);
    }
  }
  return rest_a.size() <=> rest_b.size();
}

}  // namespace sightline

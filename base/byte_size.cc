#include "sightline/base/byte_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};

char Upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

}  // namespace

std::optional<std::int64_t> ParseByteSize(std::string_view text) {
  const auto number = TakeNumber<std::int64_t>(text);
  if (!number || *number < 0) return std::nullopt;
  std::string unit(text.substr(std::min(text.find_first_not_of(' '), text.size())));
  std::transform(unit.begin(), unit.end(), unit.begin(), Upper);
  std::int64_t factor = 1000;
  if (unit.size() == 3 && unit[1] == 'I') {
    unit.erase(1, 1);
    factor = 1024;
  }
  std::int64_t size = *number;
  if (unit.empty()) return size;
  for (const std::string_view each : kUnits) {
    if (unit.size() == each.size() && Upper(each.front()) == unit.front() && unit.back() == 'B')
      return size;
    if (size > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
    size *= factor;
  }
  return std::nullopt;
}

std::string FormatByteSize(std::uint64_t bytes) {
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 999.95 would be printed as 1000.0.
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace sightline

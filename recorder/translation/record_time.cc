#include "sightline/recorder/translation/record_time.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "sightline/base/parse_number.h"
#include "sightline/base/wire.h"

namespace sightline {
namespace {

// The number of `digits` digits at the front of `text`, and `end` behind it, are removed.
std::optional<int> Take(std::string_view& text, std::size_t digits, std::string_view end) {
  if (text.size() < digits + end.size() || text.substr(digits, end.size()) != end)
    return std::nullopt;
  const auto number = ParseNumber<int>(text.substr(0, digits));
  if (!number || *number < 0) return std::nullopt;
  text.remove_prefix(digits + end.size());
  return number;
}

// Seconds east of Greenwich.
std::optional<int> OffsetOf(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = Take(text, 2, ":");
  const auto minutes = hours ? Take(text, 2, "") : std::nullopt;
  if (!minutes) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

}  // namespace

double SecondsOfIso(std::string_view text) {
  int parts[6];  // Year, month, day, hour, minute, second.
  constexpr std::string_view kEnds[] = {"-", "-", "T", ":", ":", ""};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    const auto number = Take(text, i == 0 ? 4 : 2, kEnds[i]);
    if (!number) return 0;
    parts[i] = *number;
  }
  double fraction = 0;
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    fraction = ParseNumber<double>(text.substr(0, end)).value_or(0);
    text.remove_prefix(end);
  }
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  const auto offset = OffsetOf(text);
  if (!offset || !date.ok() || parts[3] > 23 || parts[4] > 59 || parts[5] > 60) return 0;
  const std::chrono::sys_days day = date;
  const auto days = static_cast<double>(day.time_since_epoch().count());
  const double whole = days * 86'400 + parts[3] * 3600 + parts[4] * 60 + parts[5] - *offset;
  return whole + fraction;
}

double SecondsOfTimestamp(std::string_view message) {
  double seconds = 0;
  wire::Field field;
  for (wire::Scanner scan(message); scan.Next(field);) {
    if (field.type != wire::WireType::kVarint) continue;
    if (field.number == 1) seconds += static_cast<double>(field.AsInt64());
    if (field.number == 2) seconds += static_cast<double>(field.AsInt64()) * 1e-9;
  }
  return seconds;
}

}  // namespace sightline

#include "sightline/base/text/duration_text.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "sightline/base/parse_number.h"

namespace sightline {

std::optional<double> ParseDuration(std::string_view text) {
  const auto number = TakeNumber<double>(text);
  if (!number || !std::isfinite(*number) || *number <= 0 || text.size() != 1) return std::nullopt;
  constexpr std::string_view kUnits = "smhd";
  constexpr std::array<double, 4> kSeconds = {1, 60, 3600, 86400};
  const std::size_t unit = kUnits.find(text.front());
  if (unit == std::string_view::npos) return std::nullopt;
  return *number * kSeconds.at(unit);
}

}  // namespace sightline

#include "sightline/base/text/number_text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace sightline {

std::string NumberText(double value) {
  if (std::isnan(value)) return "nan";
  constexpr double kWhole = 9007199254740992;  // 2^53
  const bool whole = std::abs(value) < kWhole && std::trunc(value) == value;
  const bool fits = std::abs(value) <= std::numeric_limits<float>::max();
  if (whole || !fits || static_cast<double>(static_cast<float>(value)) != value)
    return fmt::to_string(value);
  return fmt::to_string(static_cast<float>(value));
}

}  // namespace sightline

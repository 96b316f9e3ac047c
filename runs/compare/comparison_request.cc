#include "sightline/runs/compare/comparison_request.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "sightline/base/parse_number.h"
#include "sightline/runs/compare/run_noise.h"

namespace sightline {

Result<double> ToleranceIn(std::string_view name, std::string_view text) {
  std::string_view number = text;
  const bool percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  while (number.ends_with(' ')) number.remove_suffix(1);
  const std::optional<double> value = ParseNumber<double>(number);
  if (!value || !std::isfinite(*value) || *value < 0) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} {}: give a share such as 2% or 0.02", name, text));
  }
  return percent ? *value / 100 : *value;
}

Status CheckLike(std::string_view name, std::size_t runs) {
  if (runs == 0 || runs >= kLeastLikeRuns) return {};
  return {StatusCode::kInvalidArgument,
          fmt::format("{}: {} or more runs are needed to know the noise, not {}", name,
                      kLeastLikeRuns, runs)};
}

}  // namespace sightline

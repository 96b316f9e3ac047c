#include "sightline/runs/model/nonfinite_note.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline {

std::string NonFiniteNote(const Series& series, std::size_t begin, std::size_t end) {
  const Extremes all = series.ExtremesOf(begin, end);
  const std::uint64_t infinite = all.pos_inf_count + all.neg_inf_count;
  if (all.nonfinite() == 0) return "";
  std::string counts = all.nan_count > 0 ? fmt::format("{} NaN", all.nan_count) : "";
  if (infinite > 0) counts += fmt::format("{}{} infinite", counts.empty() ? "" : " and ", infinite);
  const auto values = series.values().subspan(begin, end - begin);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const auto first = std::find_if_not(values.begin(), values.end(), is_finite);
  const auto to_end = std::find_if(values.rbegin(), values.rend(), is_finite).base();
  const auto step_of = [&](auto at) {
    return series.steps()[begin + static_cast<std::size_t>(at - values.begin())];
  };
  if (first == to_end) return fmt::format("{} since step {}", counts, step_of(first));
  return fmt::format(
      "{}, the first at step {}{}", counts, step_of(first),
      to_end == values.end() ? "" : fmt::format(", all since step {}", step_of(to_end)));
}

}  // namespace sightline

#include "sightline/collectors/rules/nan_watch.h"

#include <fmt/format.h>

#include <cmath>

#include "sightline/collectors/rules/nonfinite.h"

namespace sightline {

std::string NonFinite::ToString() const {
  const std::string_view what = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return fmt::format("{} is {} at step {}", tag, what, step);
}

void NanWatch::Check(std::string_view tag, std::int64_t step, const TensorView& tensor) {
  if (const std::optional<double> value = FindNonFinite(tensor)) Found(tag, step, *value);
}

void NanWatch::Found(std::string_view tag, std::int64_t step, double value) {
  if (seen_.find(tag) != seen_.end()) return;
  seen_.emplace(tag);
  const NonFinite found{std::string(tag), step, value};
  if (!first_) first_ = found;
  if (!report_) return;
  try {
    report_(found);
  } catch (...) {  // NOLINT(bugprone-empty-catch): it must not end the training.
  }
}

}  // namespace sightline

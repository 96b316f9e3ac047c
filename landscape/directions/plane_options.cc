#include "sightline/landscape/directions/plane_options.h"

#include <cmath>

#include "sightline/base/faults.h"

namespace sightline::landscape {
namespace {

constexpr std::int64_t kMaxSize = 4096;

void CheckSize(const char* name, std::int64_t size, std::int64_t smallest, Faults& faults) {
  if (size < smallest || size > kMaxSize)
    faults.Add("{} is {}, but must be from {} to {}", name, size, smallest, kMaxSize);
}

void CheckRange(const char* name, const std::optional<std::array<double, 2>>& range,
                Faults& faults) {
  if (!range) return;
  const auto [low, high] = *range;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low <= high)) {
    faults.Add("{} is {} to {}, but must be two finite numbers, the smaller one first", name, low,
               high);
  }
}

}  // namespace

std::string_view NormalisationName(Normalisation normalisation) {
  switch (normalisation) {
    case Normalisation::kNone:
      return "none";
    case Normalisation::kLayer:
      return "layer";
    case Normalisation::kFilter:
      return "filter";
  }
  return "?";
}

std::optional<Normalisation> NormalisationNamed(std::string_view name) {
  for (const auto normalisation :
       {Normalisation::kNone, Normalisation::kLayer, Normalisation::kFilter})
    if (NormalisationName(normalisation) == name) return normalisation;
  return std::nullopt;
}

Status PlaneOptions::Check() const {
  Faults faults;
  if (x_size) CheckSize("x_size", *x_size, 1, faults);
  if (y_size) CheckSize("y_size", *y_size, 1, faults);
  CheckSize("line_size", line_size, 0, faults);
  CheckRange("x_range", x_range, faults);
  CheckRange("y_range", y_range, faults);
  const std::size_t given = given_directions.size();
  const bool is_one_enough = given == 1 && directions.random_second;
  if (given != 0 && given != 2 && !is_one_enough) {
    faults.Add("given_directions has {}, but must have two, or one with random_second, or none",
               given);
  }
  return faults.ToStatus();
}

}  // namespace sightline::landscape

#include "sightline/landscape/directions/grid.h"

#include <algorithm>

namespace sightline::landscape {

std::vector<double> Axis(double low, double high, std::size_t size) {
  std::vector<double> axis(size, low);
  if (size < 2) return axis;
  const double step = (high - low) / static_cast<double>(size - 1);
  for (std::size_t i = 1; i + 1 < size; ++i) axis[i] = low + static_cast<double>(i) * step;
  axis.back() = high;
  return axis;
}

std::vector<double> AxisAround(std::span<const double> coordinates, std::size_t size) {
  const auto [low, high] = std::minmax_element(coordinates.begin(), coordinates.end());
  if (low == coordinates.end() || !(*high > *low)) return Axis(-1, 1, size);
  const double margin = 0.2 * (*high - *low);
  return Axis(*low - margin, *high + margin, size);
}

}  // namespace sightline::landscape

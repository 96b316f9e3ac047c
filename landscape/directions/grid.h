// The coordinates at which a landscape is evaluated. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sightline::landscape {

// `size` equally spaced numbers from `low` to `high`, both included, as numpy.linspace does; only
// `low` if `size` is 1.
std::vector<double> Axis(double low, double high, std::size_t size);

// MindSpore's axis around a trajectory: from a fifth of the trajectory's range below its smallest
// coordinate to a fifth above its largest. From -1 to 1 if the range is 0.
std::vector<double> AxisAround(std::span<const double> coordinates, std::size_t size);

}  // namespace sightline::landscape

// The coordinates at which a landscape is evaluated. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sightline::landscape {

// `size` equally spaced numbers from `low` to `high`, both included, as numpy.linspace; `low` alone
// for 1.
std::vector<double> Axis(double low, double high, std::size_t size);

// MindSpore's axis around a trajectory: from its smallest coordinate less a fifth of its range to
// its largest and a fifth more. From -1 to 1 where the range is 0.
std::vector<double> AxisAround(std::span<const double> coordinates, std::size_t size);

}  // namespace sightline::landscape

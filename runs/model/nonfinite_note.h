// Words for the values of a scalar that are not finite. A plain function, callable from any thread.
#pragma once

#include <cstddef>
#include <string>

#include "sightline/runs/model/series.h"

namespace sightline {

// Of points [begin, end) of a scalar: "965 NaN since step 36" if all values from step 36 on, and no
// others, are not finite; or else "3 NaN and 1 infinite, the first at step 7", with ", all since
// step 50" if none is finite from there on. Empty if all values are finite.
std::string NonFiniteNote(const Series& series, std::size_t begin, std::size_t end);

}  // namespace sightline

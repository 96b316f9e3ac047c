// Numbers as people read them, for tables and text formats. Any thread.
#pragma once

#include <string>

namespace sightline {

// The shortest decimal number that reads as `value`: of the same float32 if `value` is one ("0.1",
// not "0.10000000149011612"), or else of the same float64. Whole numbers below 2^53 have all their
// digits. "nan", whatever its sign, "inf" and "-inf" for the others.
std::string NumberText(double value);

}  // namespace sightline

// Converts times that files write as decimal numbers to integers, without a float in between: as a
// float64, microseconds since 1970 may be wrong by more than 100 ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::profiler {

// `text` times 10^`scale`, rounded half away from zero. Scale 3 converts microseconds to
// nanoseconds, scale 6 milliseconds. Blanks and tabs around the number are skipped (msprof writes a
// tab after it). No value if `text` is not a number, or the result does not fit into an int64.
//
//   ParseDecimal("1795189731943100.648", 3)  // 1795189731943100648
//   ParseDecimal("1.7e2", 3)                 // 170000
std::optional<std::int64_t> ParseDecimal(std::string_view text, int scale);

// The same of a duration: no value, too, if it is negative or out of range (IsTime).
std::optional<std::int64_t> ParseDuration(std::string_view text, int scale);

// `text` without the blanks and tabs around it.
std::string_view Trimmed(std::string_view text);

}  // namespace sightline::profiler

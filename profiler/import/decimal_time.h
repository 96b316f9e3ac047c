// Times that files write as decimal numbers, as integers, without a float between: a float64 of
// microseconds since 1970 is wrong by a quarter of a microsecond.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::profile {

// `text` times 10^`scale`, rounded half away from zero: microseconds are nanoseconds with scale 3,
// milliseconds with scale 6. Blanks and tabs around the number are skipped (msprof writes a tab
// behind it). Nothing for what is no number, or too great for an int64.
//
//   ParseDecimal("1795189731943100.648", 3)  // 1795189731943100648
//   ParseDecimal("1.7e2", 3)                 // 170000
std::optional<std::int64_t> ParseDecimal(std::string_view text, int scale);

}  // namespace sightline::profile

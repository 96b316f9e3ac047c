// Durations as people type them. Any thread.
//
//   ParseDuration("10m")  // 600
#pragma once

#include <optional>
#include <string_view>

namespace sightline {

// Seconds, of a number above 0 and one of the units s, m, h and d: "90s", "10m", "2h", "1.5d". No
// value for another form.
std::optional<double> ParseDuration(std::string_view text);

}  // namespace sightline

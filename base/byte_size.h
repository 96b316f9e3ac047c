// Sizes in bytes as people write them. Any thread.
//
//   ParseByteSize("512MB")     // 512,000,000
//   ParseByteSize("512 MiB")   // 536,870,912
//   FormatByteSize(1'599'320)  // "1.6 MB"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline {

// Reads a whole number of bytes, from 0 on, with or without a unit. Units may be in any case: kB,
// MB, GB and TB are powers of 1,000; KiB, MiB, GiB and TiB are powers of 1,024. No value if `text`
// has another form, or if the number does not fit.
std::optional<std::int64_t> ParseByteSize(std::string_view text);

// "1.2 MB": one decimal place, and the largest unit up to TB that keeps the number at least 1.
// "999 B" has no decimal place.
std::string FormatByteSize(std::uint64_t bytes);

}  // namespace sightline

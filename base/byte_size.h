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

// A whole number from 0 on, of bytes or with a unit in any case: kB, MB, GB and TB are powers of
// 1,000, KiB, MiB, GiB and TiB powers of 1,024. So a size that is printed is the one that was
// given. Nothing if `text` is no such number, or does not fit.
std::optional<std::int64_t> ParseByteSize(std::string_view text);

// With one decimal place and the unit that it is at least 1 of, up to TB; below 1,000: "999 B".
std::string FormatByteSize(std::uint64_t bytes);

}  // namespace sightline

// The Paeth filter of the PNG specification (section 9), used by png.cc. Pure; callable from any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline {

// Writes each byte less the one of its neighbours left (a), above (b) and above left (c) that is
// nearest to a + b - c. `row` and `above` have `bytes` bytes (`above` zeros for the first row),
// `pixel` is the bytes of one pixel; what lies left of the row counts 0. `out` overlaps neither.
void FilterPaeth(const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                 std::size_t pixel, std::uint8_t* out);

}  // namespace sightline

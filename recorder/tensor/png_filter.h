// The Paeth filter of the PNG specification (section 9), for png.cc. Pure; may be called from any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline {

// Writes the filtered row to `out`: each byte minus its left (a), upper (b) or upper left (c)
// neighbour, whichever is nearest to a + b - c. Bytes left of the row count as 0. `row`, `above`
// and `out` have `bytes` bytes; for the first row, `above` is zeros. `pixel`: the bytes of one
// pixel. `out` does not overlap the others.
void FilterPaeth(const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                 std::size_t pixel, std::uint8_t* out);

}  // namespace sightline

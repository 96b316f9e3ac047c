// CRC32C (Castagnoli, RFC 3720 appendix B.4) and the masked form that record framing stores.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace sightline::crc32c {

// Continues `crc` (0 to begin with) over `bytes`: Extend(Extend(0, a), b) == Extend(0, a + b).
std::uint32_t Extend(std::uint32_t crc, std::string_view bytes);

// What computes short ones: "SSE4.2", "ARMv8 CRC32", or "ISA-L", which computes long ones
// everywhere.
std::string_view KernelName();

inline std::uint32_t Value(std::string_view bytes) { return Extend(0, bytes); }

// The same, and copies `bytes` to `out`, which must not overlap them, in the same pass.
std::uint32_t ExtendCopy(std::uint32_t crc, std::string_view bytes, char* out);

// The CRC of a followed by b, from the CRCs of both and the size of b, without reading either.
// After the method of zlib's crc32_combine (M. Adler), with this polynomial.
std::uint32_t Combine(std::uint32_t crc_a, std::uint32_t crc_b, std::uint64_t size_b);

// A CRC that is stored beside its data is masked, since the CRC of a string that contains its own
// CRC is degenerate. The constant is that of TFRecord and LevelDB; existing files depend on it.
constexpr std::uint32_t Mask(std::uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8U; }
constexpr std::uint32_t Unmask(std::uint32_t masked) { return std::rotl(masked - 0xa282ead8U, 15); }

}  // namespace sightline::crc32c

#include "sightline/base/crc32c.h"

#include <isa-l/crc.h>

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

namespace sightline::crc32c {
namespace {

// Polynomials over GF(2) modulo the CRC's own, the coefficient of x^0 in the highest bit.
constexpr std::uint32_t kPolynomial = 0x82f63b78;  // RFC 3720, reversed.
constexpr std::uint32_t kOne = 1U << 31;

constexpr std::uint32_t MultiplyModulo(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a & kOne) != 0) product ^= b;
    b = b >> 1 ^ ((b & 1U) != 0 ? kPolynomial : 0);
  }
  return product;
}

// x^(8 * 2^i): what 2^i bytes that follow do to a CRC.
constexpr std::array<std::uint32_t, 64> MakeByteShifts() {
  std::array<std::uint32_t, 64> shifts{};
  shifts[0] = kOne >> 8;
  for (std::size_t i = 1; i < shifts.size(); ++i)
    shifts[i] = MultiplyModulo(shifts[i - 1], shifts[i - 1]);
  return shifts;
}

constexpr std::array<std::uint32_t, 64> kByteShifts = MakeByteShifts();

// ISA-L takes an int length.
constexpr std::size_t kMaxChunk = std::size_t{1} << 30;

// This many bytes are copied before they are read again for the checksum. They fit into the
// first-level cache.
constexpr std::size_t kPieceBytes = std::size_t{4} << 10;

// ISA-L's call costs 17 ns whatever the size; small records take the processor's instruction
// directly (3 to 10 ns up to this size).
constexpr std::size_t kShortBytes = 256;

#if defined(__x86_64__)
#if defined(__clang__)
#define SIGHTLINE_HAS_CRC __attribute__((target("crc32")))
#else
#define SIGHTLINE_HAS_CRC __attribute__((target("sse4.2")))
#endif

// Not by __builtin_cpu_supports, which asks the compiler's own library: Zig's always denies.
bool HasInstruction() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_2) != 0;
}
const bool kHasInstruction = HasInstruction();

SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint64_t word) {
  return _mm_crc32_u64(state, word);
}
SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint32_t word) {
  return _mm_crc32_u32(static_cast<std::uint32_t>(state), word);
}
SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint16_t word) {
  return _mm_crc32_u16(static_cast<std::uint32_t>(state), word);
}
SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint8_t word) {
  return _mm_crc32_u8(static_cast<std::uint32_t>(state), word);
}
#elif defined(__aarch64__)
#define SIGHTLINE_HAS_CRC __attribute__((target("+crc")))
const bool kHasInstruction = (getauxval(AT_HWCAP) & (1UL << 7U)) != 0;  // HWCAP_CRC32.

SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint64_t word) {
  return __crc32cd(static_cast<std::uint32_t>(state), word);
}
SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint32_t word) {
  return __crc32cw(static_cast<std::uint32_t>(state), word);
}
SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint16_t word) {
  return __crc32ch(static_cast<std::uint32_t>(state), word);
}
SIGHTLINE_HAS_CRC std::uint64_t AdvanceWord(std::uint64_t state, std::uint8_t word) {
  return __crc32cb(static_cast<std::uint32_t>(state), word);
}
#endif

#if defined(SIGHTLINE_HAS_CRC)
template <typename Word>
SIGHTLINE_HAS_CRC std::uint64_t AdvanceBy(std::uint64_t state, const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof(word));
  return AdvanceWord(state, word);
}

SIGHTLINE_HAS_CRC std::uint32_t AdvanceShort(std::uint64_t state, const char* at,
                                             std::size_t size) {
  for (; size >= 8; size -= 8, at += 8) state = AdvanceBy<std::uint64_t>(state, at);
  if ((size & 4U) != 0) {
    state = AdvanceBy<std::uint32_t>(state, at);
    at += 4;
  }
  if ((size & 2U) != 0) {
    state = AdvanceBy<std::uint16_t>(state, at);
    at += 2;
  }
  if ((size & 1U) != 0) state = AdvanceBy<std::uint8_t>(state, at);
  return static_cast<std::uint32_t>(state);
}
#endif

#if defined(__x86_64__)
// Larger data would not stay in the caches for the writer anyway.
constexpr std::size_t kStreamBytes = std::size_t{4} << 20;
constexpr std::size_t kLineBytes = 64;

// Stores past the caches. A usual store reads its line from memory first, which is a third of the
// traffic of a copy. REQUIRES: `out` is 16-aligned, `size` a multiple of 64.
void StreamCopy(const char* from, std::size_t size, char* out) {
  for (; size != 0; size -= 64, from += 64, out += 64) {
    const auto* const in = reinterpret_cast<const __m128i*>(from);
    auto* const to = reinterpret_cast<__m128i*>(out);
    const __m128i a = _mm_loadu_si128(in);
    const __m128i b = _mm_loadu_si128(in + 1);
    const __m128i c = _mm_loadu_si128(in + 2);
    const __m128i d = _mm_loadu_si128(in + 3);
    _mm_stream_si128(to, a);
    _mm_stream_si128(to + 1, b);
    _mm_stream_si128(to + 2, c);
    _mm_stream_si128(to + 3, d);
  }
}
#endif

}  // namespace

std::uint32_t Extend(std::uint32_t crc, std::string_view bytes) {
  std::uint32_t state = ~crc;
#if defined(SIGHTLINE_HAS_CRC)
  if (bytes.size() <= kShortBytes && kHasInstruction)
    return ~AdvanceShort(state, bytes.data(), bytes.size());
#endif
  while (!bytes.empty()) {
    const std::string_view chunk = bytes.substr(0, kMaxChunk);
    // The library declares the buffer non-const but only reads it.
    state = crc32_iscsi(reinterpret_cast<unsigned char*>(const_cast<char*>(chunk.data())),
                        static_cast<int>(chunk.size()), state);
    bytes.remove_prefix(chunk.size());
  }
  return ~state;
}

std::string_view KernelName() {
#if defined(__x86_64__)
  if (kHasInstruction) return "SSE4.2";
#elif defined(__aarch64__)
  if (kHasInstruction) return "ARMv8 CRC32";
#endif
  return "ISA-L";
}

std::uint32_t ExtendCopy(std::uint32_t crc, std::string_view bytes, char* out) {
  const char* from = bytes.data();
  std::size_t size = bytes.size();
  const auto copy = [&](std::size_t piece, const auto& store) {
    store(from, piece, out);
    crc = Extend(crc, {from, piece});  // Still in the cache.
    from += piece;
    out += piece;
    size -= piece;
  };
  const auto plainly = [](const char* source, std::size_t piece, char* to) {
    std::memcpy(to, source, piece);
  };
#if defined(__x86_64__)
  if (size >= kStreamBytes) {
    copy(-reinterpret_cast<std::uintptr_t>(out) % kLineBytes, plainly);
    while (size >= kPieceBytes) copy(kPieceBytes, StreamCopy);
    _mm_sfence();
  }
#endif
  while (size > kPieceBytes) copy(kPieceBytes, plainly);
  if (size != 0) copy(size, plainly);
  return crc;
}

std::uint32_t Combine(std::uint32_t crc_a, std::uint32_t crc_b, std::uint64_t size_b) {
  for (std::size_t i = 0; size_b != 0; ++i, size_b >>= 1) {
    if ((size_b & 1U) != 0) crc_a = MultiplyModulo(crc_a, kByteShifts[i]);
  }
  return crc_a ^ crc_b;
}

}  // namespace sightline::crc32c

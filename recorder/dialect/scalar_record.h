// Records with one scalar, the most common event of a training run. The framing, the checksums and
// the message are written in one go. Both encoders use this; the dialects differ only in two places
// (ScalarSpelling).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/framing/record_format.h"

namespace sightline {

struct ScalarSpelling {
  char value_key;       // The key of the float field in Summary.Value.
  bool step_when_zero;  // Whether a step of 0 is written.
};

namespace scalar_record {

// Keys of one byte: wall_time 1 double, step 2 int64, summary 5, value 1, tag 1.
inline constexpr char kWallTimeKey = 0x09;
inline constexpr char kStepKey = 0x10;
inline constexpr char kSummaryKey = 0x2a;
inline constexpr char kValueKey = 0x0a;
inline constexpr char kTagKey = 0x0a;

inline constexpr std::size_t kMaxVarint = 10;
inline constexpr std::size_t kScalarBytes = 1 + sizeof(float);

// The framing, the wall time, the step, a key and a length for each of summary, value and tag, and
// the scalar.
inline constexpr std::size_t kMaxOverhead =
    kRecordOverhead + 9 + 1 + kMaxVarint + 3 * (1 + kMaxVarint) + kScalarBytes;

// The masked CRC32C of the eight bytes of a length is in a table for lengths below this, since
// records with one scalar have few different lengths.
inline constexpr std::size_t kKnownLengths = 512;

constexpr std::uint32_t LengthCrc(std::uint64_t length) {
  constexpr std::uint32_t kReversedPolynomial = 0x82f63b78;  // RFC 3720.
  std::uint32_t crc = ~0U;
  for (unsigned i = 0; i < 64; ++i) {
    const auto bit = static_cast<std::uint32_t>(length >> i & 1U) ^ (crc & 1U);
    crc = crc >> 1U ^ (bit != 0 ? kReversedPolynomial : 0);
  }
  return ~crc;
}

constexpr std::array<std::uint32_t, kKnownLengths> MakeLengthCrcs() {
  std::array<std::uint32_t, kKnownLengths> crcs{};
  for (std::size_t i = 0; i < kKnownLengths; ++i) crcs[i] = crc32c::Mask(LengthCrc(i));
  return crcs;
}

inline constexpr std::array<std::uint32_t, kKnownLengths> kLengthCrcs = MakeLengthCrcs();

inline char* PutHeader(char* out, std::uint64_t length) {
  char* const end = wire::PutFixed(out, length);
  const std::uint32_t masked =
      length < kKnownLengths
          ? kLengthCrcs[length]
          : crc32c::Mask(crc32c::Value(std::string_view(out, kRecordLengthSize)));
  return wire::PutFixed(end, masked);
}

inline char* PutKey(char* out, char key) {
  *out = key;
  return out + 1;
}

}  // namespace scalar_record

// Writes the record at `out` and returns the position after it. `out` has room for tag.size() +
// scalar_record::kMaxOverhead bytes.
template <ScalarSpelling kSpelling>
char* PutScalarRecordAs(char* out, double wall_time, std::int64_t step, std::string_view tag,
                        double value) {
  namespace f = scalar_record;
  const std::size_t value_size = 1 + wire::VarintSize(tag.size()) + tag.size() + f::kScalarBytes;
  const std::size_t summary_size = 1 + wire::VarintSize(value_size) + value_size;

  char* const payload = out + kRecordHeaderSize;
  char* at = wire::PutFixed(f::PutKey(payload, f::kWallTimeKey), wall_time);
  if (kSpelling.step_when_zero || step != 0) {
    at = wire::PutVarint(f::PutKey(at, f::kStepKey), static_cast<std::uint64_t>(step));
  }
  at = wire::PutVarint(f::PutKey(at, f::kSummaryKey), summary_size);
  at = wire::PutVarint(f::PutKey(at, f::kValueKey), value_size);
  at = wire::PutVarint(f::PutKey(at, f::kTagKey), tag.size());
  std::memcpy(at, tag.data(), tag.size());
  at = wire::PutFixed(f::PutKey(at + tag.size(), kSpelling.value_key), static_cast<float>(value));

  const auto length = static_cast<std::size_t>(at - payload);
  f::PutHeader(out, length);
  return wire::PutFixed(at, crc32c::Mask(crc32c::Value(std::string_view(payload, length))));
}

}  // namespace sightline

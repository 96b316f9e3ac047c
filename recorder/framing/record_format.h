// The framing of event files in both dialects, that of TFRecord (docs/event_file.md).
//
//   record := length (uint64) masked_crc32c(length) (uint32)
//             payload (length bytes) masked_crc32c(payload) (uint32)
//
// All integers are little-endian. Nothing here may change, since existing files have this form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"

namespace sightline {

inline constexpr std::size_t kRecordLengthSize = 8;
inline constexpr std::size_t kRecordHeaderSize = kRecordLengthSize + 4;
inline constexpr std::size_t kRecordFooterSize = 4;
// The bytes of a record besides its payload.
inline constexpr std::size_t kRecordOverhead = kRecordHeaderSize + kRecordFooterSize;

// The length in the kRecordHeaderSize bytes at `header`; its checksum is not verified.
inline std::uint64_t RecordLengthAt(const char* header) {
  std::uint64_t length = 0;
  std::memcpy(&length, header, sizeof(length));
  return length;
}

// Whether the four bytes at `masked` are the checksum of `bytes`.
inline bool HasMaskedCrc(std::string_view bytes, const char* masked) {
  std::uint32_t expected = 0;
  std::memcpy(&expected, masked, sizeof(expected));
  return crc32c::Mask(crc32c::Value(bytes)) == expected;
}

// Whether the length in the kRecordHeaderSize bytes at `header` matches its checksum.
inline bool RecordLengthHolds(const char* header) {
  return HasMaskedCrc({header, kRecordLengthSize}, header + kRecordLengthSize);
}

// Whether the payload after the header matches its checksum. REQUIRES: `length` bytes and the
// footer follow the header.
inline bool RecordPayloadHolds(const char* header, std::uint64_t length) {
  const char* const payload = header + kRecordHeaderSize;
  return HasMaskedCrc({payload, length}, payload + length);
}

// Appends a whole record. dialect/scalar_record.h is faster: it writes records in place.
inline void AppendRecord(std::string_view payload, std::string& out) {
  const std::size_t begin = out.size();
  wire::AppendFixed(out, std::uint64_t{payload.size()});
  wire::AppendFixed(out, crc32c::Mask(crc32c::Value({out.data() + begin, kRecordLengthSize})));
  out.append(payload);
  wire::AppendFixed(out, crc32c::Mask(crc32c::Value(payload)));
}

}  // namespace sightline

// The framing of an event file, shared by both dialects: TFRecord's. See docs/event_file.md.
//
//   record := length (uint64) masked_crc32c(length) (uint32) payload (length bytes)
//   masked_crc32c(payload) (uint32)
//
// All integers are little-endian. Values here are frozen by the files in the field.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline {

inline constexpr std::size_t kRecordLengthSize = 8;
inline constexpr std::size_t kRecordHeaderSize = kRecordLengthSize + 4;
inline constexpr std::size_t kRecordFooterSize = 4;
// What a record costs beyond its payload.
inline constexpr std::size_t kRecordOverhead = kRecordHeaderSize + kRecordFooterSize;

}  // namespace sightline

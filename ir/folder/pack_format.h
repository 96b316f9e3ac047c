// The bytes of a pack: docs/ir_pack.md. What the writer and the reader share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::ir {

inline constexpr std::string_view kPackMagic = "SLIRPACK";
inline constexpr std::string_view kPackEndMagic = "SLIRPEND";
inline constexpr std::uint32_t kPackVersion = 1;
inline constexpr std::size_t kPackTrailerBytes = 8 + 8 + 8 + 4 + 4 + 4 + 8;

inline constexpr std::size_t kPackBlockBytes = std::size_t{1} << 20;  // Then it is written.
// Small, since a block is uncompressed for each file that has its recipe in it.
inline constexpr std::size_t kPackRecipeBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxPackBlockBytes = std::size_t{2} << 20;  // At most.
inline constexpr std::size_t kMaxPackLineBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxPackDirectoryBytes = std::size_t{256} << 20;

// Of one file, in a pack of that size.
constexpr bool PackFileSizeAllowed(std::uint64_t bytes, std::uint64_t pack_bytes) {
  constexpr std::uint64_t kAlways = std::uint64_t{64} << 20;
  constexpr std::uint64_t kNever = std::uint64_t{2} << 30;
  return bytes <= kAlways || (bytes <= kNever && bytes / 1024 <= pack_bytes);
}

enum PackField : std::uint32_t { kPackBlock = 1, kPackFile = 2 };
enum PackBlockField : std::uint32_t {
  kPackBlockOffset = 1,
  kPackBlockPacked = 2,
  kPackBlockSize = 3,
  kPackBlockLines = 4
};
enum PackFileField : std::uint32_t {
  kPackFilePath = 1,
  kPackFileSize = 2,
  kPackFileModified = 3,
  kPackFileChecksum = 4,
  kPackFileBlock = 5,
  kPackFileOffset = 6,
  kPackFileRecipe = 7
};

// The varint at the front of `bytes`; none where there is none.
inline std::optional<std::uint64_t> TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

constexpr std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t UnZigZag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

}  // namespace sightline::ir

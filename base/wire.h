// The Protocol Buffers wire format, written and read without generated classes, since those would
// allocate. Source: protobuf.dev/programming-guides/encoding.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sightline::wire {

static_assert(std::endian::native == std::endian::little,
              "fixed-width fields are copied as they are in memory");

enum class WireType : std::uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5
};

constexpr std::uint32_t Key(std::uint32_t field, WireType type) {
  return field << 3U | static_cast<std::uint32_t>(type);
}

constexpr std::size_t VarintSize(std::uint64_t value) {
  return static_cast<std::size_t>((std::bit_width(value | 1U) + 6) / 7);
}

// The Put functions write at `out` and return the position after it. The caller ensures that there
// is room.
inline char* PutVarint(char* out, std::uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  *out++ = static_cast<char>(value);
  return out;
}

template <typename T>
char* PutFixed(char* out, T value) {
  std::memcpy(out, &value, sizeof(value));
  return out + sizeof(value);
}

// The Append functions append to a string.
inline void AppendVarint(std::string& out, std::uint64_t value) {
  char buffer[10];
  out.append(buffer, PutVarint(buffer, value));
}

template <typename T>
void AppendFixed(std::string& out, T value) {
  char buffer[sizeof(T)];
  std::memcpy(buffer, &value, sizeof(T));
  out.append(buffer, sizeof(T));
}

inline void AppendKey(std::string& out, std::uint32_t field, WireType type) {
  AppendVarint(out, Key(field, type));
}

// Negative numbers take ten bytes, as int32 and int64 fields do.
inline void AppendInt(std::string& out, std::uint32_t field, std::int64_t value) {
  AppendKey(out, field, WireType::kVarint);
  AppendVarint(out, static_cast<std::uint64_t>(value));
}

inline void AppendDouble(std::string& out, std::uint32_t field, double value) {
  AppendKey(out, field, WireType::kFixed64);
  AppendFixed(out, value);
}

inline void AppendFloat(std::string& out, std::uint32_t field, float value) {
  AppendKey(out, field, WireType::kFixed32);
  AppendFixed(out, value);
}

inline void AppendBytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  AppendKey(out, field, WireType::kBytes);
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

// Key and length of a bytes field; the caller appends its `size` bytes.
inline void AppendBytesHeader(std::string& out, std::uint32_t field, std::uint64_t size) {
  AppendKey(out, field, WireType::kBytes);
  AppendVarint(out, size);
}

// One field of a message as it is encoded.
struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t number_value = 0;  // kVarint, kFixed32, kFixed64: the raw bits.
  std::string_view bytes;          // kBytes.

  double AsDouble() const { return std::bit_cast<double>(number_value); }
  float AsFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(number_value)); }
  std::int64_t AsInt64() const { return static_cast<std::int64_t>(number_value); }
  std::int32_t AsInt32() const { return static_cast<std::int32_t>(number_value); }
};

// Walks the fields of one message; never reads outside `message`.
//
//   for (Scanner scan(message); scan.Next(field);) { ... }
//   if (scan.malformed()) ...
class Scanner {
 public:
  explicit Scanner(std::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  // False at the end, or if the rest is malformed.
  bool Next(Field& field);
  bool malformed() const { return malformed_; }

 private:
  bool Varint(std::uint64_t& value);
  bool Fail() {
    malformed_ = true;
    return false;
  }

  const char* at_;
  const char* end_;
  bool malformed_ = false;
};

inline bool Scanner::Varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ == end_) return Fail();
    const auto byte = static_cast<std::uint8_t>(*at_++);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return true;
  }
  return Fail();
}

inline bool Scanner::Next(Field& field) {
  if (at_ == end_) return false;
  std::uint64_t key = 0;
  if (!Varint(key) || key >> 3U == 0 || key >> 32U != 0) return Fail();
  field.number = static_cast<std::uint32_t>(key >> 3U);
  field.type = static_cast<WireType>(key & 7U);
  switch (field.type) {
    case WireType::kVarint:
      return Varint(field.number_value);
    case WireType::kFixed64:
      if (end_ - at_ < 8) return Fail();
      std::memcpy(&field.number_value, at_, 8);
      at_ += 8;
      return true;
    case WireType::kFixed32: {
      if (end_ - at_ < 4) return Fail();
      std::uint32_t bits = 0;
      std::memcpy(&bits, at_, 4);
      field.number_value = bits;
      at_ += 4;
      return true;
    }
    case WireType::kBytes: {
      std::uint64_t size = 0;
      if (!Varint(size) || size > static_cast<std::uint64_t>(end_ - at_)) return Fail();
      field.bytes = std::string_view(at_, static_cast<std::size_t>(size));
      at_ += size;
      return true;
    }
    case WireType::kStartGroup:
    case WireType::kEndGroup:
      return Fail();  // Neither dialect has groups.
  }
  return Fail();
}

}  // namespace sightline::wire

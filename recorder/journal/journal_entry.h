// The body of a journal entry: one event of a step, in a neutral form that each sink encodes in its
// own way.
//
//   body  := step (int64) wall_time (double) value_count (uint32) flags (uint32) value*
//   value := ValueHeader tag (padded to 8) dims (rank * int64) data (padded to 8)
//
// Everything is aligned to 8 bytes and in native byte order. If a value has the flag kExternal, its
// elements are not in the journal; its data is their address in the recording process and their
// number of bytes (ExternalData).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

struct EntryEventHeader {
  std::int64_t step;
  double wall_time;
  std::uint32_t value_count;
  std::uint32_t flags;  // kExternal if a value has that flag.
};
static_assert(sizeof(EntryEventHeader) == 24);

enum EntryFlags : std::uint8_t { kInline = 0, kExternal = 1 };

struct EntryValueHeader {
  std::uint32_t size;  // Bytes of the whole value with this header; a multiple of 8.
  std::uint8_t kind;   // ValueKind
  std::uint8_t dtype;  // DType, if the kind has a tensor
  std::uint8_t rank;
  std::uint8_t flags;
  std::uint32_t tag_bytes;
  std::uint32_t data_bytes;
};
static_assert(sizeof(EntryValueHeader) == 16);

// The data of an external value.
struct ExternalData {
  std::uint64_t address;
  std::uint64_t bytes;
};

inline bool HasTensor(ValueKind kind) { return FormOf(kind) == ValueForm::kTensor; }

// Bytes of the elements or the message of `value`; 8 for a scalar.
std::uint64_t DataBytes(const Value& value);

// Bytes of a value in an entry. REQUIRES: CheckValue(value) is OK, and the tag is clean.
std::uint64_t EntryValueBytes(std::string_view tag, const Value& value, bool external);

inline char* PutEntryEventHeader(char* out, const EntryEventHeader& header) {
  __builtin_memcpy(out, &header, sizeof(header));
  return out + sizeof(header);
}

// Writes one value at `out`, which has room for EntryValueBytes, and returns the position after it.
// Extends `crc` (crc32c.h) over the written bytes, piece by piece while they are in the cache.
char* PutEntryValue(char* out, std::string_view tag, const Value& value, bool external,
                    std::uint32_t& crc);

// kInvalidArgument if the value cannot be recorded: an unknown kind, a tensor that does not pass
// TensorView::Check, a complex one (neither dialect has a form for it), an image with another shape
// than AddImage takes, or a tensor or message too large for an event, whose limit is protobuf's 2
// GiB.
Status CheckValue(std::string_view tag, const Value& value);

struct EntryEvent {
  std::int64_t step = 0;
  double wall_time = 0;
  // Views of the entry or of external memory. The vector is reused for the next entry.
  std::vector<PreparedValue> values;
  // The number of external values that were left out.
  std::uint64_t lost_values = 0;
};

// EntryValueBytes of a scalar.
constexpr std::size_t ScalarValueBytes(std::size_t tag_bytes) {
  return sizeof(EntryValueHeader) + AlignEntry(tag_bytes) + sizeof(double);
}

// The size of an entry's body with one scalar. PutScalarEntry writes the same bytes as
// PutEntryEventHeader and PutEntryValue.
constexpr std::size_t ScalarEntryBytes(std::size_t tag_bytes) {
  return sizeof(EntryEventHeader) + ScalarValueBytes(tag_bytes);
}

// PutEntryValue for a scalar, without the checksum and with few stores.
inline void PutScalarValue(char* out, std::string_view tag, double value) {
  const std::size_t tag_room = AlignEntry(tag.size());
  const EntryValueHeader header{
      .size = static_cast<std::uint32_t>(ScalarValueBytes(tag.size())),
      .kind = static_cast<std::uint8_t>(ValueKind::kScalar),
      .dtype = 0,
      .rank = 0,
      .flags = kInline,
      .tag_bytes = static_cast<std::uint32_t>(tag.size()),
      .data_bytes = sizeof(double),
  };
  __builtin_memcpy(out, &header, sizeof(header));
  out += sizeof(header);
  // The padding first, as one store, then the tag over it.
  if (tag_room != 0) __builtin_memset(out + tag_room - 8, 0, 8);
  if (!tag.empty()) __builtin_memcpy(out, tag.data(), tag.size());
  __builtin_memcpy(out + tag_room, &value, sizeof(value));
}

inline void PutScalarEntry(char* out, std::int64_t step, double wall_time, std::string_view tag,
                           double value) {
  PutScalarValue(PutEntryEventHeader(out, {step, wall_time, 1, kInline}), tag, value);
}

// Reads what PutScalarEntry wrote. False for every other entry; ParseEntry tells whether that one
// is sound. `event` borrows the entry's tag.
inline bool ParseScalarEntry(std::string_view body, ScalarEvent& event) {
  if (body.size() < ScalarEntryBytes(0)) return false;
  EntryEventHeader header{};
  EntryValueHeader value{};
  __builtin_memcpy(&header, body.data(), sizeof(header));
  __builtin_memcpy(&value, body.data() + sizeof(header), sizeof(value));
  if (header.value_count != 1 || value.kind != static_cast<std::uint8_t>(ValueKind::kScalar) ||
      value.flags != kInline || body.size() != ScalarEntryBytes(value.tag_bytes)) {
    return false;
  }
  event.wall_time = header.wall_time;
  event.step = header.step;
  event.tag = body.substr(sizeof(header) + sizeof(value), value.tag_bytes);
  __builtin_memcpy(&event.value, body.data() + body.size() - sizeof(double), sizeof(double));
  return true;
}

// How many values the entry has.
inline std::uint32_t EntryValueCount(std::string_view body) {
  EntryEventHeader header{};
  if (body.size() < sizeof(header)) return 0;
  __builtin_memcpy(&header, body.data(), sizeof(header));
  return header.value_count;
}

// Whether any value of the entry is outside of the journal.
inline bool HasExternalValues(std::string_view body) {
  EntryEventHeader header{};
  if (body.size() < sizeof(header)) return false;
  __builtin_memcpy(&header, body.data(), sizeof(header));
  return (header.flags & kExternal) != 0;
}

// Parses an entry. kDataLoss for other bytes, since a journal may be read after a
// crash. Never reads outside of `body`, except for the memory of external values. `external_lost`:
// external values are gone, and are left out.
Status ParseEntry(std::string_view body, bool external_lost, EntryEvent& event);

// If a large tensor is the only value of an entry: the CRC32C of its bytes, computed from that of
// the entry's `body` without reading them again. One checksum then covers the tensor's bytes from
// the recording call to the event file. No value for other entries.
std::optional<std::uint32_t> TensorCrc(std::string_view body, std::uint32_t body_crc,
                                       const EntryEvent& event);

}  // namespace sightline

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

#include "sightline/landscape/checkpoints/checkpoint_formats.h"
#include "sightline/recorder/tensor/npy_header.h"

namespace sightline::landscape {
namespace {

// APPNOTE.TXT 6.3.10, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.14 to 4.3.16.
constexpr std::string_view kLocalMagic = "PK\x03\x04";
constexpr std::string_view kCentralMagic = "PK\x01\x02";
constexpr std::string_view kEndMagic = "PK\x05\x06";
constexpr std::string_view kEnd64Magic = "PK\x06\x06";
constexpr std::string_view kLocator64Magic = "PK\x06\x07";
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocator64Bytes = 20;
constexpr std::size_t kMaxComment = 0xffff;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint32_t kIn64 = 0xffffffff;
constexpr std::uint16_t kStored = 0;

Status Damaged(std::string_view what) {
  return Status(StatusCode::kDataLoss, fmt::format(".npz: {}", what));
}

// REQUIRES: the number is within `bytes`.
template <typename T>
T NumberAt(std::string_view bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

bool Has(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

bool IsAt(std::string_view bytes, std::uint64_t offset, std::string_view magic,
          std::size_t header) {
  return Has(bytes, offset, header) && bytes.substr(offset, magic.size()) == magic;
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t entries = 0;
};

Result<Directory> FindDirectory(std::string_view bytes) {
  if (bytes.size() < kEndBytes) return Error(Damaged("the file is cut"));
  const std::size_t last = bytes.size() - kEndBytes;
  const std::size_t first = last > kMaxComment ? last - kMaxComment : 0;
  const std::size_t end = bytes.rfind(kEndMagic, last);
  if (end == std::string_view::npos || end < first)
    return Error(Damaged("the file is cut: its directory, at the end, is missing"));
  Directory directory{NumberAt<std::uint32_t>(bytes, end + 16),
                      NumberAt<std::uint16_t>(bytes, end + 10)};
  if (end < kLocator64Bytes ||
      !IsAt(bytes, end - kLocator64Bytes, kLocator64Magic, kLocator64Bytes))
    return directory;
  const auto end64 = NumberAt<std::uint64_t>(bytes, end - kLocator64Bytes + 8);
  if (!IsAt(bytes, end64, kEnd64Magic, kEnd64Bytes))
    return Error(Damaged("its ZIP64 directory is at the wrong place"));
  return Directory{NumberAt<std::uint64_t>(bytes, end64 + 48),
                   NumberAt<std::uint64_t>(bytes, end64 + 32)};
}

struct Entry {
  std::string_view name;
  std::uint16_t method = 0;
  std::uint64_t size = 0;        // Of the bytes as they are stored.
  std::uint64_t whole_size = 0;  // Uncompressed.
  std::uint64_t offset = 0;      // Of the local header.
  std::uint64_t next = 0;        // Of the next entry of the directory.
};

// Replaces the numbers that are too large for 32 bits by those of the ZIP64 extra field.
bool ReadZip64(std::string_view extra, Entry& entry) {
  while (extra.size() >= 4) {
    const auto id = NumberAt<std::uint16_t>(extra, 0);
    const std::size_t size = NumberAt<std::uint16_t>(extra, 2);
    extra.remove_prefix(4);
    if (size > extra.size()) return false;
    std::string_view field = extra.substr(0, size);
    extra.remove_prefix(size);
    if (id != kZip64Extra) continue;
    for (std::uint64_t* value : {&entry.whole_size, &entry.size, &entry.offset}) {
      if (*value != kIn64) continue;
      if (field.size() < 8) return false;
      *value = NumberAt<std::uint64_t>(field, 0);
      field.remove_prefix(8);
    }
  }
  return true;
}

Result<Entry> ReadEntry(std::string_view bytes, std::uint64_t at) {
  if (!IsAt(bytes, at, kCentralMagic, kCentralBytes))
    return Error(Damaged("its directory is damaged"));
  const std::string_view fixed = bytes.substr(at, kCentralBytes);
  const std::size_t name = NumberAt<std::uint16_t>(fixed, 28);
  const std::size_t extra = NumberAt<std::uint16_t>(fixed, 30);
  const std::size_t comment = NumberAt<std::uint16_t>(fixed, 32);
  if (!Has(bytes, at + kCentralBytes, name + extra + comment))
    return Error(Damaged("its directory is cut"));
  Entry entry{bytes.substr(at + kCentralBytes, name), NumberAt<std::uint16_t>(fixed, 10),
              NumberAt<std::uint32_t>(fixed, 20),     NumberAt<std::uint32_t>(fixed, 24),
              NumberAt<std::uint32_t>(fixed, 42),     at + kCentralBytes + name + extra + comment};
  if (!ReadZip64(bytes.substr(at + kCentralBytes + name, extra), entry))
    return Error(Damaged("its directory has a damaged ZIP64 field"));
  return entry;
}

// The entry's bytes, in place.
Result<std::string_view> StoredBytes(std::string_view bytes, const Entry& entry) {
  if (entry.method != kStored) {
    return Error(StatusCode::kUnimplemented,
                 fmt::format(".npz: '{}' is compressed; save with numpy.savez instead of "
                             "numpy.savez_compressed",
                             entry.name));
  }
  if (!IsAt(bytes, entry.offset, kLocalMagic, kLocalBytes))
    return Error(Damaged(fmt::format("'{}' is at the wrong place", entry.name)));
  const std::uint64_t begin = entry.offset + kLocalBytes +
                              NumberAt<std::uint16_t>(bytes, entry.offset + 26) +
                              NumberAt<std::uint16_t>(bytes, entry.offset + 28);
  if (!Has(bytes, begin, entry.size) || entry.size != entry.whole_size)
    return Error(Damaged(fmt::format("'{}' is cut", entry.name)));
  return bytes.substr(begin, entry.size);
}

Status AddArray(std::string_view name, std::string_view npy, ParsedTensors& out) {
  if (name.ends_with(".npy")) name.remove_suffix(4);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t header, NpyHeaderSize(npy));
  if (header > npy.size()) return Damaged(fmt::format("'{}' is cut", name));
  auto layout = ParseNpyHeader(npy.substr(0, header));
  if (!layout && layout.error().code() != StatusCode::kUnimplemented)
    return layout.error().WithContext(name);
  if (!layout) {
    out.skipped.push_back({std::string(name), std::string(layout.error().message())});
  } else if (layout->big_endian && DTypeSize(layout->dtype) > 1) {
    out.skipped.push_back({std::string(name), "it is big-endian"});
  } else if (layout->fortran_order && layout->shape.size() > 1) {
    out.skipped.push_back(
        {std::string(name), "it is in Fortran order; save numpy.ascontiguousarray of it"});
  } else {
    out.tensors.push_back(
        {std::string(name), layout->dtype, std::move(layout->shape), {npy.substr(header)}});
    CheckpointTensor& tensor = out.tensors.back();
    const TensorView view{tensor.dtype, tensor.shape, npy.data()};
    // numpy.load ignores what follows the elements.
    if (view.Check().ok() && view.ByteSize() < tensor.pieces[0].size())
      tensor.pieces[0] = tensor.pieces[0].substr(0, view.ByteSize());
  }
  return {};
}

}  // namespace

bool LooksLikeNpz(std::string_view bytes) {
  return bytes.starts_with(kLocalMagic) || bytes.starts_with(kEndMagic);
}

Result<ParsedTensors> ParseNpz(std::string_view bytes) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Directory directory, FindDirectory(bytes));
  ParsedTensors parsed;
  std::uint64_t at = directory.offset;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    SIGHTLINE_ASSIGN_OR_RETURN(const Entry entry, ReadEntry(bytes, at));
    at = entry.next;
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string_view npy, StoredBytes(bytes, entry));
    SIGHTLINE_RETURN_IF_ERROR(AddArray(entry.name, npy, parsed));
  }
  return parsed;
}

}  // namespace sightline::landscape

#include "sightline/base/compress/zip_writer.h"

#include <zlib.h>

#include <limits>
#include <utility>

#include "sightline/base/wire.h"

namespace sightline {
namespace {

// Little-endian fields of zip headers.
void Put16(std::string& out, unsigned value) {
  wire::AppendFixed(out, static_cast<std::uint16_t>(value));
}
void Put32(std::string& out, std::uint64_t value) {
  wire::AppendFixed(out, static_cast<std::uint32_t>(value));
}

std::uint32_t Crc(std::uint32_t before, std::string_view bytes) {
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<std::uint32_t>(crc32_z(before, data, bytes.size()));
}

constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned kVersion = 45;  // The first with ZIP64.
constexpr unsigned kUtf8Names = 1U << 11U;
constexpr unsigned kDate = 1U << 5U | 1U;  // 1980-01-01.
constexpr unsigned kZip64SizesBytes = 20;

}  // namespace

ZipWriter::ZipWriter(std::function<void(std::string_view)> append) : append_(std::move(append)) {}

void ZipWriter::Append(std::string_view bytes) {
  append_(bytes);
  size_ += bytes.size();
}

void ZipWriter::Add(std::string name, std::string_view bytes) {
  AppendHeader({std::move(name), bytes.size(), size_, Crc(0, bytes)});
  Append(bytes);
}

Status ZipWriter::AddParts(std::string name, const Parts& parts) {
  Member member{std::move(name), 0, size_, 0};
  SIGHTLINE_RETURN_IF_ERROR(parts([&](std::string_view bytes) {
    member.size += bytes.size();
    member.crc = Crc(member.crc, bytes);
  }));
  AppendHeader(std::move(member));
  return parts([&](std::string_view bytes) { Append(bytes); });
}

void ZipWriter::AppendHeader(Member member) {
  std::string header;
  Put32(header, 0x04034b50);
  AppendCommon(member, header);
  Put16(header, kZip64SizesBytes);
  header += member.name;
  Put16(header, 1);  // ZIP64: both sizes.
  Put16(header, 16);
  wire::AppendFixed(header, member.size);
  wire::AppendFixed(header, member.size);
  Append(header);
  members_.push_back(std::move(member));
}

void ZipWriter::Finish() {
  const std::uint64_t begin = size_;
  for (const Member& member : members_) {
    std::string header;
    Put32(header, 0x02014b50);
    Put16(header, kVersion);
    AppendCommon(member, header);
    Put16(header, 28);
    header.append(10, '\0');  // No comment, disk 0, no attributes.
    Put32(header, kMax32);
    header += member.name;
    Put16(header, 1);
    Put16(header, 24);
    wire::AppendFixed(header, member.size);
    wire::AppendFixed(header, member.size);
    wire::AppendFixed(header, member.offset);
    Append(header);
  }
  AppendEnd(begin, size_);
}

// The fields that both headers of a member have, up to the length of its name.
void ZipWriter::AppendCommon(const Member& member, std::string& header) {
  Put16(header, kVersion);
  Put16(header, kUtf8Names);
  Put16(header, 0);  // Stored.
  Put16(header, 0);  // Midnight.
  Put16(header, kDate);
  Put32(header, member.crc);
  Put32(header, kMax32);  // The sizes are in the ZIP64 field.
  Put32(header, kMax32);
  Put16(header, static_cast<unsigned>(member.name.size()));
}

void ZipWriter::AppendEnd(std::uint64_t begin, std::uint64_t end) {
  std::string record;
  Put32(record, 0x06064b50);  // ZIP64 end of central directory.
  wire::AppendFixed(record, std::uint64_t{44});
  Put16(record, kVersion);
  Put16(record, kVersion);
  Put32(record, 0);
  Put32(record, 0);
  wire::AppendFixed(record, static_cast<std::uint64_t>(members_.size()));
  wire::AppendFixed(record, static_cast<std::uint64_t>(members_.size()));
  wire::AppendFixed(record, end - begin);
  wire::AppendFixed(record, begin);
  Put32(record, 0x07064b50);  // Its locator.
  Put32(record, 0);
  wire::AppendFixed(record, end);
  Put32(record, 1);
  Put32(record, 0x06054b50);  // End of central directory; the numbers are in the above.
  Put16(record, 0);
  Put16(record, 0);
  Put16(record, 0xffff);
  Put16(record, 0xffff);
  Put32(record, kMax32);
  Put32(record, kMax32);
  Put16(record, 0);
  Append(record);
}

}  // namespace sightline

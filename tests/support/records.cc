#include "sightline/tests/support/records.h"

#include <algorithm>
#include <cstring>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"

namespace sightline::testing {

std::string FrameHeader(std::uint64_t length) {
  std::string header;
  wire::AppendFixed(header, length);
  wire::AppendFixed(header, crc32c::Mask(crc32c::Value(header)));
  return header;
}

std::string FrameRecord(std::string_view payload) {
  std::string record = FrameHeader(payload.size());
  record.append(payload);
  wire::AppendFixed(record, crc32c::Mask(crc32c::Value(payload)));
  return record;
}

Result<std::size_t> BytesFile::ReadAt(std::uint64_t offset, std::span<char> buffer) const {
  if (offset >= bytes_->size()) return std::size_t{0};
  const std::size_t count = std::min({buffer.size(), most_bytes_a_read_, bytes_->size() - offset});
  std::memcpy(buffer.data(), bytes_->data() + offset, count);
  return count;
}

}  // namespace sightline::testing
